import { isLoopback } from '../model/loopback.ts'
import { RunError } from '../run/run-plan.ts'
import { allTokens, isValid } from '../server/access/credentials.ts'
import type { Panel } from './panel.ts'
import { servicesOf } from './panel-services.ts'
import { serverWebhooks, startServing, USUAL_PORT } from './start-serving.ts'

export interface PanelServerOptions {
  /** The panel whose questions, decisions and reviews are served. From then on `panel.decide` uses the server's services. */
  readonly panel: Panel
  /** Absent: 127.0.0.1. On other addresses every request needs a token, and a TLS proxy belongs in front of the server. */
  readonly host?: string
  /** Absent: 4711. 0: any free port. */
  readonly port?: number
  /** Requires a token on loopback too, for a machine that others use. */
  readonly requireToken?: boolean
  /** Erases the texts of debates older than this, once a day. Absent: they are kept. */
  readonly retainDays?: number
  /** Called with each request. Absent: nothing is logged. */
  readonly log?: (line: object) => void
}

export interface PanelServer {
  /** The address that people open in a browser. */
  readonly url: string
  /** Answers requests that have arrived and finishes paid calls. The panel and its store stay open. */
  close(): Promise<void>
}

/** Serves the web app and the HTTP API of a panel: what `quorate serve` starts. */
export async function createServer(options: PanelServerOptions): Promise<PanelServer> {
  const { panel, host = '127.0.0.1', port = USUAL_PORT, requireToken = false, retainDays = null, log } = options
  const services = servicesOf(panel)
  const { world, config, env, served } = await services.parts()
  const webhooks = serverWebhooks(config, env, (words) => new RunError(words))
  const requiresToken = requireToken || !isLoopback(host) || config.server.publicOrigin !== null
  if (requiresToken && !(await allTokens(served.store)).some((token) => isValid(token, world.now()))) {
    throw new RunError(
      'createServer: no valid token exists, and everybody needs one off loopback, behind a proxy and with requireToken: ' +
        'run "quorate token create --name NAME --role admin --kind human" first',
    )
  }
  const { createServices } = await import('../server/deciding/create-services.ts')
  const ending = new AbortController()
  const stopping = AbortSignal.any([served.stopping, ending.signal])
  const address = { ...config.server, host, port, requiresToken, retainDays, webhooks, log: log ?? (() => undefined) }
  const server = await startServing({ ...served, stopping }, address, {
    world,
    create: services.createForServer(createServices),
  })
  let closing: Promise<void> | null = null
  const close = () => {
    ending.abort()
    closing ??= server.stop()
    return closing
  }
  services.onClose(close)
  return { url: server.url, close }
}
