import type { AgentTurn, Debate } from '@quorate/certificate'
import { compareCodePoints } from '../record/code-points.ts'
import type { Question } from '../record/question.ts'

/** What one agent said in one round, with its words. */
export interface DebateTurn extends AgentTurn {
  readonly beliefs: Readonly<Record<string, number>> | null
  /** Open answers: what the agent answered; `answer` is the class of it. */
  readonly answer_text?: string | null
  /** The reply, verbatim; where a reminder was needed both replies, a blank line between. */
  readonly text: string
  /** Of all calls of the turn; null where a provider did not say. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null
  /** Ids of the models that answered, as the provider returned them; absent where it gave none. */
  readonly served?: readonly string[]
}

/** A debate in the interchange format, as far as it has come. */
export interface DebateSoFar extends Debate {
  readonly quorate: 1
  readonly question: string
  readonly group: string | null
  readonly gold: string | null
  /** Open answers: the right one in words. */
  readonly gold_text?: string
  /** Open answers that a model compares: ids of the models that did so in each round, as the provider gave them back. */
  readonly judged_by?: readonly (readonly string[])[]
  readonly rounds: readonly (readonly DebateTurn[])[]
}

export interface OpenFacts {
  /** Of open answers, the classes that are right as far as they are known; null where only grades say so. */
  readonly correct: readonly string[] | null
  /** Who compared the answers of each round; null where no model does. */
  readonly judgedBy: readonly (readonly string[])[] | null
}

export function debateSoFar(
  question: Question,
  rounds: readonly (readonly DebateTurn[])[],
  { correct, judgedBy }: OpenFacts = { correct: null, judgedBy: null },
): DebateSoFar {
  const { id, group, gold, goldText } = question
  const right = {
    gold,
    ...(goldText === undefined ? {} : { gold_text: goldText }),
    ...(correct === null ? {} : { correct }),
  }
  return {
    quorate: 1,
    id,
    group,
    question: question.question,
    options: optionsOf(question),
    ...right,
    ...(judgedBy === null ? {} : { judged_by: [...judgedBy] }),
    rounds: [...rounds],
  }
}

/** As an object where there are texts and its order, by code point, is the question's; else names in order. */
function optionsOf({ options }: Question): Debate['options'] {
  const names = options.map(({ name }) => name)
  const hasTexts = options.some(({ name, text }) => name !== text)
  const isSorted = names.every((name, index) => index === 0 || compareCodePoints(names[index - 1] ?? '', name) < 0)
  if (!hasTexts || !isSorted) return names
  return byName(options.map(({ name, text }) => [name, text]))
}

/** An object without a prototype: `__proto__` is a legal name. */
export function byName<Value>(entries: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  const object: Record<string, Value> = Object.create(null)
  for (const [name, value] of entries) object[name] = value
  return object
}
