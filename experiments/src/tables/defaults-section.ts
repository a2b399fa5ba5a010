import { type Candidate, chooseSetting, TIE_POINTS } from '../evaluation/choose-setting.ts'
import type { SplitOutcome } from '../evaluation/operating-point.ts'
import { BETAS, SETTINGS, type Setting, TOTAL, TOTAL_PILOTS } from '../evaluation/settings.ts'
import { CHOOSING, CONFIRMING } from '../worlds/catalogue.ts'
import { SIMULATED_HALF, type World } from '../worlds/worlds.ts'
import { decimal, markdownTable, percent, signed } from './markdown.ts'
import { type Measurements, TABLE_SEEDS } from './measurements.ts'

interface Showing extends Candidate {
  readonly setting: Setting
  readonly worlds: readonly number[]
  readonly betas: readonly number[]
  readonly worstSplit: number
  readonly rounds: number
  /** Mean Act over worlds and budgets, seed by seed. */
  readonly seeds: readonly number[]
}

export function defaultsSection(measured: Measurements): string {
  const choosing = SETTINGS.map((setting) => showing(measured, CHOOSING, setting))
  const confirming = SETTINGS.map((setting) => showing(measured, CONFIRMING, setting))
  return `## 2. Settings of total: chosen on one half of the worlds, confirmed on the other

The one free choice of \`total\` is the pilot share: fewer pilot rows leave more to count, and a worse score. The criterion was fixed first: the largest
mean Act over worlds and budgets (${BETAS.map((beta) => decimal(beta)).join(', ')}) among the shares whose wrong-action rate, in the mean over splits, exceeded
beta nowhere; within ${TIE_POINTS} point of Act the one further up. *total* is the setting as shipped: 20 % of the labels, and 35 % below 600.

The other rows are no candidates, because they promise something else. They show what a promise costs:
- **Floor.** *none* gives up every class; *.70* is the usual floor of large budgets at every beta; *1 - beta* asks of every class what beta asks of all.
  The usual floor max(.70, 1 - 2 beta) keeps most of the Act of *.70* and refuses classes that are wrong twice as often as beta.
- **Promise.** *average* bounds the mean over calibration sets only. *delta* is the probability that a promise of this certificate fails; the usual
  one is .05, of which .03 are for the total and .02 for the floor.
- **Profiles.** Cells and tight as shipped; their promises are in \`docs/guarantees.md\`.

The last three worlds of each half are *simulated*: votes of nine agents over three rounds, ${SIMULATED_HALF} debates to calibrate and ${SIMULATED_HALF} to
test, drawn afresh for each of the ${TABLE_SEEDS.length} seeds; their wrong-action rate is computed from the known chance of being right, not from drawn labels.
*Less total, by seed* is the difference to \`total\` as shipped on the same halves: its mean and its standard deviation over the seeds. The two halves are
not independent: three of their recorded sets ask the same MMLU-Pro questions, and the trio of the confirming half is round 1 of the twelve models
of the choosing half. \`total\` itself was designed with some of these sets in view.

### Choosing half

${showingTable(CHOOSING, choosing, TOTAL)}

### Confirming half

${showingTable(CONFIRMING, confirming, TOTAL)}

### Pilot share

${winnerLines('total', TOTAL_PILOTS, choosing, confirming)}
`
}

function showing(measured: Measurements, worlds: readonly World[], setting: Setting): Showing {
  const points = worlds.map((world) => BETAS.map((beta) => measured.point(world, setting, beta)))
  const all = points.flat()
  return {
    setting,
    name: setting.name,
    act: mean(all.map(({ act }) => act.mean)),
    worlds: points.map((row) => mean(row.map(({ act }) => act.mean))),
    betas: BETAS.map((_, at) => mean(points.map((row) => row[at]!.act.mean))),
    budgetUsed: Math.max(...all.map(({ budgetUsed }) => budgetUsed.mean)),
    worstSplit: Math.max(...all.map(({ budgetUsed }) => budgetUsed.max)),
    rounds: mean(all.map(({ meanRounds }) => meanRounds)),
    seeds: TABLE_SEEDS.map((_, seed) =>
      mean(worlds.flatMap((world) => BETAS.map((beta) => actedShare(measured.splits(world, setting, beta)[seed]!)))),
    ),
  }
}

function showingTable(worlds: readonly World[], showings: readonly Showing[], winner: Setting): string {
  const reference = showings.find(({ setting }) => setting === winner)!
  const header = [
    'setting',
    ...worlds.map(({ name }) => name),
    ...BETAS.map((beta) => `beta ${decimal(beta)}`),
    'mean Act %',
    'less total, by seed',
    'budget used, worst mean',
    'worst split',
    'rounds',
  ]
  const rows = showings.map((shown) => [
    shown.name,
    ...shown.worlds.map((act) => percent(act)),
    ...shown.betas.map((act) => percent(act)),
    percent(shown.act),
    differenceBySeed(shown, reference),
    decimal(shown.budgetUsed),
    decimal(shown.worstSplit),
    shown.rounds.toFixed(2),
  ])
  return markdownTable(header, rows)
}

/** Mean and standard deviation over seeds of the difference in percentage points, which shows how much one seed matters. */
function differenceBySeed(shown: Showing, reference: Showing): string {
  if (shown === reference) return ''
  const differences = shown.seeds.map((act, seed) => 100 * (act - reference.seeds[seed]!))
  const average = mean(differences)
  const variance =
    mean(differences.map((value) => (value - average) ** 2)) * (differences.length / (differences.length - 1))
  return `${signed(average)}, sd ${Math.sqrt(variance).toFixed(1)}`
}

function actedShare({ actedAt }: SplitOutcome): number {
  return actedAt.filter((round) => round > 0).length / actedAt.length
}

function winnerLines(
  title: string,
  candidates: readonly Setting[],
  choosing: readonly Showing[],
  confirming: readonly Showing[],
): string {
  const among = (showings: readonly Showing[]) =>
    candidates.map((candidate) => showings.find(({ setting }) => setting === candidate)!)
  const chosen = chooseSetting(among(choosing))
  const confirmed = chooseSetting(among(confirming))
  if (!chosen || !confirmed) return `- **${title}**: no setting kept its budget.`
  const there = among(confirming).find(({ setting }) => setting === chosen.setting)!
  const best = among(confirming).toSorted((a, b) => b.act - a.act)[0]!
  return `- **${title}**: the choosing half picks *${chosen.name}* (${percent(chosen.act)} %). On the confirming half it acts on ${percent(there.act)} % and uses at
  most ${decimal(there.budgetUsed)} of its budget; that half by itself would pick *${confirmed.name}* (${percent(confirmed.act)} %), and the most automation there is
  *${best.name}* (${percent(best.act)} %, ${signed(100 * (best.act - there.act))} points).`
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
