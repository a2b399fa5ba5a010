import type { RoundOutcome } from '../evaluation/operating-point.ts'
import { BETAS, SETTINGS, type Setting } from '../evaluation/settings.ts'
import { WORLDS } from '../worlds/catalogue.ts'
import type { World } from '../worlds/worlds.ts'
import { decimal, markdownTable, percent } from './markdown.ts'
import type { Measurements } from './measurements.ts'

interface Place {
  readonly world: World
  readonly setting: Setting
  readonly beta: number
}

/**
 * A stopping round of a simulated truth that was right less often than its threshold, with the settings of one profile
 * together.
 */
interface LowRound {
  readonly where: string
  readonly profile: string
  readonly line: number
  readonly rounds: readonly RoundOutcome[]
}

export function overspendingSection(measured: Measurements): string {
  const places = WORLDS.flatMap((world) =>
    SETTINGS.flatMap((setting) => BETAS.map((beta): Place => ({ world, setting, beta }))),
  )
  const used = ({ world, setting, beta }: Place) => measured.point(world, setting, beta).budgetUsed
  const inMean = places.filter((place) => used(place).mean > 1)
  const inSplit = places.filter((place) => used(place).max > 1 && used(place).mean <= 1)
  const low = lowRounds(measured, places)
  return `## 3. Where more than the budget was used

- In the mean over splits: ${inMean.length} of ${places.length} (world, setting, beta).${listed(inMean, (place) => used(place).mean)}
- In some split, though not in the mean: ${inSplit.length} of ${places.length}.${listed(inSplit, (place) => used(place).max)}
- Stopping rounds of simulated truths whose known accuracy, over all draws, is below 1 - alpha - epsilon (below the floor for total). The guarantee of cells allows
  such rounds within delta: where the truth lies just below the threshold everywhere, an action can only be the unlucky calibration set
  that delta pays for. Total promises its floor for classes of kinds and not for rounds. The k-NN profiles assume such rounds away (epsilon, envelope).

${markdownTable(
  ['truth', 'profile', 'settings', 'line', 'lowest accuracy', 'largest share of questions %'],
  low.map(({ where, profile, line, rounds }) => [
    where,
    profile,
    String(rounds.length),
    decimal(line),
    decimal(Math.min(...rounds.map(({ accuracy }) => accuracy ?? 1)), 3),
    percent(Math.max(...rounds.map(({ share }) => share)), 2),
  ]),
)}
`
}

function lowRounds(measured: Measurements, places: readonly Place[]): LowRound[] {
  const found = new Map<string, LowRound>()
  for (const { world, setting, beta } of places) {
    if (world.kind === 'recorded') continue
    const { line, perRound } = measured.point(world, setting, beta)
    for (const round of perRound) {
      if (round.accuracy === null || round.accuracy >= line) continue
      const where = `${world.name} at ${decimal(beta)}, round ${round.round}`
      const key = `${where} ${setting.profile} ${line}`
      const rounds = [...(found.get(key)?.rounds ?? []), round]
      found.set(key, { where, profile: setting.profile, line, rounds })
    }
  }
  return [...found.values()]
}

function listed(places: readonly Place[], used: (place: Place) => number): string {
  return places
    .map(
      (place) =>
        `\n  - ${place.setting.name} on \`${place.world.name}\` at ${decimal(place.beta)}: ${decimal(used(place))}`,
    )
    .join('')
}
