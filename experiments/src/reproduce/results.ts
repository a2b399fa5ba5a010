import { z } from 'zod'
import { CLAIMS } from './claims/all-claims.ts'
import { REAL_CLAIMS } from './claims/real.ts'
import { DELTA, EPSILON, FIVE_BUDGETS } from './measure/budgets.ts'
import { OPERATING_RULES } from './measure/operating-budgets.ts'
import { meanOf, type Point } from './measure/outcome.ts'
import { ABSOLUTE_BETAS } from './measure/paper-cells.ts'
import type { PolicyCells } from './measure/policy-cells.ts'
import { absolutePoint } from './tables/fixed-budgets.ts'
import { rulePoint } from './tables/lambda.ts'
import { fiveBudgetPoint } from './tables/recorded.ts'
import type { MeasuredSplits, Measurements } from './tasks.ts'

const share = z.number().describe('a share of 1, rounded to three decimals')

const point = z
  .strictObject({
    beta: share.nullable().describe('mean over the splits that have a budget'),
    splits: z.int(),
    budgeted: z.int().describe('splits that have a budget'),
    acting: z.int().describe('splits with an action'),
    act: share,
    accuracy: share.nullable().describe('mean over the splits that acted'),
    wrong: share.describe('acted on and wrong, of all questions'),
    budgetUsed: share,
    worstBudgetUsed: share,
    rounds: z.number(),
  })
  .describe('means over splits')

const world = z.strictObject({
  name: z.string(),
  debates: z.int().nullable(),
  rounds: z.int(),
  paper: z
    .strictObject({
      finalError: share,
      lambda: z.number().nullable(),
      operating: z.record(z.enum(OPERATING_RULES), point),
      absolute: z.array(point),
    })
    .nullable()
    .describe("the paper's method; null where only policies were run"),
  policies: z.array(
    z.strictObject({
      name: z.string(),
      unfit: z.string().nullable().describe('why the policy could not be fitted'),
      points: z.array(point).describe('at beta .05, .10, .15, .20 and .30'),
    }),
  ),
})

const claim = z.strictObject({
  claim: z.string(),
  place: z.string(),
  set: z.string(),
  verdict: z.string(),
  numbers: z.string(),
})

/** The numbers of one part of the results, in machine-readable form. */
export const resultsFile = z.strictObject({
  format: z.literal('quorate-results-1'),
  part: z.enum(['twins', 'recorded']),
  seeds: z.array(z.int()),
  delta: z.number(),
  epsilon: z.number(),
  worlds: z.array(world),
  claims: z.array(claim),
})

export type ResultsFile = z.infer<typeof resultsFile>

export function resultsSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(resultsFile), null, 2)}\n`
}

export function twinResults(measured: Measurements): ResultsFile {
  const claims = CLAIMS.flatMap(({ claims: own }) =>
    own.map(({ claim: text, place, test }) => {
      const { verdict, sentence } = test(measured)
      return { claim: text, place, set: 'twins', verdict, numbers: sentence }
    }),
  )
  const worlds = [...measured.twins].map(([name, twin]) => worldOf(`${name} twin`, twin.splits, twin))
  return { ...headOf(measured, 'twins'), worlds, claims }
}

export function recordedResults(measured: Measurements): ResultsFile {
  const claims = REAL_CLAIMS.flatMap(({ claim: text, place, test }) =>
    measured.real.flatMap((real) => {
      const found = test(real)
      if (found === null) return []
      return [{ claim: text, place, set: real.world.name, verdict: found.verdict, numbers: found.sentence }]
    }),
  )
  const isReal = (name: string) => measured.real.some((real) => real.world.name === name)
  const worlds = [
    ...measured.real.map((real) => worldOf(real.world.name, real.splits, real)),
    ...measured.recorded.filter(({ name }) => !isReal(name)).map(({ name, splits }) => worldOf(name, splits, null)),
  ]
  return { ...headOf(measured, 'recorded'), worlds, claims }
}

function headOf({ seeds }: Measurements, part: ResultsFile['part']) {
  return { format: 'quorate-results-1' as const, part, seeds: [...seeds], delta: DELTA, epsilon: EPSILON }
}

type Splits = readonly {
  readonly rounds: number
  readonly debates: number
  readonly policies: readonly PolicyCells[]
}[]

function worldOf(name: string, splits: Splits, own: MeasuredSplits | null): ResultsFile['worlds'][number] {
  const [first] = splits
  return {
    name,
    debates: first?.debates ?? null,
    rounds: first?.rounds ?? 0,
    paper: own && {
      finalError: rounded(meanOf(own.splits.map(({ sweep }) => sweep.trainError))),
      lambda: own.pooledLambda === null ? null : rounded(own.pooledLambda),
      operating: byRule(own),
      absolute: ABSOLUTE_BETAS.map((beta) => pointFile(absolutePoint(own, beta))),
    },
    policies: (first?.policies ?? []).map((policy) => {
      const points = FIVE_BUDGETS.map((_, place) => fiveBudgetPoint(splits, policy.name, place))
      const unfit = points.find((found) => typeof found === 'string') ?? null
      return {
        name: policy.name,
        unfit,
        points: points.flatMap((found) => (typeof found === 'string' ? [] : [pointFile(found)])),
      }
    }),
  }
}

function byRule(own: MeasuredSplits): NonNullable<ResultsFile['worlds'][number]['paper']>['operating'] {
  const entries = OPERATING_RULES.map((rule) => [rule, pointFile(rulePoint(own, rule))] as const)
  return Object.fromEntries(entries) as ReturnType<typeof byRule> // one entry for each rule
}

function pointFile({ beta, splits, budgeted, acting, act, accuracy, wrong, budgetUsed, rounds }: Point) {
  return {
    beta: beta === null ? null : rounded(beta),
    splits,
    budgeted,
    acting,
    act: rounded(act.mean),
    accuracy: accuracy && rounded(accuracy.mean),
    wrong: rounded(wrong.mean),
    budgetUsed: rounded(budgetUsed.mean),
    worstBudgetUsed: rounded(budgetUsed.max),
    rounds: rounded(rounds),
  }
}

function rounded(value: number): number {
  return Math.round(1000 * value) / 1000
}
