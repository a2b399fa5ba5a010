import { canonicalJson, sha256 } from '@quorate/certificate'
import type { Certified } from '../../runs/certified.ts'
import { type Deciding, prepareDeciding } from '../../runs/deciding.ts'
import { openRun } from '../../runs/open-run.ts'
import { createJob, type Job } from '../../runs/run-job.ts'
import type { Run } from '../../store/store.ts'
import type { ServiceTools } from '../services.ts'

/** Runs of a server are found again by these instead of the questions, which come one by one. */
export function servedHash(kind: 'serve' | 'certify', certificateId: string): string {
  return sha256(canonicalJson([kind, certificateId]))
}

/** Nothing is known of the panels whose debates are certified. */
const CERTIFY_CONFIG = canonicalJson({ certify: true })
const CERTIFY_HASH = sha256(CERTIFY_CONFIG)

type Panel = Extract<ServiceTools['panel'], { readonly plan: unknown }>

export function findServingRun({ store }: Pick<ServiceTools, 'store'>, { plan }: Panel, certificateId: string) {
  const questionsHash = servedHash('serve', certificateId)
  return store.runs.latest({ configHash: plan.hash, questionsHash, kind: 'decide' })
}

/** Begins the run that our own panel's questions go into, or goes on with it. Mismatches are the policy's business. */
export async function openServing(tools: ServiceTools, panel: Panel, certified: Certified): Promise<Job> {
  const plan = { ...panel.plan, kind: 'decide' as const }
  const permissions = { allowMismatch: true, allowSeen: tools.allowSeen }
  const prepared = prepareDeciding(certified, { panel: plan.panel, rows: [] }, permissions)
  // What only a reply can tell, who served it, is still asked of each debate.
  const deciding: Deciding = { ...prepared, allowMismatch: tools.allowMismatch }
  const known = await findServingRun(tools, panel, certified.id)
  const isOpen = known !== null && known.status === 'open' && known.isShadow === plan.isShadow
  const intake = { rows: [], hash: servedHash('serve', certified.id) }
  const resume = isOpen ? ({ kind: 'id', id: known.id } as const) : ({ kind: 'new' } as const)
  const { store, now, newId } = tools
  const opened = await openRun(store, { plan, intake, deciding, resume, retryErrors: false, now, newId })
  return createJob(plan, { ...tools, models: panel.models, traffic: panel.traffic }, { opened, deciding })
}

export function findCertifyRun({ store }: Pick<ServiceTools, 'store'>, certificateId: string): Promise<Run | null> {
  const questionsHash = servedHash('certify', certificateId)
  return store.runs.latest({ configHash: CERTIFY_HASH, questionsHash, kind: 'decide' })
}

/** The run of debates that others hold and this certificate decides. */
export async function openCertifyRun(tools: ServiceTools, certified: Certified): Promise<Run> {
  const { store, now, newId, settings } = tools
  const known = await findCertifyRun(tools, certified.id)
  if (known !== null && known.status === 'open') {
    // The process may have ended between its two first commits.
    if ((await store.ledger.head(known.id)) === null) await logOpening(tools, known)
    return known
  }
  const { id: certificateId, file } = certified
  await store.certificates.save({ id: certificateId, file, at: now(), runId: null })
  const run: Run = {
    ...{ id: newId(), kind: 'decide', createdAt: now(), configHash: CERTIFY_HASH, config: CERTIFY_CONFIG },
    ...{ questionsHash: servedHash('certify', certificateId), certificateId, isShadow: false },
    ...{ seed: settings.seed, status: 'open' },
  }
  await store.runs.create(run, [])
  await logOpening(tools, run)
  return run
}

async function logOpening({ store, now, settings }: ServiceTools, run: Run): Promise<void> {
  const { kind, configHash, questionsHash, certificateId, isShadow, seed } = run
  const about = { kind, configHash, questionsHash, certificateId, isShadow, seed }
  const body = { ...about, certify: true, questions: 0, spotCheckRate: settings.spotCheckRate, drawn: 0 }
  await store.ledger.append({ runId: run.id, kind: 'run-opened', at: now(), body, texts: [] })
}
