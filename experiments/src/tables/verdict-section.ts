import type { RoundOutcome } from '../evaluation/operating-point.ts'
import { operatingPoint } from '../evaluation/operating-point.ts'
import { BETAS } from '../evaluation/settings.ts'
import { decimal, percent, signed } from './markdown.ts'
import type { Measurements } from './measurements.ts'
import { COLUMNS, COMPARED, type ComparedCell, type ComparedColumn, compareColumn } from './prototype-section.ts'

/** Points of Act, from the acceptance rules of the issue. */
const PAPER_TOLERANCE = 4
const MEAN_TOLERANCE = 3

export interface Verdict {
  readonly rule: string
  readonly holds: boolean
  readonly because: string
}

export function verdicts(measured: Measurements): Verdict[] {
  const compare = (column: ComparedColumn) => compareColumn(column, measured)
  const path = compare(COLUMNS.path)
  const nominate = compare(COLUMNS.nominate)
  const [betterName, better] = meanAct(path) > meanAct(nominate) ? ['path', path] : ['nominate', nominate]
  const stops = [COLUMNS.tight, COLUMNS.path, COLUMNS.nominate, COLUMNS.cells].flatMap((column) =>
    stoppingRounds(column, measured),
  )
  return [
    paperVerdict("against the method's table", compare(COLUMNS.paper), ({ gap }) => gap),
    paperVerdict('against the prototype on the same rows', compare(COLUMNS.paper), (cell) => cell.gapOnOurHalves),
    meanVerdict('tight', compare(COLUMNS.tight)),
    meanVerdict(`the better of the two cell variants (by mean Act: ${betterName})`, better!),
    meanVerdict('cells as shipped, against the better column in each row', compare(COLUMNS.cells)),
    roundsVerdict(stops),
  ]
}

export function verdictSection(measured: Measurements): string {
  const lines = verdicts(measured).map(
    ({ rule, holds, because }) => `- **${holds ? 'holds' : 'FAILS'}**: ${rule}: ${because}`,
  )
  const gaps = Object.values(COLUMNS).map((column) => {
    const cells = printed(compareColumn(column, measured))
    return `${column.name} ${signed(mean(cells.map(({ gap }) => gap)))}`
  })
  return `### Verdicts on the acceptance rules

${lines.join('\n')}

Mean gap in points of Act over the ten rows that the method prints: ${gaps.join(', ')}.

The interval of a stopping round pools the ten splits. A question is met in about five of them with the same label, so it
counts (sum of a)^2 / (sum of a^2) actions, a being how often a question was acted on in that round: fewer than were
made, more than one split has.
`
}

/** Rows of the method's table: it leaves out the two smaller budgets of dylan, where nobody acts. */
function printed(cells: readonly ComparedCell[]): ComparedCell[] {
  return cells.filter(({ world, beta }) => world.name !== 'dylan-mmlu-3agents' || beta >= 0.2)
}

function paperVerdict(against: string, cells: readonly ComparedCell[], gapOf: (cell: ComparedCell) => number): Verdict {
  const outside = cells.filter((cell) => Math.abs(gapOf(cell)) > PAPER_TOLERANCE)
  const worst = cells.reduce((a, b) => (Math.abs(gapOf(b)) > Math.abs(gapOf(a)) ? b : a))
  const named = outside.length > 0 ? outside : [worst]
  return {
    rule: `paper within ${PAPER_TOLERANCE} points of Act in every row, ${against}`,
    holds: outside.length === 0,
    because: `${outside.length === 0 ? 'largest gap' : 'gaps'} ${named.map((cell) => `${signed(gapOf(cell))} (${rowName(cell)})`).join(', ')}`,
  }
}

function meanVerdict(name: string, cells: readonly ComparedCell[]): Verdict {
  const gaps = printed(cells).map(({ gap }) => gap)
  const same = printed(cells).map(({ gapOnOurHalves }) => gapOnOurHalves)
  const worst = printed(cells).reduce((a, b) => (b.gap < a.gap ? b : a))
  return {
    rule: `${name} on average at most ${MEAN_TOLERANCE} points below its column`,
    holds: mean(gaps) >= -MEAN_TOLERANCE,
    because: `mean gap ${signed(mean(gaps))}, on the same rows ${signed(mean(same))}; lowest ${signed(worst.gap)} (${rowName(worst)})`,
  }
}

function rowName({ world, beta }: ComparedCell): string {
  return `\`${world.name}\` at ${decimal(beta)}`
}

interface StoppingRound {
  readonly name: string
  readonly line: number
  readonly pooled: RoundOutcome
  /** Splits whose own interval of this round lies wholly below the line. */
  readonly splitsBelow: number
  readonly splits: number
}

function stoppingRounds({ name, setting }: ComparedColumn, measured: Measurements): StoppingRound[] {
  return COMPARED.flatMap((world) =>
    BETAS.flatMap((beta) => {
      const { line, perRound } = measured.point(world, setting, beta)
      const alone = measured.splits(world, setting, beta).map((split) => operatingPoint([split], beta).perRound)
      return perRound.flatMap((pooled, at) => {
        if (pooled.accuracy === null) return []
        const splitsBelow = alone.filter((rounds) => isBelow(rounds[at]!, line)).length
        const where = `${name}, \`${world.name}\` at ${decimal(beta)}, round ${pooled.round}`
        return [
          { name: where, line, pooled, splitsBelow, splits: alone.filter((rounds) => rounds[at]!.share > 0).length },
        ]
      })
    }),
  )
}

function roundsVerdict(stops: readonly StoppingRound[]): Verdict {
  const below = stops.filter(({ pooled, line }) => isBelow(pooled, line))
  const pointBelow = stops.filter(({ pooled, line }) => pooled.accuracy! < line)
  const splits = stops.reduce((sum, stop) => sum + stop.splits, 0)
  const splitsBelow = stops.reduce((sum, stop) => sum + stop.splitsBelow, 0)
  return {
    rule: 'no stopping round of tight or cells whose 95 % interval lies wholly below 1 - alpha - epsilon',
    holds: below.length === 0,
    because: [
      `${below.length} of ${stops.length} pooled stopping rounds`,
      ...below.map((stop) => `  - ${describe(stop)}`),
      `  - rounds whose accuracy itself is below, interval or not: ${pointBelow.length}`,
      ...pointBelow.filter((stop) => !below.includes(stop)).map((stop) => `    - ${describe(stop)}`),
      `  - single splits, each with its own interval: ${splitsBelow} of ${splits} below`,
    ].join('\n'),
  }
}

function describe({ name, line, pooled }: StoppingRound): string {
  const { accuracy, low, high, share, effectiveActions } = pooled
  return `${name}: ${decimal(accuracy!, 3)} (${decimal(low!, 3)}-${decimal(high!, 3)}, counting ${effectiveActions}) against ${decimal(line)}; ${percent(share, 2)} % of the questions`
}

function isBelow({ high }: RoundOutcome, line: number): boolean {
  return high !== null && high < line
}

function meanAct(cells: readonly ComparedCell[]): number {
  return mean(printed(cells).map(({ point }) => point.act.mean))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
