import { compareCodePoints } from '../questions/code-points.ts'

/**
 * The interchange JSON of a debate with nothing left but what a decision needs: names, answers and numbers. Imported
 * debates keep fields that nobody knows, so what stays is listed, and everything else goes.
 */
export function redactedDebate(json: string): string {
  const debate: unknown = JSON.parse(json)
  return isObject(debate) ? JSON.stringify(withoutTexts(debate)) : 'null'
}

/** The same of a debate that is parsed already. */
export function withoutTexts(debate: Fields): Fields {
  return kept(debate, {
    quorate: numberOf,
    id: textOf,
    question_of: textOf,
    group: textOf,
    question: () => null,
    options: optionNames,
    gold: textOf,
    isDrawn: (isDrawn) => isDrawn !== false,
    ended: textOf,
    rounds: (rounds) => listOf(rounds, (round) => listOf(round, keptTurn)),
    failure: (failure) => (isObject(failure) ? kept(failure, { agent: textOf, round: numberOf }) : null),
  })
}

function keptTurn(turn: unknown): unknown {
  if (!isObject(turn)) return null
  return kept(turn, {
    agent: textOf,
    answer: textOf,
    beliefs: (beliefs) => (isObject(beliefs) ? Object.fromEntries(Object.entries(beliefs).filter(isNumbered)) : null),
    conf: (conf) => (isObject(conf) ? kept(conf, { verbal: numberOf }) : null),
    samples: (samples) => listOf(samples, textOf),
    text: () => null,
    usage: (usage) => (isObject(usage) ? kept(usage, { inputTokens: numberOf, outputTokens: numberOf }) : null),
    served: (served) => listOf(served, textOf),
  })
}

/** A map from names to texts becomes its names, in the order that the format gives them. */
function optionNames(options: unknown): unknown {
  if (isObject(options)) return Object.keys(options).sort(compareCodePoints)
  return listOf(options, (option) => (isObject(option) ? textOf(option['name']) : textOf(option)))
}

type Fields = Readonly<Record<string, unknown>>

/** The fields that are listed, in the order in which they stood. */
function kept(value: Fields, fields: Readonly<Record<string, (member: unknown) => unknown>>): Fields {
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const keep = Object.hasOwn(fields, name) ? fields[name] : undefined
    return keep === undefined ? [] : [[name, keep(member)] as const]
  })
  return Object.fromEntries(entries)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function isNumbered([, share]: readonly [string, unknown]): boolean {
  return typeof share === 'number'
}

function listOf(value: unknown, item: (item: unknown) => unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value.map(item) : null
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
