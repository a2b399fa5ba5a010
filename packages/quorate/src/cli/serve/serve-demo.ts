import { createServer } from 'node:net'
import { loadConfig } from '../../config/load-config.ts'
import { USUAL_PORT } from '../../panel/start-serving.ts'
import type { Flags } from '../flags/parse-flags.ts'
import { surroundings } from '../terminal.ts'
import { type End, reporter, serveFromTerminal } from './serve-process.ts'
import { openServedStore, servedPanel, servedSettings } from './serve-setup.ts'

const HOST = '127.0.0.1'
const PORTS_TRIED = 20
const NO_FLAGS: Flags = new Map()

/** Whether a person at a terminal can stop the server. A script would wait forever. */
export function isWatched(flags: Flags): boolean {
  const isAutomatic = !['', '0', 'false'].includes(surroundings().env['CI']?.trim().toLowerCase() ?? '')
  return surroundings().stdout.isTTY === true && !isAutomatic && !flags.has('no-serve') && !flags.has('json')
}

/** Serves the app with the store of the demo until a signal, and opens it with `open`. It does not read the environment. */
export async function serveDemo(
  folder: string,
  { log, open, end }: { log: (text: string) => void; open: (url: string) => void; end: End },
): Promise<void> {
  const loaded = await loadConfig({ folder, env: {} })
  const store = await openServedStore(NO_FLAGS, loaded)
  try {
    const settings = servedSettings(NO_FLAGS, loaded)
    const panel = await servedPanel(NO_FLAGS, loaded)
    const allowed = { allowMismatch: false, allowSeen: false }
    const given = { store, panel, settings, certified: null, ...end, ...allowed, report: reporter(loaded) }
    const plain = {
      requiresToken: false,
      retainDays: null,
      webhooks: [],
      log: () => undefined,
      ...loaded.config.server,
    }
    const server = await serveFromTerminal(given, { ...plain, host: HOST, port: await freePort(USUAL_PORT) })
    log(`The app is open at ${server.url} until Ctrl-C.\n`)
    open(server.url)
    await end.signalled
    await server.stop()
  } finally {
    await store.close()
  }
}

/** The first free port from `first` on. If none of the tried ports is free, 0, for which the system chooses one. */
export async function freePort(first: number): Promise<number> {
  for (let port = first; port < first + PORTS_TRIED; port++) if (await isFree(port)) return port
  return 0
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, HOST, () => probe.close(() => resolve(true)))
  })
}
