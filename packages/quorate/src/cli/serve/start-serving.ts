import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import type { LoadedConfig } from '../../config/load-config.ts'
import { packagePath, packageVersion } from '../../files/package-version.ts'
import { redactSecrets } from '../../model/redact-secrets.ts'
import { isLoopback } from '../../server/access/own-address.ts'
import type { ServiceTools } from '../../server/services.ts'
import type { RunningServer, ServerOptions } from '../../server/start-server.ts'
import { plainText } from '../../text/plain-text.ts'
import { EXIT } from '../exit-code.ts'
import { createIds, newKey, newSalt } from '../identity.ts'
import { surroundings } from '../terminal.ts'

export const USUAL_PORT = 4711
const LOCK_MS = 10 * 60_000
const UNDO_MS = 10_000

type Given = Pick<
  ServiceTools,
  'store' | 'panel' | 'certified' | 'settings' | 'stopping' | 'aborting' | 'report' | 'allowMismatch' | 'allowSeen'
>
type Address = Pick<
  ServerOptions,
  'host' | 'port' | 'publicOrigin' | 'connectionsPerAddress' | 'requiresToken' | 'retainDays' | 'webhooks' | 'log'
>

/** A server with the clock, chance and names of this process. */
export async function startServing(given: Given, address: Address): Promise<RunningServer> {
  // Loaded here, so that --help need not wait for it.
  const { startServer } = await import('../../server/start-server.ts')
  const { createServices } = await import('../../server/deciding/create-services.ts')
  const { timerSleep } = await import('../../traffic/timer-sleep.ts')
  const tools = {
    ...given,
    now: Date.now,
    sleep: timerSleep,
    newId: createIds(),
    newSalt,
    newKey,
    lockMs: LOCK_MS,
    undoMs: UNDO_MS,
    operator: operatorName(),
  }
  if (!isLoopback(address.host)) surroundings().stderr.write(PLAIN_HTTP)
  return startServer(createServices, tools, {
    ...address,
    random: Math.random,
    web: await builtApp(),
    version: packageVersion(),
    stopwatch: () => performance.now(),
    newSecret: () => randomBytes(32).toString('base64url'),
  })
}

/** The account that runs this process; some have no name. */
function operatorName(): string {
  try {
    return plainText(userInfo().username) || 'operator'
  } catch {
    // The account is in no list of users, as in some containers.
    return 'operator'
  }
}

const PLAIN_HTTP =
  'quorate: warning: this is plain HTTP off loopback: whoever is on the way can read tokens and debates.\n' +
  '  Put a proxy with TLS in front of it; without https nobody can sign in to the web app.\n'

export interface End {
  readonly stopping: AbortSignal
  readonly aborting: AbortSignal
  readonly heard: Promise<void>
}

/** SIGINT and SIGTERM: the first finishes what is begun, the second ends at once. */
export function hearEnd(): End {
  const stopping = new AbortController()
  const aborting = new AbortController()
  const heard = new Promise<void>((resolve) => {
    const hear = () => {
      if (stopping.signal.aborted) process.exit(EXIT.interrupted)
      surroundings().stderr.write(
        'quorate: ending: what is begun and paid for is finished; Ctrl-C again ends at once\n',
      )
      stopping.abort()
      resolve()
    }
    process.on('SIGINT', hear)
    process.on('SIGTERM', hear)
  })
  return { stopping: stopping.signal, aborting: aborting.signal, heard }
}

export function log(line: object): void {
  surroundings().stderr.write(`${JSON.stringify({ kind: 'request', ...line })}\n`)
}

/** Secrets of the config's variables are in no line, whatever the variables are called. */
export function reporter(loaded: LoadedConfig | null): ServiceTools['report'] {
  const env = loaded?.env ?? surroundings().env
  const names = [
    ...(loaded?.config.webhooks.map(({ secretEnv }) => secretEnv) ?? []),
    ...(loaded?.config.panel.agents.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []) ?? []),
  ]
  return (words, cause) => {
    const told = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    const clean = cause === undefined ? {} : { cause: redactSecrets(told, env, names) }
    surroundings().stderr.write(`${JSON.stringify({ kind: 'report', time: Date.now(), words, ...clean })}\n`)
  }
}

/** The folder that the build puts the app into, from the sources as from the built package. */
async function builtApp() {
  const { loadWebFiles } = await import('../../server/web-files.ts')
  return loadWebFiles(packagePath('dist/web'))
}
