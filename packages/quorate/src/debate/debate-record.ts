import { type AgentTurn, compareCodePoints, type Debate } from '@quorate/certificate'
import type { Question } from '../record/question.ts'

/** What one agent said in one round, verbatim. */
export interface DebateTurn extends AgentTurn {
  readonly beliefs: Readonly<Record<string, number>> | null
  /** Open answers: the agent's answer; `answer` is its class. */
  readonly answer_text?: string | null
  /** The reply, verbatim. After a reminder it has both replies with a blank line between them. */
  readonly text: string
  /** Of all calls of the turn; null if a provider did not report it. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null
  /** Ids of the models that answered, as the provider returned them; absent if it returned none. */
  readonly served?: readonly string[]
}

/** A debate in the interchange format, as far as it has come. */
export interface DebateSoFar extends Debate {
  readonly quorate: 1
  readonly question: string
  readonly group: string | null
  readonly gold: string | null
  /** Open answers: the right answer in words. */
  readonly gold_text?: string
  /** Open answers that a model compares: ids of the models that did so in each round, as the provider returned them. */
  readonly judged_by?: readonly (readonly string[])[]
  readonly rounds: readonly (readonly DebateTurn[])[]
}

export interface OpenFacts {
  /** Open answers: the classes that are right as far as they are known; null if only grades say so. */
  readonly correct: readonly string[] | null
  /** The models that compared the answers of each round; null if no model does. */
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

/** An object if the options have texts and their order is by code point, else the names in order. */
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
