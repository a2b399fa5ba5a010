import { canonicalJson, sha256 } from '@quorate/certificate'
import { DAY_MS } from '../../record/day.ts'
import type { QuestionSampling } from '../../record/run.ts'
import type { Certified } from '../../run/calibration/certified.ts'
import { prepareServing } from '../../run/deciding.ts'
import { allRuns } from '../../run/find-run.ts'
import { commitmentOf, isSampled } from '../../run/intake.ts'
import type { OpenRunOptions } from '../../run/open-run.ts'
import type { RunPlan } from '../../run/run-plan.ts'
import type { Run, SamplingKey, Store } from '../../store/store.ts'
import type { Identity } from '../access/identity.ts'
import type { ServiceTools } from '../services.ts'

/** Identifies the run of a server instead of a hash of its questions, which arrive one by one. */
export function servedHash(kind: 'serve' | 'certify', certificateId: string): string {
  return sha256(canonicalJson([kind, certificateId]))
}

/** The token that posts debates. A renewed token with the same name and kind continues its runs. */
export type Poster = Pick<Identity, 'name' | 'kind' | 'isLocal'>

/**
 * Each poster has its own runs and thereby its own namespace of ids. So nobody can occupy the ids of another service, or
 * compare a guess with what another token posted. The config says nothing else, because the panels of posted debates are
 * unknown.
 */
function certifyConfig({ name, kind, isLocal }: Poster): string {
  return canonicalJson({ certify: true, postedBy: { name, kind, isLocal } })
}

type ServedPanel = { readonly plan: RunPlan }

export function findServingRun({ store }: ServiceTools, { plan }: ServedPanel, certificateId: string) {
  const questionsHash = servedHash('serve', certificateId)
  return store.runs.latest({ configHash: plan.hash, questionsHash, kind: 'decide' })
}

/** How to open the run for questions of the server's own panel: the existing one, else a new one. */
export async function servingOptions(tools: ServiceTools, panel: ServedPanel, certified: Certified) {
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
    // An earlier process may have ended between the two commits that open a run.
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

/** A run has one poster, so its first ledger row names who posted all its debates. */
async function logOpening({ store, now, settings }: ServiceTools, run: Run, postedBy: Poster): Promise<void> {
  const { kind, configHash, questionsHash, certificateId, isShadow, seed } = run
  const about = { kind, configHash, questionsHash, certificateId, isShadow, seed }
  const [first] = await store.runs.samplingKeys(run.id)
  const samplingCommitment = first === undefined ? null : commitmentOf(first.key)
  const { spotCheckRate } = settings
  const body = { ...about, certify: true, postedBy, questions: 0, spotCheckRate, samplingCommitment }
  await store.ledger.append({ runId: run.id, kind: 'run-opened', at: now(), body, texts: [] })
}

/** Selects spot checks among questions that arrive one by one. */
export interface Sampler {
  sample(runId: string, questionId: string): Promise<QuestionSampling>
  /** Replaces used keys that are a day old, even in runs without new questions, so that bundles can disclose them. */
  retireKeys(): Promise<void>
}

/** A run that accepts questions as they arrive never closes, so its key is replaced and disclosed after this time. */
const KEY_PERIOD_MS = DAY_MS

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
    // If another process was first, its key is the one that counts.
    return latest(runId)
  }

  const isOld = ({ createdAt }: SamplingKey) => now() - createdAt >= KEY_PERIOD_MS

  return {
    async sample(runId, questionId) {
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

/** Whether the latest question of the run was sampled with it. */
async function isUsed({ runs }: Store, { runId, number }: SamplingKey): Promise<boolean> {
  return (await runs.lastSamplingKey(runId)) === number
}
