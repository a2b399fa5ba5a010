import { compareCodePoints } from '../beliefs/code-point-order.ts'
import type { RoundSummary } from '../beliefs/debate.ts'
import { CertificateError } from '../certificate-error.ts'
import { currentRound } from './state-function.ts'

/**
 * The features of the learned state of one round. It is part of the certificate's file, so it contains only JSON
 * values.
 */
export interface LearnedLayout {
  /** Names ordered by code point, if every pilot row had exactly these agents; null where rows differ. */
  readonly agents: readonly string[] | null
  /** The groups of the pilot rows, at most the 64 largest, ordered by code point. */
  readonly groups: readonly string[]
}

/** The layout of a round, from the prefixes and groups of the pilot rows. It uses names only, not beliefs or labels. */
export function learnedLayout(
  rows: readonly (readonly RoundSummary[])[],
  groups: readonly (string | null)[],
): LearnedLayout {
  const first = rows[0]
  if (first === undefined) throw new CertificateError('learnedLayout', 'rows', 'one pilot row or more', rows)
  if (groups.length !== rows.length) {
    throw new CertificateError('learnedLayout', 'groups.length', `the number of rows, ${rows.length}`, groups.length)
  }
  const firstAgents = currentRound(first, 'learnedLayout').agents
  const expected = firstAgents.toSorted(compareCodePoints)
  let same = true
  for (const [row, prefix] of rows.entries()) {
    if (prefix.length !== first.length) {
      throw new CertificateError(
        'learnedLayout',
        `rows[${row}].length`,
        `that of rows[0], ${first.length}`,
        prefix.length,
      )
    }
    const { agents } = currentRound(prefix, 'learnedLayout')
    same &&= agents === firstAgents || equalNames(agents.toSorted(compareCodePoints), expected)
  }
  return { agents: same ? expected : null, groups: largestGroups(groups) }
}

/** The largest groups, which get a column each. Free text may name a different group in every row. */
export function largestGroups(groups: readonly (string | null)[]): string[] {
  const sizes = new Map<string, number>()
  for (const group of groups) if (group !== null) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const bySize = [...sizes].sort(([a, many], [b, more]) => more - many || compareCodePoints(a, b))
  return bySize
    .slice(0, MOST_GROUPS)
    .map(([group]) => group)
    .sort(compareCodePoints)
}

const MOST_GROUPS = 64

function equalNames(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index])
}
