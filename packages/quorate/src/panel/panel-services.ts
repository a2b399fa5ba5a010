import type { ResolvedConfig } from '../config/resolve-config.ts'
import type { Environment } from '../model/redact-secrets.ts'
import { RunError } from '../run/run-plan.ts'
import type { CreateServices, DecisionService, Services } from '../server/services.ts'
import type { Panel } from './panel.ts'
import type { PanelWorld } from './process-world.ts'
import { type Served, serviceTools } from './start-serving.ts'

export interface PanelParts {
  readonly world: PanelWorld
  readonly config: ResolvedConfig
  readonly env: Environment
  readonly served: Served
}

/** The services that decide a panel's single questions. They exist once in a process, with or without a server. */
export interface PanelServices {
  /** Opens the store if it is not open yet. */
  parts(): Promise<PanelParts>
  decisions(): Promise<DecisionService>
  /** Lets a server create the services, which it then owns until it stops. Throws if they are already open. */
  createForServer(create: CreateServices): CreateServices
  /** Registers the `close` of a server that owns the services. The panel calls it first when it closes. */
  onClose(close: () => Promise<void>): void
  close(): Promise<void>
}

export function createPanelServices(parts: () => Promise<PanelParts>): PanelServices {
  let panelOwned: Promise<Services> | null = null
  let serverOwned: Promise<Services> | null = null
  const closers: (() => Promise<void>)[] = []

  async function open(): Promise<Services> {
    const { createServices } = await import('../server/deciding/create-services.ts')
    const { served, world } = await parts()
    const tools = serviceTools(served, world)
    // Only a server sends webhooks.
    return createServices({ ...tools, messagesOf: () => [], wakeSender: () => undefined })
  }

  return {
    parts,
    async decisions() {
      if (serverOwned !== null) return (await serverOwned).decisions
      const opening = panelOwned ?? open()
      panelOwned = opening
      opening.catch(() => {
        panelOwned = null
      })
      return (await opening).decisions
    },
    createForServer(create) {
      if (panelOwned !== null || serverOwned !== null) {
        throw new RunError(
          serverOwned === null
            ? 'createServer must come before the first panel.decide: the panel decides without a server already'
            : 'the panel has a server already: close it first',
        )
      }
      return (tools) => {
        const services = create(tools).then((made) => ({
          ...made,
          async stop() {
            serverOwned = null
            await made.stop()
          },
        }))
        serverOwned = services
        services.catch(() => {
          serverOwned = null
        })
        return services
      }
    },
    onClose: (close) => void closers.push(close),
    async close() {
      for (const close of closers) await close()
      const opened = await panelOwned?.catch(() => null)
      await opened?.stop()
    },
  }
}

const SERVICES = new WeakMap<Panel, PanelServices>()

export function rememberServices(panel: Panel, services: PanelServices): void {
  SERVICES.set(panel, services)
}

export function servicesOf(panel: Panel): PanelServices {
  const services = SERVICES.get(panel)
  if (services !== undefined) return services
  throw new RunError('createServer must be given a panel that createPanel made')
}
