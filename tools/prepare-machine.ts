import { findBrowser } from './browser.ts'
import { findPostgres } from './postgres.ts'
import { findProxy } from './proxy.ts'
import { findPython } from './python.ts'

// Installs what `npm test` needs beside Node, one package after the other. `tools/test.ts` runs it beside the first checks.
for (const find of [findBrowser, findPostgres, () => findProxy('nginx'), () => findProxy('caddy'), findPython]) {
  try {
    find()
  } catch {
    // A missing program is an error under CI=true. The suites that need it report it.
  }
}
