import { build } from 'vite'

/** The web app, to where `quorate serve` looks for it. */
await build({ configFile: 'apps/web/vite.config.ts', logLevel: 'warn' })
