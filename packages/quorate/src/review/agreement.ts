import { cohenKappa } from '@quorate/certificate'
import type { AgreementFigures, AgreementView } from '../contract/agreement.ts'
import { debateRoundsSchema } from '../record/debate.ts'
import { findStored } from '../record/parse-stored.ts'
import type { Millis, Store, StoredLabel, StoredReview } from '../store/store.ts'
import { outcomeKey } from './joint-reading.ts'
import { labelParts } from './open-answer-review.ts'
import { readOutcome } from './review-view.ts'

const CONFIDENCE = 0.95
const NO_ANSWER = 'no answer'

export interface AgreementOf {
  readonly now: Millis
  /** How long a review can be undone. It counts afterwards. */
  readonly undoMs: Millis
  /** Returns those of the questions that are hidden from the caller. Absent: none is. */
  readonly hidden?: (questionIds: readonly string[]) => Promise<ReadonlySet<string>>
}

/** How often people agree on items that several of them read, and how often agents agree with people on spot checks. */
export async function agreementOf(store: Store, { now, undoMs, hidden }: AgreementOf): Promise<AgreementView> {
  const withoutHidden = async <Row extends { readonly questionId: string }>(rows: readonly Row[]) => {
    const left = (await hidden?.(rows.map(({ questionId }) => questionId))) ?? new Set()
    return rows.filter(({ questionId }) => !left.has(questionId))
  }
  const answers = await withoutHidden(await store.reviews.jointAnswers(now))
  const items = byItem(answers).filter((readings) => readings.length > 1)
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
    agents: await agentsAgainstPeople(store, now - undoMs, withoutHidden),
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

/** The names are sorted, so that two people always form the same pair. */
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

/**
 * Kappa needs ratings that mean the same for every item. Classes of open answers do not, so an open answer is rated by whether
 * the decision was right; null: it cannot be rated.
 */
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

const LABELS_PER_PAGE = 500
const MOST_LABELS = 20_000
/** Labels after `until` are left out, because their reviews can still be undone. */
async function agentsAgainstPeople(
  store: Store,
  until: Millis,
  withoutHidden: (labels: readonly StoredLabel[]) => Promise<readonly StoredLabel[]>,
): Promise<AgreementView['agents']> {
  const latest = new Map<string, StoredLabel>()
  for (let after: string | null = null; latest.size < MOST_LABELS; ) {
    const query = { after, limit: LABELS_PER_PAGE, source: 'spot-check' } as const
    const page: readonly StoredLabel[] = await store.labels.list(query)
    for (const label of await withoutHidden(page)) {
      if (label.verdict === 'option' && label.at <= until)
        latest.set(JSON.stringify([label.runId, label.questionId]), label)
    }
    after = page.at(-1)?.id ?? null
    if (page.length < LABELS_PER_PAGE) break
  }
  const rated = new Map<string, [string, string][]>()
  for (const { runId, questionId, gold } of latest.values()) {
    const stored = runId === null || gold === null ? null : await store.debates.find(runId, questionId)
    const last = findStored(debateRoundsSchema, stored?.debate ?? null)?.rounds.at(-1) ?? []
    for (const { agent, answer } of last) {
      const own = rated.get(agent) ?? []
      rated.set(agent, own)
      own.push([answer ?? NO_ANSWER, gold ?? ''])
    }
  }
  return [...rated].map(([agent, pairs]) => ({ agent, ...figuresOf(pairs) }))
}
