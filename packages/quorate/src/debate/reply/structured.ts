import { z } from 'zod'
import type { JsonSchema, ModelReply } from '../../model/model.ts'
import { unfencedJson } from '../../text/json-line.ts'
import { optionMatcher } from '../match-option.ts'
import { parseConfidence } from './parse-confidence.ts'
import { type AnswerForm, isOpenAnswer, type ParsedAnswer, unreadable } from './parsed-answer.ts'

/** The schema that a provider enforces on a reply. */
export function answerSchema({ options, open, hasConfidence }: Omit<AnswerForm, 'code'>): JsonSchema {
  const names = options.map(({ name }) => name)
  const answer = open === undefined ? { type: 'string', enum: names } : { type: 'string' }
  const confidence = hasConfidence ? { confidence: { type: 'number' } } : {}
  const properties = { reasoning: { type: 'string' }, answer, ...confidence }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** The part of a prompt that goes with the schema. */
export function structuredForm({ options, open, hasConfidence }: AnswerForm): string {
  const names = open === undefined ? options.map(({ name }) => name).join('|') : '...'
  const confidence = hasConfidence ? ', "confidence": 0-100' : ''
  return [
    `Think step by step, then return a JSON object: {"reasoning": "...", "answer": "${names}"${confidence}}`,
    ...(open === undefined ? [] : [`The answer is a string: ${open.form}.`]),
    ...(hasConfidence ? ['The confidence is the probability, in percent, that your answer is right.'] : []),
  ].join('\n')
}

const Reply = z.strictObject({ reasoning: z.string(), answer: z.string(), confidence: z.number().optional() })

/**
 * The answer of a reply that is one JSON object with the keys of the schema, each once, and nothing else. A quotation
 * can only be inside its reasoning. A quotation whose quotation marks were not escaped would end the reasoning and add
 * its own keys, and a parser keeps the last of two equal keys, so such a reply is not read.
 */
export function readStructured(
  text: string,
  finish: ModelReply['finish'],
  { options, open }: AnswerForm,
): ParsedAnswer {
  const parsed = Reply.safeParse(jsonOf(text))
  if (!parsed.success) return unreadable(finish === 'length' ? 'truncated' : 'no-answer')
  const { answer, confidence } = parsed.data
  const stated = confidence === undefined ? null : parseConfidence(String(confidence))
  if (open !== undefined) {
    const text = answer.trim()
    return isOpenAnswer(text, open) ? { kind: 'answer', option: text, confidence: stated } : unreadable('not-an-option')
  }
  const match = optionMatcher(options).whole(answer)
  if (match.kind === 'several') return unreadable('several-answers')
  if (match.kind === 'none') return unreadable('not-an-option')
  return { kind: 'answer', option: options[match.index]?.name ?? '', confidence: stated }
}

function jsonOf(text: string): unknown {
  try {
    const json = unfencedJson(text)
    const value: unknown = JSON.parse(json)
    return keysIn(json) === keysIn(JSON.stringify(value)) ? value : undefined
  } catch {
    return undefined // unreadable, like any other reply without an answer
  }
}

/** Counts the keys in valid JSON: strings that a colon follows. Duplicate keys count each time. */
function keysIn(json: string): number {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gu)].filter(([, colon]) => colon !== undefined).length
}
