import type { RoundSummary } from '../beliefs/debate.ts'
import { exclusionOf, type KindCode, kindOf } from '../kinds/kind.ts'
import type { TotalOutcome } from '../total/count.ts'
import type { TotalDesign } from '../total/design.ts'
import type { ClassCount } from '../total/judge-classes.ts'
import type { TotalPromise } from '../total/promise.ts'
import type { ReadDebate } from './read-debates.ts'

/**
 * By group if the certificate is group-conditional, else one outcome of all questions, under null. Debates without a group and
 * those of a group with an empty name are one group, because a file does not tell them apart.
 */
export type TotalOutcomes = ReadonlyMap<string | null, TotalOutcome>

/** What the policy that passed the tests does with a debate. */
export interface StoppingRule {
  /** The outcome that decides debates of this group, or without one; undefined for a group without labels. */
  outcomeOf(group: string | null): TotalOutcome | undefined
  /** The cut of a round for a debate with this answer; null if no policy passed. */
  cutOf(group: string | null, at: number, answer: string | undefined): number | null
  isCertified(group: string | null, kind: KindCode): boolean
  isBlocked(kind: KindCode): boolean
  stopAt(debate: DebateStops, group: string | null): Stop
  limitOf(kind: KindCode, group: string | null): ClassLimit
}

/** One entry per round. */
export interface DebateStops {
  readonly scores: ArrayLike<number>
  readonly kinds: ArrayLike<KindCode>
  readonly excluded: ArrayLike<number>
  /** Names of the panel's answers. */
  readonly answers: ArrayLike<string>
}

/** What the rule sees of a debate with these scores. The rounds may be fewer than those of the debate. */
export function debateStops(
  debate: ReadDebate,
  rounds: readonly RoundSummary[],
  scores: DebateStops['scores'],
): DebateStops {
  return {
    scores,
    kinds: rounds.map((summary, at) => kindOf(summary, at + 1)),
    excluded: rounds.map((summary) => Number(exclusionOf(summary) !== null)),
    answers: rounds.map(({ prediction }) => debate.record.options[prediction]!),
  }
}

/**
 * `round` counts from 1. `refused`: the policy stops there, but the debate is deferred for good because its kind is not
 * certified, its answer is refused, or its group always goes to a person.
 */
export type Stop =
  | { readonly kind: 'act' | 'refused'; readonly round: number }
  /** No round so far has reached its cut. */
  | { readonly kind: 'open' }

export interface ClassLimit {
  readonly rows: number
  readonly right: number
  readonly lower: number
}

interface Counted {
  readonly promise: TotalPromise
  readonly design: TotalDesign
  readonly outcomes: TotalOutcomes
  readonly groupConditional: boolean
  readonly deferredGroups: readonly string[]
}

export function stoppingRule({ promise, design, outcomes, groupConditional, deferredGroups }: Counted): StoppingRule {
  const certified = new Map([...outcomes].map(([group, outcome]) => [group, certifiedKinds(outcome, promise)]))
  const blocked = new Set(design.blocked)
  const answerAtPlace = new Map(promise.answers.map(({ answer }, place) => [answer, place]))
  const keyOf = (group: string | null) => (groupConditional ? (group ?? '') : null)
  const outcomeOf = (group: string | null) => outcomes.get(keyOf(group))
  const isBlocked = (kind: KindCode) => blocked.has(kind)
  const isCertified = (group: string | null, kind: KindCode) => {
    const kinds = certified.get(keyOf(group))
    return kinds === 'all' || (kinds?.has(kind) ?? false)
  }
  const cutOf = (group: string | null, at: number, answer: string | undefined) => {
    const chosen = outcomeOf(group)?.chosen
    if (chosen === undefined || chosen === null) return null
    const place = answer === undefined ? undefined : answerAtPlace.get(answer)
    const cuts = place === undefined ? design.policies[chosen]! : design.ownCuts[chosen]![place]!
    return Math.max(design.least, cuts[at]!)
  }
  return {
    outcomeOf,
    cutOf,
    isCertified,
    isBlocked,
    stopAt({ scores, kinds, excluded, answers }, group) {
      for (let at = 0; at < scores.length; at++) {
        const cut = cutOf(group, at, answers[at])
        if (cut === null) return { kind: 'open' }
        if (excluded[at] || isBlocked(kinds[at]!) || !(scores[at]! >= cut)) continue
        const isRefused =
          !isCertified(group, kinds[at]!) ||
          deferredGroups.includes(group ?? '') ||
          isRefusedAnswer(outcomeOf(group), answers[at])
        return { kind: isRefused ? 'refused' : 'act', round: at + 1 }
      }
      return { kind: 'open' }
    },
    limitOf(kind, group) {
      const outcome = outcomeOf(group)
      if (outcome === undefined || outcome.chosen === null) return { rows: 0, right: 0, lower: 0 }
      return classOf(outcome, kind) ?? everything(outcome)
    },
  }
}

export function actsAtAll({ chosen, classes }: TotalOutcome, { floor }: TotalPromise): boolean {
  return chosen !== null && (floor === null || classes.some(({ state }) => state === 'acts'))
}

export function classOf({ classes }: TotalOutcome, kind: KindCode): ClassCount | undefined {
  return classes.find(({ kinds, vetoed }) => kinds.includes(kind) || vetoed.includes(kind))
}

function isRefusedAnswer(outcome: TotalOutcome | undefined, answer: string | undefined): boolean {
  return outcome?.answers.some((each) => each.answer === answer && each.state === 'refused') ?? false
}

function certifiedKinds(outcome: TotalOutcome, { floor }: TotalPromise): ReadonlySet<KindCode> | 'all' {
  if (outcome.chosen === null) return new Set()
  if (floor === null) return 'all'
  return new Set(outcome.classes.filter(({ state }) => state === 'acts').flatMap(({ kinds }) => kinds))
}

/** Without a floor there is one class with everything. Its limit is printed but not tested. */
function everything({ policies, chosen, limit }: TotalOutcome): ClassLimit {
  const { stopped, wrong } = policies[chosen!]!
  return { rows: stopped, right: stopped - wrong, lower: limit }
}
