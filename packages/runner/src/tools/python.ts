import { makeScriptAdapter } from './script.ts';

export const python = makeScriptAdapter(['python3'], []);
