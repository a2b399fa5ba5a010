import type { Decision, DeferReason, Step } from '@quorate/certificate'
import { comparedText, countText, probabilityText } from './number-text.ts'
import { plainText } from './plain-text.ts'

/** How a certificate finds the labelled debates to compare with. */
export type Comparison = 'cells' | 'knn'

/** What the bound of one round rests on: counts, never a bare "confidence". */
export function evidenceSentence(step: Step, comparison: Comparison): string {
  if (step.lower !== null) {
    const [rows, right] = [countText(step.neighbours), countText(step.successes)]
    return comparison === 'cells'
      ? `of ${rows} labelled debates that went the same way, ${right} were right`
      : `of the ${rows} nearest labelled debates, ${right} were right`
  }
  switch (step.reason) {
    case 'too-few-labels':
      return 'no bound: too few labelled debates to compare with'
    case 'no-vote':
      return 'no bound: no agent voted'
    case 'not-nominated':
      return step.score === undefined
        ? 'not compared'
        : `not compared: its score ${probabilityText(step.score)} is too low`
  }
}

/** The decision in words, with the numbers that made it. */
export function verdictSentence(decision: Decision, threshold: number): string {
  switch (decision.kind) {
    case 'act': {
      const [bound, line] = comparedText(decision.bound, threshold)
      return `act in round ${decision.round} with ${plainText(decision.answer)}: the bound ${bound} reaches the line ${line}`
    }
    case 'defer':
      return `defer to a person (${decision.reason}): ${deferral(decision.reason, decision.path, threshold)}`
    case 'continue':
      return `continue: the line ${probabilityText(threshold)} is not reached and rounds remain`
  }
}

function deferral(reason: DeferReason, path: readonly Step[], threshold: number): string {
  switch (reason) {
    case 'bound-low': {
      const best = Math.max(...path.flatMap(({ lower }) => lower ?? []))
      if (best === Number.NEGATIVE_INFINITY) return `its score stayed too low to be compared in ${heldText(path)}`
      const [bound, line] = comparedText(best, threshold)
      return `best bound in ${heldText(path)} ${bound}, line ${line}`
    }
    case 'too-few-labels':
      return `too few labelled debates to compare with in ${heldText(path)}`
    case 'uncalibrated':
      return 'this panel is not the one that was calibrated'
    case 'budget-infeasible':
      return 'the budget leaves no room for any wrong action'
  }
}

function heldText({ length }: readonly Step[]): string {
  return length === 1 ? '1 round' : `${length} rounds`
}
