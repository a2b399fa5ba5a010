import { type Counted, promisedRow } from './binomial-rows.ts'
import type { DraftCheck } from './draft-check.ts'
import { grantedTo, type HeldOut } from './held-out.ts'
import { percentText } from './percent-text.ts'
import { RANDOM_HALVES } from './random-halves.ts'

/**
 * Acted accuracy of each stopping round, and of all rounds after the first together, because late rounds have few
 * actions and the assumption is about late agreement.
 *
 * Under the paper's rule the level is split over the rounds: the bound of a round exceeds the chance of being right
 * with probability at most delta / T. The debates acted on in round t therefore lose at most (delta / T) / P(tau = t)
 * of what acting promises. The paper's delta / P(tau = t) also holds and allows T times as much. Under the sharp rule
 * no loss is allowed (`allowedShortfall`).
 *
 * `later` is the later half of the file with the certificate of the earlier half. Random halves are alike whatever the
 * file contains. These halves are alike only if all questions come from one population.
 */
export function stoppingRounds(heldOut: HeldOut, later: HeldOut | null = null): DraftCheck {
  const { certificate, rounds, roundFailure, promise, count, budget } = heldOut
  const rows = Array.from({ length: rounds }, (_, at) =>
    promisedRow(actionsIn(heldOut, { name: `round ${at + 1}`, from: at + 1, to: at + 1 }), promise, {
      failure: grantedTo(heldOut, roundFailure),
      among: count,
    }),
  )
  if (rounds > 2) {
    const failure = grantedTo(heldOut, Math.min(budget.delta, (rounds - 1) * roundFailure))
    const late = actionsIn(heldOut, { name: 'after round 1', from: 2, to: rounds })
    rows.push(promisedRow(late, promise, { failure, among: count }))
  }
  if (later !== null) {
    const actions = actionsIn(later, { name: 'later half', from: 1, to: rounds })
    rows.push(promisedRow(actions, promise, { failure: grantedTo(heldOut, budget.delta), among: later.count }))
  }
  return {
    name: 'stopping-rounds',
    assumption:
      certificate.kind === 'cells'
        ? RANDOM_HALVES.assumption
        : 'The state forgets nothing that matters for the debates still running: late agreement is as good as early.',
    null:
      `Of the debates acted on in a round${later === null ? '' : ', or in the later half by the earlier half,'} ` +
      `at least ${percentText(promise)} % are right${lessDelta(heldOut)}.`,
    rows,
    needed: 'every row',
    empty: 'The debates have no rounds.',
    next: {
      falsified:
        certificate.kind === 'cells'
          ? later === null
            ? RANDOM_HALVES.falsified
            : LATER_FALSIFIED
          : 'Do not act with this profile: calibrate with --profile cells, which needs no such assumption.',
      'not falsified':
        certificate.kind === 'cells' ? RANDOM_HALVES.silent : 'Nothing. A check that finds nothing proves nothing.',
      'not enough data': 'Label more debates, or audit at the larger budget that you would act on.',
    },
  }
}

const LATER_FALSIFIED =
  'If it is the later half: the stream changes over time, so calibrate on recent debates only. If it is a ' +
  `round, it is chance or a defect. ${RANDOM_HALVES.falsified}`

function actionsIn(
  { actedAt, correct, rounds }: HeldOut,
  { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
): Counted {
  const acted = Array.from(actedAt.keys()).filter((row) => actedAt[row]! >= from && actedAt[row]! <= to)
  const right = acted.filter((row) => correct[row * rounds + actedAt[row]! - 1] === 1).length
  return { name, n: acted.length, right }
}

/** The end of the sentence that states a null about actions. */
export function lessDelta({ allowedShortfall }: HeldOut): string {
  return allowedShortfall === 'delta' ? ', less what delta allows' : ''
}
