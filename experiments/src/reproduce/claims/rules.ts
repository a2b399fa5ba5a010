import { decimal, percent, signed } from '../../tables/markdown.ts'
import { ACTIVATED, type Activated } from '../paper/activated.ts'
import type { PrintedPolicy } from '../paper/printed.ts'
import { operatingPoint, oursPoint } from '../tables/main-table.ts'
import { accuracyGap } from '../tables/matched.ts'
import type { TwinMeasurements } from '../tasks.ts'
import { aboutTwins, type Claim, finding, isWithin, listed } from './claim.ts'
import { CONFIDENT } from './reasons.ts'

type ActivatedTwins = Readonly<Record<Activated, TwinMeasurements>>

/** Claims that compare stopping rules under the same budgets. */
export const RULE_CLAIMS: readonly Claim[] = [
  {
    claim: 'CRC and Calibrated Learned use 18-82 % of the same budget.',
    place: 'Abstract, Section Main results',
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const rules = ['conformal-risk-control', 'calibrated-learned'] as const
      const used = (name: Activated) => rules.map((rule) => usedBy(twins, name, rule))
      return finding(
        ACTIVATED.every((name) => used(name).every((share) => isWithin(share, 0.175, 0.825))),
        `CRC and Calibrated Learned: ${listed(titles, (name) =>
          used(name)
            .map((share) => (share === null ? '–' : decimal(share)))
            .join(' and '),
        )}.`,
      )
    }),
  },
  {
    claim: 'CRC and Calibrated Learned act on nearly everything.',
    place: 'Section Main results',
    reason:
      'The paper’s grid of thresholds starts at .5, and one in eight debates of the LogiQA twin never reaches p1 = .5.',
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const act = (name: Activated) =>
        (['conformal-risk-control', 'calibrated-learned'] as const).map(
          (rule) => operatingPoint(twins[name], rule)?.act.mean ?? 0,
        )
      return finding(
        ACTIVATED.every((name) => act(name).every((share) => share >= 0.95)),
        `Act %: ${listed(titles, (name) =>
          act(name)
            .map((share) => percent(share))
            .join(' and '),
        )}.`,
      )
    }),
  },
  {
    claim: 'Without the envelope k-NN uses 2-3 times the budget of ours: the modulus correction is essential.',
    place: 'Section Main results',
    reason: CONFIDENT,
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const ratio = (name: Activated) => {
        const bare = usedBy(twins, name, 'knn-no-envelope')
        const own = oursPoint(twins[name]).budgetUsed.mean
        return bare === null || own === 0 ? null : bare / own
      }
      return finding(
        ACTIVATED.every((name) => isWithin(ratio(name), 1.5, 3.5)),
        `Ratio: ${listed(titles, (name) => ratio(name)?.toFixed(1) ?? '–')}; it stays within beta everywhere (worst split ${decimal(Math.max(...ACTIVATED.map((name) => operatingPoint(twins[name], 'knn-no-envelope')?.budgetUsed.max ?? 0)))}).`,
      )
    }),
  },
  {
    claim: 'The final-round rule forgoes early stopping: round 4.0 against 1.8-3.5.',
    place: 'Section Main results',
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const rounds = (name: Activated) => oursPoint(twins[name]).rounds
      const last = (name: Activated) => operatingPoint(twins[name], 'final-round')?.rounds ?? 0
      return finding(
        ACTIVATED.every((name) => last(name) === 4 && rounds(name) < 4),
        `Ours, a deferral counted as all four rounds: ${listed(titles, (name) => rounds(name).toFixed(1))}; final-round 4.0.`,
      )
    }),
  },
  {
    claim: 'At matched automation all rules agree within 1.6 points of accuracy.',
    place: 'Tables 2 and 18',
    reason:
      'The boosted trees see disagreement and stability, which (p1, margin) does not hold; theirs is the largest gap in the paper too (+1.6 on LogiQA).',
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const gaps = (name: Activated) =>
        (['confidence-threshold', 'calibrated-learned'] as const).map((rule) => accuracyGap(twins[name], rule))
      return finding(
        ACTIVATED.every((name) => gaps(name).every((gap) => gap !== null && Math.abs(gap) <= 1.65)),
        `Confidence Threshold and Calibrated Learned less ours, points: ${listed(titles, (name) =>
          gaps(name)
            .map((gap) => (gap === null ? '–' : signed(gap)))
            .join(' and '),
        )}.`,
      )
    }),
  },
]

function usedBy(twins: ActivatedTwins, name: Activated, rule: PrintedPolicy): number | null {
  return operatingPoint(twins[name], rule)?.budgetUsed.mean ?? null
}
