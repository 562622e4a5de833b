import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './ui/mantine.css';
import './ui/tokens.css';
import './ui/controls.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from './app/providers.tsx';
import { createConsoleRouter } from './app/router.tsx';
import { readStyleNonce } from './ui/style-nonce.ts';

// Libraries that add a style at run time without an option for its nonce look for it here.
Object.assign(globalThis, { __webpack_nonce__: readStyleNonce() });

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no place for the console');
createRoot(place).render(
  <StrictMode>
    <Providers router={createConsoleRouter()} />
  </StrictMode>,
);
