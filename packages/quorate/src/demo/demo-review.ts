import type { MonitorView } from '../contract/monitor.ts'
import type { Reviewer } from '../review/review-service.ts'
import type { Certified } from '../run/calibration/certified.ts'
import { createServices } from '../server/deciding/create-services.ts'
import type { Services } from '../server/services.ts'
import type { Decided } from './decided.ts'
import type { DemoServices } from './demo-services.ts'

/** The simulated person. Their reviews go the way of any other. */
const REVIEWER: Reviewer = Object.freeze({ name: 'demo', kind: 'human', role: 'reviewer' })
const NOTE = 'Simulated review: the demo knows the answer.'
/** What is left for the reader of the app. */
const LEFT = Object.freeze({ spotChecks: 10, deferrals: 50 })
const LOCK_MS = 10 * 60_000
/** Nobody takes a simulated review back, so its label counts at once. */
const UNDO_MS = 0

/** What people and monitors made of the decisions. */
export interface DemoReview {
  readonly reviewer: string
  /** Spot checks that were labelled, and that wait. */
  readonly labelled: number
  readonly left: number
  /** Deferrals that were labelled. */
  readonly deferrals: number
  readonly monitor: Pick<MonitorView, 'policy' | 'spotChecks' | 'queue'>
}

export interface Reviewing {
  readonly runId: string
  readonly decided: readonly Decided[]
  /** Called with what is being done. */
  readonly log: (text: string) => void
}

/** What `quorate serve` would decide with from here on; the monitors count from here, too. */
export function activate(services: DemoServices, certified: Certified): Promise<void> {
  return withServices(services, certified, () => Promise.resolve())
}

/**
 * Labels the spot checks of a run but for the last few, in order of arrival, through the review service that the app has, and as
 * many deferrals in between: they too are handed out blind, or blind would mean spot check.
 */
export async function reviewDemo(
  services: DemoServices,
  certified: Certified,
  { runId, decided, log }: Reviewing,
): Promise<DemoReview> {
  const sampled = await spotChecksOf(services, { runId, decided, certificateId: certified.id })
  const labelled = sampled.slice(0, -LEFT.spotChecks)
  const deferred = decided.filter(({ isSpotCheck, decision }) => !isSpotCheck && decision.kind === 'defer')
  const between = deferred.slice(0, -LEFT.deferrals).slice(0, labelled.length)
  return withServices(services, certified, async ({ reviews, monitor }) => {
    for (const [index, spotCheck] of labelled.entries()) {
      services.world.stopping.throwIfAborted()
      log(`reviewing spot checks, ${index + 1} of ${labelled.length}`)
      for (const { debate } of [spotCheck, ...between.slice(index, index + 1)]) {
        const item = await services.store.reviews.latestOf(runId, debate.id)
        await review(reviews, item?.id ?? '', debate.gold)
      }
    }
    const { policy, spotChecks, queue } = await monitor()
    const counts = { labelled: labelled.length, left: sampled.length - labelled.length, deferrals: between.length }
    return { reviewer: REVIEWER.name, ...counts, monitor: { policy, spotChecks, queue } }
  })
}

/** Those that were sampled, in order of arrival: a batch arrives at once, and is numbered by lot. */
async function spotChecksOf(
  { store }: DemoServices,
  { runId, decided, certificateId }: Pick<Reviewing, 'runId' | 'decided'> & { readonly certificateId: string },
): Promise<readonly Decided[]> {
  const known = new Map(decided.filter(({ isSpotCheck }) => isSpotCheck).map((one) => [one.debate.id, one]))
  const sampled: Decided[] = []
  for (let after = 0; ; ) {
    const page = await store.runs.spotChecks({ certificateId, after, limit: PAGE })
    for (const spotCheck of page) {
      const found = spotCheck.runId === runId ? known.get(spotCheck.questionId) : undefined
      if (found !== undefined) sampled.push(found)
    }
    after = page.at(-1)?.arrival ?? after
    if (page.length < PAGE) return sampled
  }
}

const PAGE = 500

async function review(reviews: Services['reviews'], id: string, option: string): Promise<void> {
  const claimed = await reviews.claim(id, REVIEWER)
  const outcome = { kind: 'option', option } as const
  const answer = claimed.kind === 'done' ? await reviews.submit(id, REVIEWER, { outcome, note: NOTE }) : claimed
  if (answer.kind !== 'done') throw new Error(`demo: a review was refused: ${answer.kind}`)
}

/** What stands behind the pages of the app, for as long as the work takes. Nothing is debated there. */
async function withServices<Result>(
  { store, config, world }: DemoServices,
  certified: Certified,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const { now, sleep, newId, newSalt, newKey, stopping, aborting } = world
  const { budget, profile, spotCheckRate, maxClaims, secondShare, seed } = config
  const services = await createServices({
    store,
    now,
    sleep,
    newId,
    newSalt,
    newKey,
    stopping,
    aborting,
    certified,
    operator: REVIEWER.name,
    settings: { budget, profile, spotCheckRate, maxClaims, secondShare, seed },
    panel: { missing: 'the demo debates by itself' },
    allowSeen: false,
    allowMismatch: false,
    lockMs: LOCK_MS,
    undoMs: UNDO_MS,
    announce: () => [],
    wakeSender: () => undefined,
    report: (words, cause) => {
      throw new Error(`demo: ${words}`, { cause })
    },
  })
  try {
    return await work(services)
  } finally {
    await services.stop()
  }
}
