import { build } from 'vite'

/** The web app, to where `quorate serve` looks for it; for production, whatever the environment of the caller. */
process.env.NODE_ENV = 'production'
await build({ configFile: 'apps/web/vite.config.ts', logLevel: 'warn' })
