import type { Debate } from '../beliefs/debate.ts'
import type { Certificate } from '../certificate/calibrate.ts'
import { readDebate } from '../certificate/read-debates.ts'
import type { OpenReason, Step } from '../certificate/step.ts'
import { panelOf } from './panel-of.ts'

/** `path` has the assessed rounds in order. */
export type Decision =
  | {
      readonly kind: 'act'
      readonly round: number
      readonly answer: string
      readonly bound: number
      readonly path: readonly Step[]
    }
  | { readonly kind: 'continue'; readonly path: readonly Step[] }
  | { readonly kind: 'defer'; readonly reason: DeferReason; readonly path: readonly Step[] }

/**
 * `class-refused`: the score is high enough, but the floor, an answer's own budget or a veto by counted labels refuses
 * debates of this kind, or no pilot debate of this kind was acted on. `group-deferred`: the user's rule.
 */
export type DeferReason =
  | 'bound-low'
  | 'too-few-labels'
  | 'uncalibrated'
  | 'budget-infeasible'
  | 'class-refused'
  | 'group-deferred'

/**
 * Acts at the first round whose bound reaches the threshold, returns `continue` while rounds remain, and then defers.
 * Rounds beyond the calibrated ones are ignored. In the profile `total`, a round has a bound only if its score reaches the
 * cut and its kind is certified; without a floor the threshold is 0, so that the cut decides.
 *
 * The guarantee is about new questions. The caller must check whether the debate's id is among `certificate.ids`.
 */
export function decide(certificate: Certificate, debate: Debate): Decision {
  const read = readDebate(panelOf('decide', certificate), debate, 'decide')
  if (!certificate.feasible) return { kind: 'defer', reason: 'budget-infeasible', path: [] }
  const path: Step[] = []
  for (let round = 1; round <= Math.min(read.rounds.length, certificate.rounds); round++) {
    const assessed = certificate.assess(read, round)
    if (assessed.kind === 'uncalibrated') return { kind: 'defer', reason: 'uncalibrated', path }
    const { step } = assessed
    path.push(step)
    if (step.lower !== null && step.lower >= step.threshold) {
      return { kind: 'act', round, answer: step.answer, bound: step.lower, path }
    }
    if (assessed.isFinal || round === certificate.rounds) return { kind: 'defer', reason: reasonOf(path), path }
  }
  // The protocol has no further round, so there is nothing to wait for.
  if (read.record.ended === 'protocol') return { kind: 'defer', reason: reasonOf(path), path }
  return { kind: 'continue', path }
}

const REFUSED: ReadonlySet<OpenReason> = new Set(['class-refused', 'answer-refused', 'kind-unseen', 'kind-vetoed'])

function reasonOf(path: readonly Step[]): DeferReason {
  const last = path.at(-1)
  if (last?.lower === null) {
    if (REFUSED.has(last.reason)) return 'class-refused'
    if (last.reason === 'group-deferred') return 'group-deferred'
    if (last.reason === 'nothing-certified') return 'too-few-labels'
  }
  const wasAssessed = path.some((step) => step.lower !== null)
  const lackedLabels = path.some((step) => step.lower === null && step.reason === 'too-few-labels')
  return !wasAssessed && lackedLabels ? 'too-few-labels' : 'bound-low'
}
