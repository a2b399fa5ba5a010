import { fitPilotScore } from '../certificate/fit-pilot-score.ts'
import type { ReadPanel } from '../certificate/panel.ts'
import { prefixOf } from '../certificate/step.ts'
import { type LearnedFeatures, learnedLogOdds, ROWS_FOR_ALL_FEATURES } from '../states/learned-state.ts'
import type { ScorePath } from './score-policy.ts'
import type { TrainingRows } from './training-rows.ts'

/**
 * The learned score of the cells certificate: per round a logistic regression on pilot rows, as a probability. NaN where
 * the pilot's labels are of one kind, or where other agents sit on the panel than those it has learned.
 */
export function pilotScore(training: TrainingRows, pilot: readonly number[]): ScorePath {
  const { panels, rounds } = training
  const fits = Array.from({ length: rounds }, (_, at) =>
    fitPilotScore({ ...training, pilot }, at + 1, featuresFor(panels, pilot.length, at)),
  )
  return (panel, round) =>
    fits.slice(0, round).map((fit, at) => {
      const logOdds = fit && learnedLogOdds(fit, prefixOf(panel, at + 1), panel.record.group)
      return logOdds === null ? Number.NaN : 1 / (1 + Math.exp(-logOdds))
    })
}

function featuresFor(panels: readonly ReadPanel[], pilotRows: number, at: number): LearnedFeatures {
  if (pilotRows < ROWS_FOR_ALL_FEATURES) return 'path-only'
  const first = panels[0]!.rounds[at]!.agents
  const names = new Set(first)
  const hasSameAgents = panels.every(({ rounds }) => {
    const { agents } = rounds[at]!
    // Mostly they stand in the same order, which is the faster question.
    if (agents === first) return true
    return agents.length === first.length && agents.every((name, seat) => name === first[seat] || names.has(name))
  })
  return hasSameAgents ? 'by-agent' : 'by-spread'
}
