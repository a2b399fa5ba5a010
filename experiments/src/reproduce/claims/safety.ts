import { decimal, percent } from '../../tables/markdown.ts'
import { TWIN_NAMES } from '../../twins/targets.ts'
import { ABSOLUTE_BETAS } from '../measure/paper-cells.ts'
import { ACTIVATED } from '../paper/activated.ts'
import { TWO_TWINS } from '../paper/epsilon-sensitivity.ts'
import { FRONTIER, MULTIPLES } from '../paper/frontier.ts'
import { LAMBDA_RULES } from '../paper/lambda-robustness.ts'
import { absolutePoint } from '../tables/fixed-budgets.ts'
import { rulePoint } from '../tables/lambda.ts'
import { usedBySplit } from '../tables/splits.ts'
import { subgroupPoints } from '../tables/subgroups.ts'
import { measuredTwins, pointIn } from '../tables/table.ts'
import type { TwinMeasurements } from '../tasks.ts'
import { aboutTwins, type Claim, finding, listed } from './claim.ts'
import { CONFIDENT } from './reasons.ts'

/** Subgroups in bold in the paper's table. */
const OVERSPENDING = ['law', 'geometric_shapes', 'movie_recommendation', 'salient_translation_error']

/** Claims that the budget is kept. */
export const SAFETY_CLAIMS: readonly Claim[] = [
  {
    claim: 'WA <= beta in every cell: no budget is ever exceeded.',
    place: 'Tables 8 and 10',
    test(measured) {
      const cells = measuredTwins(measured, TWIN_NAMES).flatMap(({ title, twin }) =>
        ABSOLUTE_BETAS.map((beta) => ({ title, beta, point: absolutePoint(twin, beta) })),
      )
      const worst = cells.reduce((a, b) => (b.point.budgetUsed.max > a.point.budgetUsed.max ? b : a))
      const acting = cells.filter(({ point }) => point.acting > 0).length
      return finding(
        cells.every(({ point }) => point.budgetUsed.max <= 1),
        `At most ${decimal(worst.point.budgetUsed.max)} of the budget was used in any split (${worst.title}, beta ${decimal(worst.beta)}); ${cells.length - acting} of ${cells.length} cells never act and are no evidence.`,
      )
    },
  },
  {
    claim: 'WA <= beta on every split, not only on average; on activated data every split uses at most .20.',
    place: 'Table 22, Split-wise budget safety',
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const worst = (name: (typeof ACTIVATED)[number]) => Math.max(...usedBySplit(twins[name]))
      return finding(
        ACTIVATED.every((name) => worst(name) <= 0.2),
        `Worst split under the pooled multiplier: ${listed(titles, (name) => decimal(worst(name), 3))}.`,
      )
    }),
  },
  {
    claim: 'WA / beta stays below .26 at all operating points of the frontier.',
    place: 'Table 7',
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const printed = (name: (typeof ACTIVATED)[number]) => {
        const used = MULTIPLES.flatMap((_, at) =>
          FRONTIER[name][at] ? pointIn(twins[name], ({ paper }) => paper.multiples[at]).budgetUsed.mean : [],
        )
        return Math.max(...used)
      }
      return finding(
        ACTIVATED.every((name) => printed(name) <= 0.265),
        `Largest over the multiples that the paper prints: ${listed(titles, (name) => decimal(printed(name)))}.`,
      )
    }),
  },
  {
    claim:
      'Relaxing the training constraint from .05 to .20 keeps WA / beta below .20, except LogiQA loose and fixed 2.5.',
    place: 'Table 19',
    reason: CONFIDENT,
    test: aboutTwins(ACTIVATED, (twins, titles) => {
      const over = ACTIVATED.flatMap((name) =>
        LAMBDA_RULES.flatMap((rule) => {
          const used = rulePoint(twins[name], rule).budgetUsed.mean
          return used >= 0.2 ? [{ name, rule, used }] : []
        }),
      )
      const unexpected = over.filter(
        ({ name, rule }) => !(name === 'logiqa' && (rule === 'loose' || rule === 'fixed-2.5')),
      )
      const words = over.map(({ name, rule, used }) => `${titles[name]} ${rule} ${decimal(used, 3)}`)
      return finding(
        unexpected.length === 0,
        words.length === 0 ? 'No cell reaches .20.' : `At .20 or above: ${words.join(', ')}.`,
      )
    }),
  },
  {
    claim:
      'The pooled multiplier is not safe for every subgroup: law and three BBH subtasks use .24-.28 of the budget.',
    place: 'Table 17',
    test: aboutTwins(TWO_TWINS, (twins) => {
      const groups = TWO_TWINS.flatMap((name) => subgroupPoints(twins[name]))
      const over = groups.filter(({ budgetUsed }) => (budgetUsed ?? 0) > 0.2)
      const words = over.map(({ group, budgetUsed }) => `${group} ${decimal(budgetUsed!, 3)}`)
      return finding(
        OVERSPENDING.every((name) => over.some(({ group }) => group === name)),
        `Above .20: ${words.length === 0 ? 'none' : words.join(', ')} (holds: these four are among them).`,
      )
    }),
  },
  {
    claim: 'No subtask has acted-on accuracy below 1 - alpha - epsilon.',
    place: 'Representation-gap stress tests',
    reason:
      'The state (p1, margin) cannot see which group a question is from, so a hard group is acted on at the pooled rate. The paper’s own Table 17 prints 71.4 % for the same subtask.',
    test: aboutTwins(TWO_TWINS, (twins, titles) => {
      const worst = (name: (typeof TWO_TWINS)[number]) => worstGroup(twins[name])
      return finding(
        TWO_TWINS.every((name) => (worst(name)?.margin ?? 0) >= 0),
        `Lowest of all groups, pooled over splits: ${listed(titles, (name) => {
          const found = worst(name)
          return found
            ? `${percent(found.accuracy)} % (${found.group}) against ${percent(found.line)} %`
            : 'nothing acted on'
        })}.`,
      )
    }),
  },
]

/** The group whose acted accuracy is furthest below the mean threshold of its splits. */
function worstGroup({ splits }: TwinMeasurements) {
  const groups = [...new Set(splits.flatMap(({ groupActions }) => groupActions.map(({ group }) => group)))]
  const points = groups.flatMap((group) => {
    const own = splits.flatMap(({ groupActions, paper }) =>
      groupActions.flatMap((actions) =>
        actions.group === group && actions.acted > 0
          ? [{ ...actions, line: 1 - (paper.operating.usual!.beta - 0.03) }]
          : [],
      ),
    )
    const acted = own.reduce((sum, actions) => sum + actions.acted, 0)
    if (acted === 0) return []
    const accuracy = own.reduce((sum, actions) => sum + actions.right, 0) / acted
    const line = own.reduce((sum, actions) => sum + actions.line * actions.acted, 0) / acted
    return [{ group, accuracy, line, margin: accuracy - line }]
  })
  return points.length === 0 ? null : points.reduce((a, b) => (b.margin < a.margin ? b : a))
}
