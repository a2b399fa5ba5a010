import { promisedRow } from './binomial-rows.ts'
import type { DraftCheck } from './draft-check.ts'
import type { HeldOut } from './held-out.ts'

/**
 * Acted accuracy of each stopping round. A round's bound exceeds the chance of being right with probability at most
 * delta / T (delta where a debate is looked at once), so the debates acted on in round t lose at most
 * delta / T / P(tau = t) of what acting promises.
 */
export function stoppingRounds(held: HeldOut): DraftCheck {
  const { certificate, correct, actedAt, rounds, roundFailure, promise, count } = held
  const rows = Array.from({ length: rounds }, (_, at) => {
    const acted = Array.from(actedAt.keys()).filter((row) => actedAt[row] === at + 1)
    const right = acted.filter((row) => correct[row * rounds + at] === 1).length
    const counted = { name: `round ${at + 1}`, n: acted.length, right }
    return promisedRow(counted, promise, { failure: roundFailure, among: count })
  })
  return {
    name: 'stopping-rounds',
    assumption:
      certificate.kind === 'cells'
        ? 'Held-out debates are drawn like those that were calibrated on.'
        : 'The state forgets nothing that matters for the debates still running: late agreement is as good as early.',
    null: `Of the debates acted on in a round at least ${percent(promise)} % are right, less what delta allows.`,
    rows,
    isWhole: true,
    empty: 'The debates have no rounds.',
    next: {
      falsified:
        certificate.kind === 'cells'
          ? 'Look for repeated or mislabelled questions; then calibrate again.'
          : 'Do not act with this profile: calibrate with --profile cells, which needs no such assumption.',
      'not falsified': 'Nothing. A check that finds nothing proves nothing.',
      'not enough data': 'Label more debates, or audit at the larger budget that you would act on.',
    },
  }
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}
