import { type Exclusion, exclusionOf } from '../kinds/kind.ts'
import { featureRows } from '../scores/features.ts'
import { type Score, scoreRows } from '../scores/score.ts'
import type { TotalPromise } from '../total/promise.ts'
import type { Fingerprint } from './fingerprint.ts'
import { panelCheck, type ReadDebate } from './read-debates.ts'
import { type Assessment, answerAt, type OpenReason } from './step.ts'
import { actsAtAll, classOf, type DebateStops, debateStops, type StoppingRule } from './stopping-rule.ts'

/** Rounds 1..t of a debate, up to the first round of another panel, which is not included. */
export interface ScoredPrefix extends DebateStops {
  readonly scores: Float64Array
  readonly exclusions: readonly (Exclusion | null)[]
}

/**
 * Scores all rounds of a debate whose panel is the calibrated one. The last debate is cached, because `decide` asks
 * about one debate round by round.
 */
export function prefixScorer(score: Score, fingerprint: Fingerprint): (debate: ReadDebate) => ScoredPrefix {
  const isCalibrated = panelCheck(fingerprint)
  let last: { readonly debate: ReadDebate; readonly prefix: ScoredPrefix } | null = null
  return (debate) => {
    if (last?.debate === debate) return last.prefix
    const most = Math.min(debate.rounds.length, score.layout.agents.length)
    let count = 0
    while (count < most && isCalibrated(debate, count + 1)) count++
    const rounds = debate.rounds.slice(0, count)
    const features = featureRows(score.layout, [{ rounds, group: debate.record.group }], count)
    const scores = features === null ? new Float64Array(0) : scoreRows(score, features)
    const prefix = { ...debateStops(debate, rounds, scores), scores, exclusions: rounds.map(exclusionOf) }
    last = { debate, prefix }
    return prefix
  }
}

interface Assessing {
  readonly rule: StoppingRule
  readonly promise: TotalPromise
  readonly deferredGroups: readonly string[]
}

/** The assessment of a debate after a round. */
export function assessTotal(assessing: Assessing, prefix: ScoredPrefix, debate: ReadDebate, round: number): Assessment {
  if (prefix.scores.length < round) return { kind: 'uncalibrated' }
  const { rule, promise } = assessing
  const { group } = debate.record
  const kind = prefix.kinds[round - 1]!
  const cut = rule.cutOf(group, round - 1, prefix.answers[round - 1])
  const base = {
    round,
    answer: answerAt(debate, round),
    threshold: promise.floor ?? 0,
    score: prefix.scores[round - 1]!,
    kind,
    ...(cut === null || cut === Infinity ? {} : { cut }),
  }
  const open = openReason(assessing, prefix, group, round)
  if (open !== null) return { kind: 'step', step: { ...base, lower: null, reason: open.reason }, isFinal: open.isFinal }
  const { rows, right, lower } = rule.limitOf(kind, group)
  const mean = right / rows
  const own = rule.outcomeOf(group)?.kinds.find((each) => each.kind === kind)
  const seen = own === undefined ? {} : { kindRows: own.rows, kindRight: own.right }
  const bound = { lower, neighbours: rows, successes: right, mean, envelope: 0, slack: mean - lower }
  return { kind: 'step', step: { ...base, ...bound, ...seen }, isFinal: true }
}

/** Why this round is not acted on, and whether that also rules out every later round; null if it is acted on. */
function openReason(
  { rule, promise, deferredGroups }: Assessing,
  prefix: ScoredPrefix,
  group: string | null,
  round: number,
): { readonly reason: OpenReason; readonly isFinal: boolean } | null {
  const forGood = (reason: OpenReason) => ({ reason, isFinal: true })
  if (deferredGroups.includes(group ?? '')) return forGood('group-deferred')
  const outcome = rule.outcomeOf(group)
  if (outcome === undefined || !actsAtAll(outcome, promise)) return forGood('nothing-certified')
  const kind = prefix.kinds[round - 1]!
  const stop = rule.stopAt({ ...prefix, scores: prefix.scores.subarray(0, round) }, group)
  if (stop.kind === 'open') {
    const below = rule.isBlocked(kind) ? 'kind-blocked' : 'score-low'
    return { reason: prefix.exclusions[round - 1] ?? below, isFinal: false }
  }
  if (stop.round < round) return forGood('stopped-before')
  if (stop.kind === 'act') return null
  if (rule.isCertified(group, kind)) return forGood('answer-refused')
  return forGood(classOf(outcome, kind) === undefined ? 'kind-unseen' : 'class-refused')
}
