import { canonicalJson, sha256 } from '@quorate/certificate'
import type { Certified } from '../../run/calibration/certified.ts'
import { prepareServing } from '../../run/deciding.ts'
import { allRuns } from '../../run/find-run.ts'
import type { OpenRunOptions } from '../../run/open-run.ts'
import type { RunPlan } from '../../run/run-plan.ts'
import { commitmentOf, isSampled } from '../../run/take-in.ts'
import type { NewQuestion, Run, SamplingKey, Store } from '../../store/store.ts'
import type { Identity } from '../access/identity.ts'
import type { ServiceTools } from '../services.ts'

/** Runs of a server are found again by these instead of the questions, which come one by one. */
export function servedHash(kind: 'serve' | 'certify', certificateId: string): string {
  return sha256(canonicalJson([kind, certificateId]))
}

/** The token that posts debates: a renewed one of the same name and kind goes on where the last one ended. */
export type Poster = Pick<Identity, 'name' | 'kind' | 'isLocal'>

/**
 * Each poster has runs of their own, and so a space of ids of their own: nobody can take the ids of another service, or
 * compare a guess with what another token posted. Nothing is known of the panels whose debates are certified.
 */
function certifyConfig({ name, kind, isLocal }: Poster): string {
  return canonicalJson({ certify: true, postedBy: { name, kind, isLocal } })
}

type Panel = { readonly plan: RunPlan }

export function findServingRun({ store }: ServiceTools, { plan }: Panel, certificateId: string) {
  const questionsHash = servedHash('serve', certificateId)
  return store.runs.latest({ configHash: plan.hash, questionsHash, kind: 'decide' })
}

/** How the run is opened that our own panel's questions go into: the one that there is, else a new one. */
export async function servingOptions(tools: ServiceTools, panel: Panel, certified: Certified) {
  const plan = { ...panel.plan, kind: 'decide' as const }
  const deciding = prepareServing(certified, plan.panel, tools.allowMismatch)
  const known = await findServingRun(tools, panel, certified.id)
  const isOpen = known !== null && known.status === 'open' && known.isShadow === plan.isShadow
  const intake = { rows: [], hash: servedHash('serve', certified.id) }
  const resume = isOpen ? ({ kind: 'id', id: known.id } as const) : ({ kind: 'new' } as const)
  const { now, newId, newKey } = tools
  return { plan, intake, deciding, resume, retryErrors: false, now, newId, newKey } satisfies OpenRunOptions
}

/** The run of debates that this token posts and this certificate decides. */
export async function openCertifyRun(tools: ServiceTools, certified: Certified, poster: Poster): Promise<Run> {
  const { store, now, newId, newKey, settings } = tools
  const config = certifyConfig(poster)
  const configHash = sha256(config)
  const questionsHash = servedHash('certify', certified.id)
  const known = await store.runs.latest({ configHash, questionsHash, kind: 'decide' })
  if (known !== null && known.status === 'open') {
    // The process may have ended between its two first commits.
    if ((await store.ledger.head(known.id)) === null) await logOpening(tools, known, poster)
    return known
  }
  const { id: certificateId, file } = certified
  await store.certificates.save({ id: certificateId, file, at: now(), runId: null })
  const run: Run = {
    id: newId(),
    kind: 'decide',
    createdAt: now(),
    configHash,
    config,
    questionsHash,
    certificateId,
    isShadow: false,
    seed: settings.seed,
    status: 'open',
  }
  await store.runs.create({ ...run, samplingKey: newKey() }, [])
  await logOpening(tools, run, poster)
  return run
}

/** A run has one poster, so its first row says who posted every debate of it. */
async function logOpening({ store, now, settings }: ServiceTools, run: Run, postedBy: Poster): Promise<void> {
  const { kind, configHash, questionsHash, certificateId, isShadow, seed } = run
  const about = { kind, configHash, questionsHash, certificateId, isShadow, seed }
  const [first] = await store.runs.samplingKeys(run.id)
  const samplingCommitment = first === undefined ? null : commitmentOf(first.key)
  const { spotCheckRate } = settings
  const body = { ...about, certify: true, postedBy, questions: 0, spotCheckRate, samplingCommitment }
  await store.ledger.append({ runId: run.id, kind: 'run-opened', at: now(), body, texts: [] })
}

/** Tosses the coins of questions that come one by one. */
export interface Sampler {
  toss(runId: string, questionId: string): Promise<SampledQuestion>
  /** Replaces keys that are a day old and were used, so that bundles disclose them, also of runs that nobody asks. */
  retireKeys(): Promise<void>
}

type SampledQuestion = Required<Pick<NewQuestion, 'isSpotCheck' | 'samplingKey' | 'samplingRate'>>

/** A run that takes questions as they come never closes: so long after it began, a key is replaced and disclosed. */
const KEY_PERIOD_MS = 86_400_000

export function createSampler({ store, now, newKey, settings }: ServiceTools): Sampler {
  const current = new Map<string, SamplingKey>()

  async function latest(runId: string): Promise<SamplingKey> {
    const key = (await store.runs.samplingKeys(runId)).at(-1)
    if (key === undefined) throw new Error(`run ${runId} has no sampling key: it was not opened by a server`)
    current.set(runId, key)
    return key
  }

  async function replaced({ runId, number }: SamplingKey): Promise<SamplingKey> {
    const at = now()
    const next = { runId, number: number + 1, key: newKey(), createdAt: at }
    const body = { number: next.number, commitment: commitmentOf(next.key) }
    await store.runs.addSamplingKey(next, { runId, kind: 'sampling-key', at, body, texts: [] })
    // Another process may have been first: its key is the one.
    return latest(runId)
  }

  const isOld = ({ createdAt }: SamplingKey) => now() - createdAt >= KEY_PERIOD_MS

  return {
    async toss(runId, questionId) {
      const known = current.get(runId) ?? (await latest(runId))
      const { key, number } = isOld(known) ? await replaced(known) : known
      const { spotCheckRate } = settings
      const samplingRate = spotCheckRate
      return { isSpotCheck: isSampled(questionId, { runId, key, spotCheckRate }), samplingKey: number, samplingRate }
    },
    async retireKeys() {
      for await (const run of allRuns(store)) {
        if (run.status !== 'open' || !isServed(run)) continue
        const key = await latest(run.id)
        if (isOld(key) && (await isUsed(store, key))) await replaced(key)
      }
    },
  }
}

function isServed({ certificateId, questionsHash }: Run): boolean {
  return certificateId !== null && SERVED.some((kind) => servedHash(kind, certificateId) === questionsHash)
}

const SERVED = ['serve', 'certify'] as const

/** Whether the latest question of the run was tossed with it. */
async function isUsed({ runs }: Store, { runId, number }: SamplingKey): Promise<boolean> {
  return (await runs.lastSamplingKey(runId)) === number
}
