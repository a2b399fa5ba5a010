import { cohenKappa } from '@quorate/certificate'
import type { AgreementFigures, AgreementView } from '../contract/agreement.ts'
import { debateSchema } from '../record/debate.ts'
import { findStored } from '../record/parse-stored.ts'
import type { Millis, Store, StoredLabel, StoredReview } from '../store/store.ts'
import { outcomeKey } from './joint-reading.ts'
import { labelParts } from './open-answers.ts'
import { readOutcome } from './review-view.ts'

const CONFIDENCE = 0.95
const NO_ANSWER = 'no answer'

export interface AgreementOf {
  readonly now: Millis
  /** How long a review can be undone: it counts afterwards. */
  readonly undoMs: Millis
  /** Those of the questions that are kept from who asks. Absent: none. */
  readonly hidden?: (questionIds: readonly string[]) => Promise<ReadonlySet<string>>
}

/** How far people agree with each other where two read the same item, and agents with people on spot checks. */
export async function agreementOf(store: Store, { now, undoMs, hidden }: AgreementOf): Promise<AgreementView> {
  const isShown = async <Of extends { readonly questionId: string }>(rows: readonly Of[]) => {
    const kept = (await hidden?.(rows.map(({ questionId }) => questionId))) ?? new Set()
    return rows.filter(({ questionId }) => !kept.has(questionId))
  }
  const items = byItem(await isShown(await store.reviews.jointAnswers(now))).filter((readings) => readings.length > 1)
  const pairs = new Map<string, { readonly reviewers: [string, string]; readonly rated: [string, string][] }>()
  let disagreed = 0
  for (const readings of items) {
    const [first, second] = readings
    if (first === undefined || second === undefined) continue
    const outcomes = readings.map(({ outcome }) => readOutcome(outcome ?? ''))
    const [one, other] = outcomes
    if (one !== undefined && other !== undefined && outcomeKey(one) !== outcomeKey(other)) disagreed += 1
    const decided = (await store.decisions.find(first.runId, first.questionId))?.answer ?? null
    const rated = readings.flatMap(({ by }, at) => {
      const rating = ratingOf(outcomes[at], decided)
      return by === null || rating === null ? [] : [{ by, rating }]
    })
    for (const [place, left] of rated.entries()) {
      for (const right of rated.slice(place + 1)) addPair(pairs, left, right)
    }
  }
  return {
    confidence: CONFIDENCE,
    people: [...pairs.values()]
      .map(({ reviewers, rated }) => ({ reviewers, ...figuresOf(rated) }))
      .sort((left, right) => right.items - left.items),
    agents: await agentsBesidePeople(store, { until: now - undoMs, isShown }),
    readTwice: items.length,
    disagreed,
  }
}

function byItem(reviews: readonly StoredReview[]): StoredReview[][] {
  const items = new Map<string, StoredReview[]>()
  for (const review of reviews) items.set(review.root, [...(items.get(review.root) ?? []), review])
  return [...items.values()]
}

interface Rated {
  readonly by: string
  readonly rating: string
}

/** In the order of names, so that one pair of people is one pair. */
function addPair(
  pairs: Map<string, { readonly reviewers: [string, string]; readonly rated: [string, string][] }>,
  one: Rated,
  other: Rated,
): void {
  const [left, right] = one.by < other.by ? [one, other] : [other, one]
  const key = JSON.stringify([left.by, right.by])
  const pair = pairs.get(key) ?? { reviewers: [left.by, right.by], rated: [] }
  pairs.set(key, pair)
  pair.rated.push([left.rating, right.rating])
}

/** Kappa needs ratings that mean the same for every item. Classes do not, so open answers are rated by what was decided. */
function ratingOf(outcome: ReturnType<typeof readOutcome> | undefined, decided: string | null): string | null {
  if (outcome === undefined) return null
  if (outcome.kind === 'option') return JSON.stringify(['option', outcome.option])
  if (outcome.kind === 'cannot-tell' || outcome.kind === 'bad-question') return outcome.kind
  if (decided === null) return null
  const { gold } = labelParts(outcome, decided)
  return gold === null ? 'cannot-tell' : gold === decided ? 'right' : 'wrong'
}

function figuresOf(rated: readonly (readonly [string, string])[]): AgreementFigures {
  const agreed = rated.filter(([one, other]) => one === other).length
  const found = cohenKappa(rated, CONFIDENCE)
  const kappa =
    found === null ? null : { value: found.kappa, lower: found.lower, upper: found.upper, byChance: found.byChance }
  return { items: rated.length, agreed, kappa }
}

/** Labels that are read at once, and at most. */
const PAGE = 500
const MOST_LABELS = 20_000
const roundsSchema = debateSchema.pick({ rounds: true })

interface Labels {
  /** Later ones can still be undone. */
  readonly until: Millis
  readonly isShown: (labels: readonly StoredLabel[]) => Promise<readonly StoredLabel[]>
}

async function agentsBesidePeople(store: Store, { until, isShown }: Labels): Promise<AgreementView['agents']> {
  const latest = new Map<string, StoredLabel>()
  for (let after: string | null = null; latest.size < MOST_LABELS; ) {
    const page: readonly StoredLabel[] = await store.labels.list({ after, limit: PAGE, source: 'spot-check' })
    for (const label of await isShown(page)) {
      if (label.verdict === 'option' && label.at <= until)
        latest.set(JSON.stringify([label.runId, label.questionId]), label)
    }
    after = page.at(-1)?.id ?? null
    if (page.length < PAGE) break
  }
  const rated = new Map<string, [string, string][]>()
  for (const { runId, questionId, gold } of latest.values()) {
    const stored = runId === null || gold === null ? null : await store.debates.find(runId, questionId)
    const last = findStored(roundsSchema, stored?.debate ?? null)?.rounds.at(-1) ?? []
    for (const { agent, answer } of last) {
      const own = rated.get(agent) ?? []
      rated.set(agent, own)
      own.push([answer ?? NO_ANSWER, gold ?? ''])
    }
  }
  return [...rated].map(([agent, pairs]) => ({ agent, ...figuresOf(pairs) }))
}
