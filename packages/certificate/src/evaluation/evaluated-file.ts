import { compareCodePoints } from '../beliefs/code-point-order.ts'
import type { Panels } from '../certificate/panel.ts'

/** The size of an evaluated file. */
export interface EvaluatedFile {
  /** Labelled debates. */
  readonly n: number
  readonly rounds: number
  /** Labelled debates of each group, in listing order. Debates without a group are not counted. */
  readonly groups: ReadonlyMap<string, number>
}

export function evaluatedFile({ panels }: Panels): EvaluatedFile {
  const counts = new Map<string, number>()
  for (const { record } of panels) {
    if (record.group !== null) counts.set(record.group, (counts.get(record.group) ?? 0) + 1)
  }
  const groups = new Map([...counts].sort(([left], [right]) => compareCodePoints(left, right)))
  return { n: panels.length, rounds: panels[0]?.rounds.length ?? 0, groups }
}
