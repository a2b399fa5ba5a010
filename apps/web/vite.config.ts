import { defineConfig } from 'vite'

/** The address of `quorate serve`, to which the development server of Vite forwards requests. */
const SERVER = 'http://127.0.0.1:4711'

export default defineConfig({
  root: import.meta.dirname,
  // The certificate and the contract are loaded from their sources, so nothing has to be built first.
  resolve: { conditions: ['quorate-source', 'module', 'browser', 'development|production'] },
  worker: { format: 'es' },
  build: {
    outDir: '../../packages/quorate/dist/web',
    emptyOutDir: true,
    // The content security policy allows no inline styles or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // Ignores the directives of React server components, which this app does not use.
    rolldownOptions: {
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
  server: { host: '127.0.0.1', proxy: { '/v1': SERVER, '/openapi.json': SERVER } },
})
