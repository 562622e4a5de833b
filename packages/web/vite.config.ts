import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const SERVER = 'http://127.0.0.1:3000';

export default defineConfig({
  // Relative, so that one build works under every base path: the server writes the base path into <base href>.
  base: './',
  plugins: [react()],
  server: { proxy: { '/api': { target: SERVER, ws: true } } },
  build: {
    target: 'es2025',
    outDir: 'dist',
    emptyOutDir: true,
    // The CSP allows no data: URLs for scripts and styles, and fonts are better cached as files.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What changes only with a dependency stays in the browser's cache over releases.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            // Else every icon that two screens share is a file, and a request, of its own.
            { name: 'icons', test: /node_modules\/@tabler\//, priority: 2 },
            { name: 'tanstack', test: /node_modules\/@tanstack\/(?!react-virtual|virtual-core)/, priority: 2 },
            {
              name: 'codemirror',
              test: /node_modules\/(@codemirror|@lezer|@marijn|style-mod|w3c-keyname|crelt)\//,
              priority: 2,
            },
          ],
        },
      },
    },
  },
});
