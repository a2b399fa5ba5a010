import { isRightAt, type Step } from '@quorate/certificate'
import type { BoundRow } from '../figures/bound-bars.ts'
import { shortName } from '../figures/visible-text.ts'
import type { ExplainedDebate } from '../figures/waterfall.ts'
import { openStepText } from '../report/decision-sentences.ts'
import { boundedSteps, type DecidedDebate } from './decide-held-out.ts'

const ANSWER_LETTERS = 8

/**
 * Three debates, chosen by a fixed rule whether they are right or wrong: the first one that acts in the earliest round, the
 * first one that acts in the latest round, and the deferred one with the highest bound.
 */
export function exampleDebates(decided: readonly DecidedDebate[]): ExplainedDebate[] {
  const acted = decided.filter(({ actedAt }) => actedAt > 0)
  const earliest = acted.reduce((round, { actedAt }) => Math.min(round, actedAt), Infinity)
  const latest = acted.reduce((round, { actedAt }) => Math.max(round, actedAt), 0)
  const early = acted.find(({ actedAt }) => actedAt === earliest)
  const late = latest > earliest ? acted.find(({ actedAt }) => actedAt === latest) : undefined
  const deferred = decided.filter((debate) => debate.actedAt === 0 && boundedSteps(debate).length > 0)
  const nearest = deferred.reduce<DecidedDebate | undefined>(
    (best, debate) => (best === undefined || highest(debate) > highest(best) ? debate : best),
    undefined,
  )
  return [
    ...explained(early, `acts in round ${earliest}`),
    ...explained(late, `acts in round ${latest}`),
    ...explained(nearest, 'defers, nearest to the threshold'),
  ]
}

function highest(debate: DecidedDebate): number {
  return Math.max(...boundedSteps(debate).map(({ lower }) => lower))
}

function explained(decided: DecidedDebate | undefined, kind: string): ExplainedDebate[] {
  if (decided === undefined) return []
  const { debate, steps, actedAt } = decided
  const isRight = isRightAt(debate, actedAt || steps.length)
  const decision = actedAt > 0 ? 'act' : 'defer'
  const rows = steps.map((step, index) => {
    const isLast = index === steps.length - 1
    const mark = decision === 'act' && !isRight ? 'wrong' : decision
    return boundRow(step, isLast ? mark : null)
  })
  return [{ kind, id: debate.record.id, decision, isRight, rows }]
}

function boundRow(step: Step, mark: Extract<BoundRow, { lower: number }>['mark']): BoundRow {
  const label = `round ${step.round}: ${shortName(step.answer, ANSWER_LETTERS)}`
  if (step.lower === null) return { label, lower: null, reason: openStepText(step.reason) }
  const { lower, mean, envelope, slack, neighbours, successes } = step
  return { label, lower, mean, envelope, slack, rows: neighbours, successes, mark }
}
