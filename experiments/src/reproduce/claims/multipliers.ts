import { decimal, percent } from '../../tables/markdown.ts'
import { ACTIVATED, type Activated } from '../paper/activated.ts'
import { LAMBDA_STABILITY } from '../paper/lambda-stability.ts'
import { chosenLambdas, rulePoint } from '../tables/lambda.ts'
import { aboutTwins, type Claim, finding, listed } from './claim.ts'
import { CONFIDENT } from './reasons.ts'

/** Claims about the multiplier lambda. */
export const MULTIPLIER_CLAIMS: readonly Claim[] = [
  {
    claim: 'lambda* lies in 1.75-3.25 on MMLU-Pro, 1.25-1.50 on LogiQA, 2.25-5.00 on BBH and 3.75-5.00 on ARC.',
    place: 'Table 20',
    reason: CONFIDENT,
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const range = (name: Activated) => {
        const chosen = chosenLambdas(twins[name], 'usual')
        return chosen.length === 0 ? null : ([Math.min(...chosen), Math.max(...chosen)] as const)
      }
      return finding(
        ACTIVATED.every((name) => {
          const { min, max } = LAMBDA_STABILITY[name]
          const found = range(name)
          return found !== null && found[0] >= min && found[1] <= max
        }),
        `Ours: ${listed(titles, (name) => {
          const found = range(name)
          return found ? `${found[0].toFixed(2)}-${found[1].toFixed(2)}` : 'none'
        })}.`,
      )
    }),
  },
  {
    claim: 'The mean lambda* is 2.40 on MMLU-Pro, 4.05 on BBH, 1.27 on LogiQA and 4.39 on ARC.',
    place: 'Table 20',
    reason:
      'On a crowded state several multipliers act alike, and of equals we take the smaller; the paper’s median of 5.00 on BBH, the end of its grid, suggests the larger. LogiQA: the twin’s confident panels are more often right, so that a larger budget keeps the constraint.',
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const mean = (name: Activated) => twins[name].pooledLambda
      return finding(
        ACTIVATED.every((name) => Math.abs((mean(name) ?? 0) - LAMBDA_STABILITY[name].mean) <= 0.5),
        `Ours: ${listed(titles, (name) => mean(name)?.toFixed(2) ?? 'none')} (holds: within .5).`,
      )
    }),
  },
  {
    claim:
      'No fixed multiplier does for all: 1.5 and 2.5 defer on ARC, 1.5 underactivates on BBH, 2.5 overuses on LogiQA.',
    place: 'Table 19',
    test: aboutTwins(ACTIVATED, (twins) => {
      const act = (name: Activated, rule: 'fixed-1.5' | 'fixed-2.5') => rulePoint(twins[name], rule).act.mean
      const used = rulePoint(twins.logiqa, 'fixed-2.5').budgetUsed.mean
      return finding(
        act('arc', 'fixed-1.5') < 0.01 && act('arc', 'fixed-2.5') < 0.01 && act('bbh', 'fixed-1.5') < 0.4 && used > 0.2,
        `Act % on ARC ${percent(act('arc', 'fixed-1.5'))} and ${percent(act('arc', 'fixed-2.5'))}, on BBH at 1.5 ${percent(act('bbh', 'fixed-1.5'))}; LogiQA at 2.5 uses ${decimal(used)}.`,
      )
    }),
  },
  {
    claim: 'Tightening the constraint from .10 to .05 costs much Act.',
    place: 'Table 19',
    reason: 'On ARC the rule uses less than .05 of its budget under either constraint.',
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const act = (name: Activated, rule: 'strict' | 'usual') => rulePoint(twins[name], rule).act.mean
      return finding(
        ACTIVATED.every((name) => act(name, 'usual') - act(name, 'strict') >= 0.05),
        `Act % under .10 and .05: ${listed(titles, (name) => `${percent(act(name, 'usual'))} and ${percent(act(name, 'strict'))}`)} (holds: at least 5 points each).`,
      )
    }),
  },
  {
    claim: 'The standard error of WA / beta is below .014 on the four, and that of WA below .5 %.',
    place: 'Table 21, Appendix Budget allocation',
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const point = (name: Activated) => rulePoint(twins[name], 'pooled')
      return finding(
        ACTIVATED.every(
          (name) => (point(name).budgetUsed.error ?? 0) < 0.014 && (point(name).wrong.error ?? 0) < 0.005,
        ),
        `Standard deviation over the root of the number of splits: ${listed(titles, (name) => decimal(point(name).budgetUsed.error ?? 0, 3))}; splits overlap, so it is no standard error.`,
      )
    }),
  },
]
