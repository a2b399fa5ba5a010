import type { LoadedConfig } from '../../config/load-config.ts'
import type { RunPlan } from '../../run/run-plan.ts'
import type { ServiceTools } from '../../server/services.ts'
import type { Target } from '../../server/webhooks/announce.ts'
import type { Store } from '../../store/store.ts'
import { programName } from '../command-line.ts'
import type { Flags } from '../flags/parse-flags.ts'
import { UsageError } from '../usage-error.ts'
import { planOf, servedPanel } from './serve-setup.ts'

/** Once the store is open. */
export type OpenPanel = (tools: {
  readonly store: Store
  readonly webhooks: readonly Target[]
  readonly report: ServiceTools['report']
}) => Promise<OpenedPanel>

export interface OpenedPanel {
  readonly panel: ServiceTools['panel']
  /** After the server. */
  stop(): Promise<void>
}

/** Who debates questions: this process or, with --detach, workers, whose keys it does not need. */
export async function panelOpener(flags: Flags, loaded: LoadedConfig | null): Promise<OpenPanel> {
  if (!flags.has('detach')) {
    const panel = await servedPanel(flags, loaded)
    return async () => ({ panel, stop: async () => undefined })
  }
  if (loaded === null) {
    throw new UsageError(`--detach needs the config of the workers' panel: make one with "${programName()} init"`)
  }
  const { checkPrices } = await import('../../run/run-context.ts')
  const plan = planOf(loaded, flags)
  checkPrices(plan)
  return (tools) => openQueued(plan, { ...tools, allowSeen: flags.has('allow-seen') })
}

const ONE_FILE =
  '--detach leaves debates to workers, which share PostgreSQL with the server, and this store is one file: set ' +
  'QUORATE_STORE to postgres://USER@HOST/DATABASE, the same for every worker, or leave out --detach'

async function openQueued(
  plan: RunPlan,
  { store, webhooks, report, allowSeen }: Parameters<OpenPanel>[0] & { readonly allowSeen: boolean },
): Promise<OpenedPanel> {
  const { openQueue } = await import('../../run/workers/job-queue.ts')
  const { questionsForWorkers } = await import('../../run/workers/served-questions.ts')
  const { namedTarget } = await import('../../server/webhooks/announce.ts')
  if (store.shared === null) throw new UsageError(ONE_FILE)
  const { jobs: database } = store.shared
  const failed = (error: unknown) => report('the queue of the workers cannot be reached', error)
  const queue = await openQueue({ database, configHash: plan.hash, isWorker: false, failed })
  const terms = { allowSeen, targets: webhooks.map(namedTarget) }
  const elsewhere = questionsForWorkers({ store, queue, terms, configHash: plan.hash })
  return { panel: { plan, elsewhere }, stop: () => queue.stop() }
}
