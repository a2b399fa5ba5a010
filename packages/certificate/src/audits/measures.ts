import { actedErrorBound } from '../decision/acted-error-bound.ts'
import type { Measure } from './audit.ts'
import type { Counted } from './binomial-rows.ts'
import { countGroups } from './groups.ts'
import { firstActions, type HeldOut } from './held-out.ts'
import { representationProxy } from './representation-proxy.ts'
import { smoothnessCoverage } from './smoothness-coverage.ts'

/** Figures that the paper reports beside its checks, and figures that cells do not promise. They test nothing. */
export function measuresOf(heldOut: HeldOut, weak: readonly Counted[]): Measure[] {
  const forCells = heldOut.certificate.kind !== 'knn' ? [...groupFigures(heldOut), ...weakFigures(weak)] : []
  return [
    ...inflation(heldOut),
    certificationGap(heldOut),
    ...actedError(heldOut),
    labelEntropy(heldOut),
    ...smoothnessCoverage(heldOut),
    ...representationProxy(heldOut),
    ...forCells,
  ]
}

/** Only for k-NN, since cells have no envelope. */
function inflation({ certificate, debates, count, actedAt }: HeldOut): Measure[] {
  if (certificate.kind !== 'knn') return []
  const evidence = certificate.evidence(debates)
  const doubled = certificate.boundsOf({ ...evidence, envelopes: evidence.envelopes.map((envelope) => 2 * envelope) })
  const acted = actedAt.filter((stop) => stop > 0).length / count
  const still = firstActions(doubled, count, certificate).filter((stop) => stop > 0).length / count
  return [
    {
      name: '2x inflation',
      meaning: 'Share of the held-out debates acted on, with the envelope as it is and twice as large.',
      rows: [
        { name: 'acted on', n: count, value: acted },
        { name: 'acted on with 2x the envelope', n: count, value: still },
        { name: 'lost', n: count, value: acted - still },
      ],
    },
  ]
}

function certificationGap({ certificate, bounds, rounds, count }: HeldOut): Measure {
  return {
    name: 'certification gap',
    meaning: 'The threshold 1 - alpha less the largest bound; below 0 something is acted on.',
    rows: Array.from({ length: rounds }, (_, at) => {
      const found = Array.from({ length: count }, (_, row) => bounds[row * rounds + at]!).filter(
        (it) => !Number.isNaN(it),
      )
      const largest = found.reduce((a, b) => Math.max(a, b), -Infinity)
      return {
        name: `round ${at + 1}`,
        n: found.length,
        value: found.length === 0 ? null : certificate.threshold - largest,
      }
    }),
  }
}

/** Not for `total`, whose classes have their own limits. */
function actedError({ budget, actedAt, count, certificate }: HeldOut): Measure[] {
  if (certificate.kind === 'total') return []
  const acted = actedAt.filter((stop) => stop > 0).length
  const found = acted === 0 ? null : actedErrorBound(budget, acted, count)
  return [
    {
      name: 'acted-error bound',
      meaning:
        'What the theorem says about errors among the debates acted on: alpha + epsilon + shortfall / P(act), with a ' +
        'lower 95 % limit for P(act); absent where it says nothing.',
      rows: [{ name: 'error, at most', n: count, value: found?.kind === 'bound' ? found.error : null }],
    },
  ]
}

/** Entropy, in nats, of the labels behind each debate's bound: at its action, or in its last round with a bound. */
function labelEntropy({ steps, actedAt, rounds, count }: HeldOut): Measure {
  const acted: number[] = []
  const deferred: number[] = []
  for (let row = 0; row < count; row++) {
    const own = steps.slice(row * rounds, (row + 1) * rounds)
    const step = actedAt[row]! > 0 ? own[actedAt[row]! - 1] : own.findLast((found) => typeof found?.lower === 'number')
    if (step && step.lower !== null) (actedAt[row]! > 0 ? acted : deferred).push(entropy(step.mean))
  }
  return {
    name: 'neighbourhood label entropy',
    meaning:
      'Median entropy, in nats, of the labels behind the bounds: 0 where all are alike, .69 where half are wrong.',
    rows: [
      { name: 'acted on', n: acted.length, value: median(acted) },
      { name: 'deferred', n: deferred.length, value: median(deferred) },
    ],
  }
}

function groupFigures(heldOut: HeldOut): Measure[] {
  const groups = heldOut.groupConditional ? [] : countGroups(heldOut)
  if (groups.length === 0) return []
  return [
    {
      name: 'accuracy by group',
      meaning:
        'Share right of the debates acted on. What is promised is an average over all groups, and of no single one.',
      rows: groups.map(({ name, acted, right }) => ({ name, n: acted, value: acted === 0 ? null : right / acted })),
    },
  ]
}

function weakFigures(weak: readonly Counted[]): Measure[] {
  if (weak.length === 0) return []
  return [
    {
      name: 'weakest regions',
      meaning:
        'Share right of the actions in regions that half of the labels picked, counted on the other half. Cells ' +
        'promise nothing for a part of a cell.',
      rows: weak.map(({ name, n, right }) => ({ name, n, value: n === 0 ? null : right / n })),
    },
  ]
}

function entropy(share: number): number {
  const term = (part: number) => (part > 0 ? -part * Math.log(part) : 0)
  return term(share) + term(1 - share)
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) return null
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}
