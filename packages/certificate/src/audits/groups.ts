import { compareCodePoints } from '../beliefs/code-point-order.ts'
import { promisedRow } from './binomial-rows.ts'
import type { DraftCheck } from './draft-check.ts'
import { grantedTo, type HeldOut } from './held-out.ts'
import { lessDelta } from './stopping-rounds.ts'

/** A group with its held-out debates. `acted` and `right` count debates at their stopping rounds. */
export interface GroupCount {
  readonly name: string
  readonly debates: number
  readonly acted: number
  readonly right: number
}

/**
 * Acted accuracy of each group. A group is fixed before any label is seen, and the bounds at given states fail with
 * probability at most delta over all rounds. Under the paper's rule the loss within a group is therefore at most
 * delta / P(act | group).
 *
 * This check does not apply to cells that are not group-conditional: they promise an average over the cell and nothing
 * about a group.
 */
export function groupsCheck(heldOut: HeldOut): DraftCheck {
  const { budget, promise, groupConditional } = heldOut
  const rows = countGroups(heldOut).map(({ name, debates, acted, right }) =>
    promisedRow({ name, n: acted, right }, promise, {
      failure: grantedTo(heldOut, budget.delta),
      among: debates,
    }),
  )
  return {
    name: 'groups',
    assumption: groupConditional
      ? 'Within each group, held-out debates are drawn like those that were calibrated on.'
      : 'The state loses at most epsilon in every group: at the same state, a group is right as often as the others.',
    null: `Of a group's debates acted on at least ${(100 * promise).toFixed(1)} % are right${lessDelta(heldOut)}.`,
    rows,
    empty: 'The debates have no groups.',
    next: {
      falsified: 'Calibrate group by group (--group-conditional), or send the groups named above to a person.',
      'not falsified': 'Nothing. A check that finds nothing proves nothing.',
      'not enough data': 'Name the group of each debate, or label more debates of each.',
    },
  }
}

const MOST_GROUPS = 64

/** The largest groups of the held-out debates, sorted by code point. */
export function countGroups({ debates, actedAt, correct, rounds }: HeldOut): GroupCount[] {
  const counts = new Map<string, GroupCount>()
  for (const [row, { record }] of debates.entries()) {
    if (record.group === null) continue
    const name = record.group
    const { debates, acted, right } = counts.get(name) ?? { debates: 0, acted: 0, right: 0 }
    const stop = actedAt[row]!
    counts.set(name, {
      name,
      debates: debates + 1,
      acted: acted + (stop > 0 ? 1 : 0),
      right: right + (stop > 0 ? correct[row * rounds + stop - 1]! : 0),
    })
  }
  return [...counts.values()]
    .sort((a, b) => b.debates - a.debates || compareCodePoints(a.name, b.name))
    .slice(0, MOST_GROUPS)
    .sort((a, b) => compareCodePoints(a.name, b.name))
}
