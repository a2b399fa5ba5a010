import type { AgentTurn, Debate } from '@quorate/certificate'
import { compareCodePoints } from '../record/code-points.ts'
import type { Question } from '../record/question.ts'

/** What one agent said in one round, with its words. */
export interface DebateTurn extends AgentTurn {
  readonly beliefs: Readonly<Record<string, number>> | null
  /** Open answers: what the agent answered; `answer` is the class of it. */
  readonly said?: string | null
  /** The reply word for word; where a reminder was needed both replies, a blank line between. */
  readonly text: string
  /** Of all calls of the turn; null where a provider did not say. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null
  /** Ids of the models that answered, as the provider gave them back; absent where it gave none. */
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
  readonly rounds: readonly (readonly DebateTurn[])[]
}

/** `correct`: of open answers, the classes that are right as far as they are known. */
export function debateSoFar(
  question: Question,
  rounds: readonly (readonly DebateTurn[])[],
  correct: readonly string[] = [],
): DebateSoFar {
  const { id, group, gold, goldText } = question
  const right = goldText === undefined ? { gold } : { gold, gold_text: goldText, correct }
  return {
    quorate: 1,
    id,
    group,
    question: question.question,
    options: optionsOf(question),
    ...right,
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
