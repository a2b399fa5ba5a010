import type { MonitorView } from '../contract/monitor.ts'
import type { Reviewer } from '../review/review-service.ts'
import type { Certified } from '../run/calibration/certified.ts'
import { createServices } from '../server/deciding/create-services.ts'
import type { Services } from '../server/services.ts'
import type { DemoDecision } from './decided.ts'
import type { DemoServices } from './demo-services.ts'

/** The simulated reviewer. Its reviews go through the same service as any other. */
const REVIEWER: Reviewer = Object.freeze({ name: 'demo', kind: 'human', role: 'reviewer' })
const NOTE = 'Simulated review: the demo knows the answer.'
/** Items that stay in the queue, for the user to see in the app. */
const LEFT = Object.freeze({ spotChecks: 10, deferrals: 50 })
const CLAIM_MS = 10 * 60_000
/** Nobody undoes a simulated review, so its label counts immediately. */
const UNDO_MS = 0

/** The results of reviews and monitors. */
export interface DemoReview {
  readonly reviewer: string
  /** Spot checks that were labelled. `left` more are waiting. */
  readonly labelled: number
  readonly left: number
  /** Deferrals that were labelled. */
  readonly deferrals: number
  readonly monitor: Pick<MonitorView, 'policy' | 'spotChecks' | 'queue'>
}

/** Makes this certificate the one that `quorate serve` decides with. The monitors start counting here, too. */
export function activate(services: DemoServices, certified: Certified): Promise<void> {
  return withServices(services, certified, () => Promise.resolve())
}

/**
 * Labels all but the last few spot checks of a run, in order of arrival, through the review service of the app. It labels
 * as many deferrals in between. Deferrals must be reviewed blind too, or a blind item would reveal that it is a spot check.
 * `log` is called with a text that describes the current step.
 */
export async function reviewDemo(
  services: DemoServices,
  certified: Certified,
  runId: string,
  decided: readonly DemoDecision[],
  log: (text: string) => void,
): Promise<DemoReview> {
  const sampled = await spotChecksOf(services, certified.id, runId, decided)
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
    return {
      reviewer: REVIEWER.name,
      labelled: labelled.length,
      left: sampled.length - labelled.length,
      deferrals: between.length,
      monitor: { policy, spotChecks, queue },
    }
  })
}

/** The sampled decisions in order of arrival. A batch arrives all at once, so its order of arrival is random. */
async function spotChecksOf(
  { store }: DemoServices,
  certificateId: string,
  runId: string,
  decided: readonly DemoDecision[],
): Promise<readonly DemoDecision[]> {
  const known = new Map(decided.filter(({ isSpotCheck }) => isSpotCheck).map((one) => [one.debate.id, one]))
  const sampled: DemoDecision[] = []
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

/** Runs `work` with the services behind the app, and stops them afterwards. They cannot debate. */
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
    claimMs: CLAIM_MS,
    undoMs: UNDO_MS,
    messagesOf: () => [],
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
