import { makeScriptAdapter } from './script.ts';

export const bash = makeScriptAdapter(['bash'], []);
