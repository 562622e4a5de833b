import { makeScriptAdapter } from './script.ts';

/** The PowerShell of today, or the one that is part of Windows. Neither may read a profile or ask anything. */
export const powershell = makeScriptAdapter(['pwsh', 'powershell'], ['-NoProfile', '-NonInteractive', '-File']);
