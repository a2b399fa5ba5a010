import type { LoadedConfig } from '../../config/load-config.ts'
import { everyModel } from '../../config/resolve-config.ts'
import { isLoopback } from '../../model/loopback.ts'
import { redactSecrets } from '../../model/redact-secrets.ts'
import { processWorld } from '../../panel/process-world.ts'
import { type Address, type Served, startServing } from '../../panel/start-serving.ts'
import type { ServiceTools } from '../../server/services.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { EXIT } from '../exit-code.ts'
import { surroundings } from '../terminal.ts'

/** Starts a server with the clock, the randomness and the IDs of this process. */
export async function serveFromTerminal(served: Served, address: Address): Promise<RunningServer> {
  if (!isLoopback(address.host)) surroundings().stderr.write(PLAIN_HTTP)
  return startServing(served, address, { world: processWorld() })
}

const PLAIN_HTTP =
  'quorate: warning: the server uses plain HTTP beyond loopback, so others on the network can read tokens and debates.\n' +
  '  Put a proxy with TLS in front of it. Without https nobody can sign in to the web app.\n'

export interface End {
  readonly stopping: AbortSignal
  readonly aborting: AbortSignal
  readonly signalled: Promise<void>
}

/** The first SIGINT or SIGTERM finishes the work in progress, the second exits immediately. */
export function listenForShutdown(): End {
  const stopping = new AbortController()
  const aborting = new AbortController()
  const signalled = new Promise<void>((resolve) => {
    const onSignal = () => {
      if (stopping.signal.aborted) process.exit(EXIT.interrupted)
      surroundings().stderr.write(
        'quorate: shutting down after the calls that are already paid for. Press Ctrl-C again to exit immediately\n',
      )
      stopping.abort()
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
  return { stopping: stopping.signal, aborting: aborting.signal, signalled }
}

export function log(line: object): void {
  surroundings().stderr.write(`${JSON.stringify({ kind: 'request', ...line })}\n`)
}

/** Logs problems without secrets: the values of all variables that the config names as secrets are redacted. */
export function reporter(loaded: LoadedConfig | null): ServiceTools['report'] {
  const env = loaded?.env ?? surroundings().env
  const names = [
    ...(loaded?.config.webhooks.map(({ secretEnv }) => secretEnv) ?? []),
    ...(loaded?.config.notices.map(({ urlEnv }) => urlEnv) ?? []),
    ...(loaded === null ? [] : everyModel(loaded.config.panel).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? [])),
  ]
  return (words, cause) => {
    const stack = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    const clean = cause === undefined ? {} : { cause: redactSecrets(stack, env, names) }
    surroundings().stderr.write(`${JSON.stringify({ kind: 'report', time: Date.now(), words, ...clean })}\n`)
  }
}
