import { decimal, markdownTable, percent } from '../../tables/markdown.ts'
import type { TwinName } from '../../twins/targets.ts'
import { FIVE_BUDGETS } from '../measure/budgets.ts'
import { meanOf, medianOf, type Point } from '../measure/outcome.ts'
import { ABSOLUTE_BETAS, DELTAS, EPSILONS } from '../measure/paper-cells.ts'
import { BUDGET_SPLIT, SPLIT_DELTAS, SPLIT_EPSILONS } from '../paper/budget-split.ts'
import { DECOMPOSITION } from '../paper/decomposition.ts'
import { EPSILON_TABLE } from '../paper/epsilon-sensitivity.ts'
import { FIXED_BUDGET_TABLE, FIXED_BUDGETS } from '../paper/fixed-budget.ts'
import { FRONTIER, MULTIPLES } from '../paper/frontier.ts'
import { FULL_TABLE } from '../paper/full-table.ts'
import { LAMBDA_ROBUSTNESS, LAMBDA_RULES } from '../paper/lambda-robustness.ts'
import { LAMBDA_STABILITY } from '../paper/lambda-stability.ts'
import { INDUCED_BUDGETS, MAIN_TABLE } from '../paper/main-table.ts'
import { MATCHED_RULES, MATCHED_TABLE } from '../paper/matched.ts'
import { PRINTED_NAMES, PRINTED_POLICIES, type Printed } from '../paper/printed.ts'
import { SPLIT_SAFETY } from '../paper/split-safety.ts'
import { STATE_NAMES, STATE_TABLE } from '../paper/state-dimension.ts'
import { SUBGROUP_TABLE } from '../paper/subgroups.ts'
import { VARIABILITY } from '../paper/variability.ts'
import type { MeasuredSplits, Measurements, RealMeasurements } from '../tasks.ts'
import { statePoint } from './ablations.ts'
import { meanTerms } from './decomposition.ts'
import { absolutePoint } from './fixed-budgets.ts'
import { fixedPoint } from './full-table.ts'
import { chosenLambdas, rulePoint } from './lambda.ts'
import { operatingPoint } from './main-table.ts'
import { matchedPoint } from './matched.ts'
import { sharesPoint } from './sensitivity.ts'
import { usedBySplit } from './splits.ts'
import { subgroupPoints } from './subgroups.ts'
import { pointIn, type Table } from './table.ts'

/** A row of a table: the printed numbers (per cent, per cent, per cent, share), and the same of a world. */
interface Row {
  readonly label: string
  readonly printed: readonly [act: Printed, accuracy: Printed, wrong: Printed, budgetUsed: Printed]
  point(splits: MeasuredSplits): Point | null
}

interface RealTable {
  readonly heading: string
  rows(like: TwinName | null): Row[]
}

const NOT_PRINTED: Row['printed'] = [null, null, null, null]

const PRINTED_DELTAS: readonly number[] = SPLIT_DELTAS
const PRINTED_EPSILONS: readonly number[] = SPLIT_EPSILONS
const PRINTED_BUDGETS: readonly number[] = FIXED_BUDGETS
const AT_15 = FIVE_BUDGETS.findIndex(({ beta }) => beta === 0.15)

/** Tables whose cells are Act, Acc, WA and WA / beta. */
const REAL_TABLES: readonly RealTable[] = [
  {
    heading: 'Table 1: training-selected budgets',
    rows: (like) =>
      PRINTED_POLICIES.map((policy) => {
        const [act, accuracy, wrong, used] = (like && MAIN_TABLE[policy][like]) ?? NOT_PRINTED
        return {
          label: PRINTED_NAMES[policy],
          printed: [act, accuracy, wrong, used],
          point: (splits) => operatingPoint(splits, policy),
        }
      }),
  },
  {
    heading: 'Table 2: matched automation',
    rows: (like) =>
      MATCHED_RULES.map((rule) => ({
        label: rule === 'ours' ? 'Ours' : `${PRINTED_NAMES[rule]}, matched`,
        printed: entryOf(MATCHED_TABLE, like)?.[rule] ?? NOT_PRINTED,
        point: (splits) => matchedPoint(splits, rule),
      })),
  },
  {
    heading: 'Table 6: all policies at beta = .15',
    rows: (like) =>
      PRINTED_POLICIES.map((policy) => {
        const [act, accuracy, wrong] = entryOf(FULL_TABLE[policy], like) ?? NOT_PRINTED
        return {
          label: PRINTED_NAMES[policy],
          printed: [act, accuracy, wrong, null],
          point: (splits) => fixedPoint(splits, policy, AT_15),
        }
      }),
  },
  {
    heading: 'Table 7: frontier, beta as a multiple of the set’s own final-round error',
    rows: (like) =>
      MULTIPLES.map((multiple, at) => ({
        label: `x ${multiple.toFixed(1)}`,
        printed: entryOf(FRONTIER, like)?.[at] ?? NOT_PRINTED,
        point: (splits) => pointIn(splits, ({ paper }) => paper.multiples[at]),
      })),
  },
  {
    heading: 'Tables 8 and 10: the same budget for all',
    rows: (like) =>
      ABSOLUTE_BETAS.map((beta) => {
        const at = PRINTED_BUDGETS.indexOf(beta)
        const [act, accuracy, wrong] = (like && at >= 0 && FIXED_BUDGET_TABLE[like][at]) || NOT_PRINTED
        return {
          label: `beta ${decimal(beta)}`,
          printed: [act, accuracy, wrong, null],
          point: (splits) => absolutePoint(splits, beta),
        }
      }),
  },
  {
    heading: 'Tables 14 and 15: shares of the budget at beta = .15',
    rows: (like) =>
      DELTAS.flatMap((delta) =>
        EPSILONS.map((epsilon) => ({
          label: `delta ${decimal(delta)}, epsilon ${decimal(epsilon)}`,
          printed: printedShares(like, delta, epsilon),
          point: (splits: MeasuredSplits) => sharesPoint(splits, delta, epsilon),
        })),
      ),
  },
  {
    heading: 'Table 16: dimension of the state, at beta = .15',
    rows: (like) =>
      STATE_NAMES.map((state, at) => {
        const [act, wrong] = entryOf(STATE_TABLE, like)?.[at] ?? [null, null]
        return {
          label: `D = ${at + 1}`,
          printed: [act, null, wrong, null],
          point: (splits) => statePoint(splits, state),
        }
      }),
  },
  {
    heading: 'Table 19: how the multiplier is chosen',
    rows: (like) =>
      LAMBDA_RULES.map((rule) => {
        const { title, cells } = LAMBDA_ROBUSTNESS[rule]
        const [act, accuracy, used] = entryOf(cells, like) ?? NOT_PRINTED
        return { label: title, printed: [act, accuracy, null, used], point: (splits) => rulePoint(splits, rule) }
      }),
  },
  {
    heading: 'Table 21: the pooled multiplier on every split',
    rows: (like) => {
      const row = entryOf(VARIABILITY, like)
      const printed: Row['printed'] = row ? [row.act[0], row.accuracy[0], row.wrong[0], row.budgetUsed[0]] : NOT_PRINTED
      return [{ label: 'Ours, pooled', printed, point: (splits) => rulePoint(splits, 'pooled') }]
    },
  },
]

export const realTable: Table = {
  number: null,
  name: 'real',
  title: 'The paper’s tables on real answers',
  text(measured) {
    if (measured.real.length === 0) return 'There are no recorded debates on this machine.'
    return `A cell reads **paper / twin / real**. A dash marks a number that does not exist. The paper's debates are not public, so no column is the paper's own
data. The real column is measured on recorded answers, with the same code as the twins.

${measured.real.map(({ world, splits }) => `- *${world.title}*: ${world.differs}; ${splits[0]!.debates} questions, ${splits[0]!.rounds} round${splits[0]!.rounds === 1 ? '' : 's'}.`).join('\n')}

${REAL_TABLES.map((table) => `### ${table.heading}\n\n${pointTable(table, measured)}`).join('\n\n')}

### Table 17: subgroups under the pooled multiplier

${subgroupText(measured)}

### Tables 20 and 22: the multiplier, and the budget used split by split

${lambdaText(measured)}

### Table 23: terms of the bound at the last round

${termsText(measured)}`
  },
}

function pointTable(table: RealTable, measured: Measurements): string {
  const rows = measured.real.flatMap((real) =>
    table.rows(real.world.like).map(({ label, printed, point }) => {
      const twin = twinOf(measured, real)
      const ours = [twin && point(twin), point(real)] as const
      const [act, accuracy, wrong, used] = printed
      return [
        real.world.title,
        label,
        triple(act?.toFixed(1), ours, (of) => percent(of.act.mean)),
        triple(accuracy?.toFixed(1), ours, (of) => (of.accuracy ? percent(of.accuracy.mean) : undefined)),
        triple(wrong?.toFixed(1), ours, (of) => percent(of.wrong.mean)),
        triple(used === null ? undefined : decimal(used, 3), ours, (of) => decimal(of.budgetUsed.mean, 3)),
        ours[1] ? decimal(ours[1].budgetUsed.max, 3) : NOTHING,
      ]
    }),
  )
  return markdownTable(['set', 'row', 'Act %', 'Acc %', 'WA %', 'WA / beta', 'worst split, real'], rows)
}

function subgroupText(measured: Measurements): string {
  const rows = measured.real
    .filter(({ world }) => world.like === 'mmlu-pro')
    .flatMap((real) => {
      const twin = twinOf(measured, real)
      const own = subgroupPoints(real)
      const twins = twin ? subgroupPoints(twin) : []
      return SUBGROUP_TABLE['mmlu-pro'].map((printed) => {
        const found = [twins, own].map((points) => points.find(({ group }) => group === printed.group) ?? null)
        const pair = [found[0] ?? null, found[1] ?? null] as const
        const orNothing = (value: number | null, text: (value: number) => string) =>
          value === null ? undefined : text(value)
        return [
          real.world.title,
          printed.group,
          triple(String(printed.size), pair, ({ size }) => String(size)),
          triple(decimal(printed.beta), pair, ({ asked }) => orNothing(asked, (value) => decimal(value))),
          triple(printed.act.toFixed(1), pair, ({ act }) => orNothing(act, (value) => percent(value))),
          triple(printed.accuracy?.toFixed(1), pair, (of) => orNothing(of.accuracy, (value) => percent(value))),
          triple(
            orNothing(printed.budgetUsed, (value) => decimal(value, 3)),
            pair,
            (of) => orNothing(of.budgetUsed, (value) => decimal(value, 3)),
          ),
        ]
      })
    })
  return markdownTable(['set', 'subgroup', 'n', 'beta', 'Act %', 'Acc %', 'WA / beta'], rows)
}

function lambdaText(measured: Measurements): string {
  const rows = measured.real.map((real) => {
    const { like, title } = real.world
    const both = [twinOf(measured, real), real] as const
    const stability = like && LAMBDA_STABILITY[like]
    const safety = entryOf(SPLIT_SAFETY, like)
    const chosen = (figure: (values: number[]) => number) => (of: MeasuredSplits) => {
      const values = chosenLambdas(of, 'usual')
      return values.length === 0 ? undefined : figure(values).toFixed(2)
    }
    const defers = (of: MeasuredSplits) => `${of.splits.length - chosenLambdas(of, 'usual').length}/${of.splits.length}`
    const error = (of: MeasuredSplits) => decimal(meanOf(of.splits.map(({ sweep }) => sweep.trainError)))
    return [
      title,
      triple(like ? decimal(INDUCED_BUDGETS[like].lastError) : undefined, both, error),
      triple(stability?.mean.toFixed(2), both, chosen(meanOf)),
      triple(stability?.median.toFixed(2), both, chosen(medianOf)),
      triple(
        stability?.min.toFixed(2),
        both,
        chosen((values) => Math.min(...values)),
      ),
      triple(
        stability?.max.toFixed(2),
        both,
        chosen((values) => Math.max(...values)),
      ),
      triple(stability ? `${stability.defers}/10` : undefined, both, defers),
      triple(safety ? decimal(safety.worst, 3) : undefined, both, (of) => {
        const used = usedBySplit(of)
        return used.length === 0 ? undefined : decimal(Math.max(...used), 3)
      }),
    ]
  })
  const header = ['set', 'e_T', 'lambda: mean', 'median', 'min', 'max', 'splits that defer', 'worst WA / beta, pooled']
  return markdownTable(header, rows)
}

function termsText(measured: Measurements): string {
  const rows = measured.real.map((real) => {
    const { like, title } = real.world
    const twin = twinOf(measured, real)
    const terms = [twin && meanTerms(twin), meanTerms(real)] as const
    const printed = like ? DECOMPOSITION[like] : null
    const cell = (term: 'mean' | 'envelope' | 'slack' | 'lower') =>
      triple(printed ? decimal(printed[term]) : undefined, terms, (of) => decimal(of[term]))
    return [title, cell('mean'), cell('envelope'), cell('slack'), cell('lower')]
  })
  return markdownTable(['set', 'mean', 'envelope', 'slack', 'L'], rows)
}

function twinOf({ twins }: Measurements, { world }: RealMeasurements): MeasuredSplits | null {
  return (world.like && twins.get(world.like)) ?? null
}

const NOTHING = '–'

/** `paper / twin / real`. */
function triple<Value>(
  printed: string | undefined,
  [twin, real]: readonly [Value | null, Value | null],
  text: (value: Value) => string | undefined,
): string {
  const words = [twin, real].map((value) => (value === null ? NOTHING : (text(value) ?? NOTHING)))
  return [printed ?? NOTHING, ...words].join(' / ')
}

/** The column of a benchmark in a table that does not have all of them. */
function entryOf<Value>(table: Readonly<Partial<Record<TwinName, Value>>>, like: TwinName | null): Value | undefined {
  return like === null ? undefined : table[like]
}

function printedShares(like: TwinName | null, delta: number, epsilon: number): Row['printed'] {
  const row = PRINTED_DELTAS.indexOf(delta)
  const column = PRINTED_EPSILONS.indexOf(epsilon)
  const shared = entryOf(BUDGET_SPLIT, like)?.[row]?.[column]
  if (shared) return shared
  const single = delta === 0.03 ? entryOf(EPSILON_TABLE, like)?.[EPSILONS.indexOf(epsilon)] : undefined
  return single ? [single[1], single[2], single[0], null] : NOT_PRINTED
}
