import { compareCodePoints } from '../beliefs/code-point-order.ts'
import type { ReadDebates } from '../certificate/read-debates.ts'

/** The size of an evaluated file. */
export interface EvaluatedFile {
  /** Labelled debates. */
  readonly n: number
  readonly rounds: number
  /** Labelled debates of each group, in listing order. Debates without a group are not counted. */
  readonly groups: ReadonlyMap<string, number>
}

export function evaluatedFile({ debates }: ReadDebates): EvaluatedFile {
  const counts = new Map<string, number>()
  for (const { record } of debates) {
    if (record.group !== null) counts.set(record.group, (counts.get(record.group) ?? 0) + 1)
  }
  const groups = new Map([...counts].sort(([left], [right]) => compareCodePoints(left, right)))
  return { n: debates.length, rounds: debates[0]?.rounds.length ?? 0, groups }
}
