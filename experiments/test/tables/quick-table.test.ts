import { beforeAll, describe, expect, test } from 'vitest'
import { sized } from '../../../tools/lane.ts'
import { hasRecordedData, type RecordedName } from '../../src/data/recorded.ts'
import { evaluateSettings } from '../../src/evaluation/evaluate-setting.ts'
import { type OperatingPoint, operatingPoint } from '../../src/evaluation/operating-point.ts'
import { cells, PAPER, type Setting, SHIPPED } from '../../src/evaluation/settings.ts'
import { openWorld } from '../../src/worlds/worlds.ts'

/** The first three of the ten halves, and two of the four budgets. */
const SEEDS = [7, 11, 13]
const BETAS = [0.15, 0.3]
const MINUTE = 60_000

const COLUMNS = {
  paper: PAPER,
  tight: SHIPPED.tight,
  path: cells('path', 0.2),
  nominate: cells('nominate', 0.2),
  cells: SHIPPED.cells,
} as const satisfies Record<string, Setting>

type Column = keyof typeof COLUMNS

/** Mean Act % of the Python prototype on the very same rows (halves and pilots), by beta; run on 2026-11-15. */
const ALL_ROWS: readonly (readonly [RecordedName, Readonly<Record<Exclude<Column, 'cells'>, readonly number[]>>])[] = [
  ['mmlu-pro-conf-12models', { paper: [0, 36.7], tight: [43.8, 69.1], path: [41.3, 73.1], nominate: [38.8, 80.5] }],
  ['mmlu-pro-14models', { paper: [0, 44.5], tight: [16.7, 54.7], path: [24.6, 55.2], nominate: [25.0, 60.2] }],
  ['dylan-mmlu-3agents', { paper: [0, 0], tight: [0, 7.8], path: [0, 55.0], nominate: [0, 56.4] }],
]

const PROTOTYPE = sized({ short: ALL_ROWS.filter(([name]) => name !== 'mmlu-pro-14models'), full: ALL_ROWS })

describe.skipIf(!hasRecordedData)('three halves of the table, against the prototype on the same rows', () => {
  const measured = new Map<RecordedName, Record<Column, OperatingPoint[]>>()
  beforeAll(() => {
    for (const [name] of PROTOTYPE) measured.set(name, measure(name))
  }, 30 * MINUTE)

  const gaps = (column: Exclude<Column, 'cells'>) =>
    PROTOTYPE.flatMap(([name, prototype]) =>
      BETAS.map((_, at) => 100 * measured.get(name)![column][at]!.act.mean - prototype[column][at]!),
    )

  test('paper acts as often as the prototype, to 4 points, in every row', () => {
    for (const gap of gaps('paper')) expect(Math.abs(gap)).toBeLessThan(4)
  })

  test('tight is on average at most 3 points below its column', () => {
    expect(mean(gaps('tight'))).toBeGreaterThan(-3)
  })

  test('the better of path and nominate is on average at most 3 points below its column', () => {
    expect(Math.max(mean(gaps('path')), mean(gaps('nominate')))).toBeGreaterThan(-3)
  })

  test('no stopping round of tight or cells lies wholly below 1 - alpha - epsilon', () => {
    for (const [name, columns] of measured) {
      for (const column of ['tight', 'path', 'nominate', 'cells'] as const) {
        for (const [at, { line, perRound }] of columns[column].entries()) {
          for (const { round, high } of perRound) {
            const where = `${column} on ${name} at ${BETAS[at]}, round ${round}`
            expect(high ?? 1, where).toBeGreaterThanOrEqual(line)
          }
        }
      }
    }
  })

  test('no split uses its whole budget', () => {
    const points = [...measured.values()].flatMap((columns) => Object.values(columns).flat())
    expect(Math.max(...points.map(({ budgetUsed }) => budgetUsed.max))).toBeLessThan(1)
  })
})

/** By column, then by beta. */
function measure(name: RecordedName): Record<Column, OperatingPoint[]> {
  const draw = openWorld({ kind: 'recorded', name })
  const draws = SEEDS.map(draw)
  // Columns with the same setting share a fit.
  const outcomes = draws.map((drawn) => evaluateSettings(drawn, Object.values(COLUMNS), BETAS))
  const points = Object.keys(COLUMNS).map((column, place) => [
    column,
    BETAS.map((beta, at) =>
      operatingPoint(
        outcomes.map((bySetting) => bySetting[place]![at]!),
        beta,
      ),
    ),
  ])
  return Object.fromEntries(points) // the keys are those of COLUMNS
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
