import { decimal, percent } from '../../tables/markdown.ts'
import type { Point } from '../measure/outcome.ts'
import { ABSOLUTE_BETAS } from '../measure/paper-cells.ts'
import { MULTIPLES } from '../paper/frontier.ts'
import { MAIN_TABLE } from '../paper/main-table.ts'
import { STATE_NAMES } from '../paper/state-dimension.ts'
import { statePoint } from '../tables/ablations.ts'
import { absolutePoint } from '../tables/fixed-budgets.ts'
import { operatingPoint, oursPoint } from '../tables/main-table.ts'
import { accuracyGap } from '../tables/matched.ts'
import { sharesPoint } from '../tables/sensitivity.ts'
import { usedBySplit } from '../tables/splits.ts'
import { subgroupPoints } from '../tables/subgroups.ts'
import { pointIn } from '../tables/table.ts'
import type { RealMeasurements } from '../tasks.ts'
import { type Finding, finding, isWithin, percentOr } from './claim.ts'

/** A claim of the paper that can be tested on recorded answers, set by set. */
export interface RealClaim {
  readonly claim: string
  readonly place: string
  /** Null if the claim says nothing about such a set. */
  test(real: RealMeasurements): Finding | null
}

/** Acting on less than this does not count. */
const ACTS = 0.01

/** Act and Acc within 8 and 3 points count as the same, as on the twins. */
const NEAR_ACT = 8
const NEAR_ACCURACY = 3

export const REAL_CLAIMS: readonly RealClaim[] = [
  {
    claim: 'WA <= beta on every split at every budget.',
    place: 'Tables 8, 10 and 22',
    test(real) {
      const points = ABSOLUTE_BETAS.map((beta) => absolutePoint(real, beta))
      const own = oursPoint(real)
      const worst = Math.max(own.budgetUsed.max, ...points.map(({ budgetUsed }) => budgetUsed.max))
      const acting = points.filter((point) => point.acting > 0).length
      return finding(
        worst <= 1,
        `At most ${decimal(worst)} of the budget in any split; ${acting} of ${points.length} absolute budgets act.`,
      )
    },
  },
  {
    claim: 'At beta = .10 nothing certifies.',
    place: 'Table 8',
    test: (real) => {
      const { act } = absolutePoint(real, 0.1)
      return finding(act.mean < ACTS, `Act ${percent(act.mean)} %.`)
    },
  },
  {
    claim: 'MMLU-Pro activates at beta = .15; GPQA defers up to .35.',
    place: 'Tables 7, 8 and 10',
    test: (real) => {
      const { like } = real.world
      if (like === null) return null
      const acts = ABSOLUTE_BETAS.map((beta) => absolutePoint(real, beta).act.mean)
      const first = acts.findIndex((act) => act >= ACTS)
      const holds = like === 'mmlu-pro' ? first === ABSOLUTE_BETAS.indexOf(0.15) : first < 0
      return finding(
        holds,
        `Act %: ${acts.map((act, at) => `${percent(act)} at ${decimal(ABSOLUTE_BETAS[at]!)}`).join(', ')}.`,
      )
    },
  },
  {
    claim:
      'Training-selected budgets act at the printed rate and accuracy (MMLU-Pro 71.1 and 93.9, GPQA 53.3 and 82.5).',
    place: 'Table 1',
    test: (real) => {
      const { like } = real.world
      if (like === null) return null
      const [act, accuracy] = MAIN_TABLE.paper[like]
      const ours = oursPoint(real)
      const isNear =
        Math.abs(100 * ours.act.mean - act!) <= NEAR_ACT &&
        Math.abs(100 * (ours.accuracy?.mean ?? 0) - accuracy!) <= NEAR_ACCURACY
      return finding(isNear, `${actAndAccuracy(ours)} (holds: within ${NEAR_ACT} and ${NEAR_ACCURACY} points).`)
    },
  },
  {
    claim: 'It uses 9-12 % of the declared budget.',
    place: 'Abstract',
    test: (real) => {
      const { budgetUsed, acting } = oursPoint(real)
      if (acting === 0) return null
      return finding(isWithin(budgetUsed.mean, 0.085, 0.125), `WA / beta ${decimal(budgetUsed.mean, 3)}.`)
    },
  },
  {
    claim: 'Under the pooled multiplier every split uses at most .20 of the budget.',
    place: 'Table 22',
    test: (real) => {
      const used = usedBySplit(real)
      if (used.length === 0) return null
      return finding(Math.max(...used) <= 0.2, `Worst split ${decimal(Math.max(...used), 3)}.`)
    },
  },
  {
    claim: 'Automation rises with the budget.',
    place: 'Table 7',
    test: (real) => {
      const points = MULTIPLES.map((_, at) => pointIn(real, ({ paper }) => paper.multiples[at]))
      const isRising = points.every(({ act }, at) => at === 0 || act.mean >= points[at - 1]!.act.mean)
      return finding(isRising, `Act / Acc % over the multiples: ${points.map(actAndAccuracy).join(', ')}.`)
    },
  },
  {
    claim: 'Without its envelope the method acts more and uses more of the budget.',
    place: 'Table 1, A1',
    test: (real) => {
      const ours = operatingPoint(real, 'paper')
      const without = operatingPoint(real, 'knn-no-envelope')
      if (!(ours && without) || without.acting === 0) return null
      return finding(
        without.act.mean >= ours.act.mean && without.budgetUsed.mean >= ours.budgetUsed.mean,
        `Act ${percent(ours.act.mean)} and ${percent(without.act.mean)} %, WA / beta ${decimal(ours.budgetUsed.mean, 3)} and ${decimal(without.budgetUsed.mean, 3)}.`,
      )
    },
  },
  {
    claim: 'At equal automation a plain confidence threshold is as accurate, within .5 points.',
    place: 'Table 2',
    test: (real) => {
      const gap = accuracyGap(real, 'confidence-threshold')
      return gap === null ? null : finding(Math.abs(gap) <= 0.5, `Accuracy less ours: ${gap.toFixed(1)} points.`)
    },
  },
  {
    claim: 'A smaller delta reduces Act.',
    place: 'Appendix Budget-split sensitivity',
    test: (real) => {
      const acts = [0.01, 0.03, 0.05].map((delta) => sharesPoint(real, delta, 0).act.mean)
      if (Math.max(...acts) < ACTS) return null
      const isRising = acts.every((act, at) => at === 0 || act >= acts[at - 1]!)
      return finding(isRising, `Act % at delta .01, .03, .05: ${acts.map((act) => percent(act)).join(', ')}.`)
    },
  },
  {
    claim: 'More coordinates of the state act less.',
    place: 'Table 16',
    test: (real) => {
      const acts = STATE_NAMES.map((state) => statePoint(real, state)?.act.mean ?? 0)
      if (Math.max(...acts) < ACTS) return null
      const isFalling = acts.every((act, at) => at === 0 || act <= acts[at - 1]!)
      return finding(isFalling, `Act % at D = 1 to 4: ${acts.map((act) => percent(act)).join(', ')}.`)
    },
  },
  {
    claim: 'The pooled multiplier is not safe for every subgroup: law uses more than .20 of its budget.',
    place: 'Table 17',
    test: (real) => {
      if (real.world.like !== 'mmlu-pro') return null
      const law = subgroupPoints(real).find(({ group }) => group === 'law')
      if (law?.budgetUsed === undefined || law.budgetUsed === null) return null
      return finding(law.budgetUsed > 0.2, `Law: ${decimal(law.budgetUsed, 3)}, accuracy ${percentOr(law.accuracy)} %.`)
    },
  },
]

function actAndAccuracy({ act, accuracy }: Point): string {
  return `${percent(act.mean)} / ${percentOr(accuracy?.mean)}`
}
