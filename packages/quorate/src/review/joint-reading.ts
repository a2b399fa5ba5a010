import { createHmac } from 'node:crypto'
import { canonicalJson } from '@quorate/certificate'
import type { ReviewOutcome } from '../contract/reviews.ts'
import type { Resolved } from '../store/reviews/reviews.ts'
import type { Store, StoredReview } from '../store/store.ts'
import { labelParts } from './open-answer-review.ts'
import { readOutcome } from './review-view.ts'

/*
 * Two people read a share of the items without knowing each other's answers. If they disagree, a third person reads the item.
 * The majority counts. Without a majority the label is "cannot tell", which never counts as right.
 */

/**
 * Whether a second person reads an item follows from a secret random number, as for spot checks, so nobody can predict it
 * before the first answer. Items that people sent to review are never read twice: everybody can see the first answer to them,
 * so a second reading would not be independent.
 */
export async function isReadTwice(
  { runs }: Pick<Store, 'runs'>,
  { runId, root, source }: Pick<StoredReview, 'runId' | 'root' | 'source'>,
  share: number,
): Promise<boolean> {
  if (!(share > 0) || source === 'request') return false
  const key = (await runs.samplingKeys(runId)).at(-1)
  if (key === undefined) return false
  const message = canonicalJson(['second-review', runId, root])
  const digits = createHmac('sha256', Buffer.from(key.key, 'hex')).update(message).digest('hex').slice(0, 13)
  return Number.parseInt(digits, 16) / 2 ** 52 < share
}

/** Two people agree if their keys are equal: they chose the same option, or graded the same answers of the panel as right. */
export function outcomeKey(outcome: ReviewOutcome): string {
  if (outcome.kind === 'option') return canonicalJson(['option', outcome.option])
  if (outcome.kind !== 'grades' && outcome.kind !== 'answer') return canonicalJson([outcome.kind])
  const right = (outcome.grades ?? []).filter((grade) => grade.right === true).map(({ answer }) => answer)
  return canonicalJson(['right', [...new Set(right)].sort()])
}

/** Combines the readings of one item. `decided` is the class of the open answer that was acted on. */
export function resolveReadings(
  reviews: readonly Pick<StoredReview, 'outcome' | 'by'>[],
  { decided, isReadTwice: isTwice }: { readonly decided: string | null; readonly isReadTwice: boolean },
): Resolved {
  const readings = reviews.flatMap(({ outcome, by }) => {
    if (outcome === null) return []
    const read = readOutcome(outcome)
    return [{ outcome: read, by, key: outcomeKey(read) }]
  })
  const count = (key: string) => readings.filter((one) => one.key === key).length
  const majority = readings.find(({ key }) => count(key) > readings.length / 2)
  const nextPart = readings.length === 1 && isTwice ? 2 : readings.length === 2 && majority === undefined ? 3 : null
  if (majority === undefined) {
    const label = {
      gold: null,
      verdict: 'cannot-tell',
      grades: null,
      text: null,
      by: readings.at(-1)?.by ?? null,
    } as const
    return { label, nextPart }
  }
  const { outcome, by } = majority
  return { label: { ...labelParts(outcome, decided), verdict: outcome.kind, by }, nextPart }
}
