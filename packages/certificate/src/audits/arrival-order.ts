import { labelsOf, questionKeys, type ReadDebate } from '../certificate/read-debates.ts'
import type { DraftCheck } from './draft-check.ts'
/** The questions in the order of the file. If a question has several runs, only its first counts. */
export interface ArrivalOrder {
  readonly count: number
  /** 1 where the panel's last answer was right. */
  readonly right: Float64Array
  /** Agreement (p1) after the first round. */
  readonly agreement: Float64Array
  /** Number of each question's group; null when there are fewer than two groups. */
  readonly group: Uint32Array | null
}

export function arrivalOrder(debates: readonly ReadDebate[], questionOf?: (id: string) => string): ArrivalOrder {
  const keys = questionKeys(debates, questionOf, 'audit')
  const seen = new Set<string>()
  const first = debates.filter((_, row) => seen.size < seen.add(keys[row]!).size)
  const numbers = new Map<string | null, number>()
  for (const { record } of first) if (!numbers.has(record.group)) numbers.set(record.group, numbers.size)
  return {
    count: first.length,
    right: Float64Array.from(first, (debate) => labelsOf(debate, 'audit', 'debates').at(-1)!),
    agreement: Float64Array.from(first, ({ rounds }) => rounds[0]!.p1),
    group: numbers.size < 2 ? null : Uint32Array.from(first, ({ record }) => numbers.get(record.group)!),
  }
}

/** What to do when the order matters. The advice is the same for both checks of the order. */
export const ORDER_NEXT: DraftCheck['next'] = Object.freeze({
  falsified:
    'The stream changes over time: calibrate on recent debates only, or find what changed (models, prompts, ' +
    'questions). A file sorted by topic fails too: if its order means nothing, pass --unordered.',
  'not falsified': 'Nothing. A change that comes after the last labelled debate cannot be seen here.',
  'not enough data': 'Label more debates.',
})
