import { defineConfig } from 'vite'

/** The server of a checkout, for `vite` beside `quorate serve`. */
const SERVER = 'http://127.0.0.1:4711'

export default defineConfig({
  root: import.meta.dirname,
  // The certificate and the contract come from their sources: nothing has to be built first.
  resolve: { conditions: ['quorate-source', 'module', 'browser', 'development|production'] },
  worker: { format: 'es' },
  build: {
    outDir: '../../packages/quorate/dist/web',
    emptyOutDir: true,
    // Styles and scripts are files of our own: the content security policy allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // Marks for servers that render React; there is none.
    rolldownOptions: {
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
  server: { host: '127.0.0.1', proxy: { '/v1': SERVER, '/openapi.json': SERVER } },
})
