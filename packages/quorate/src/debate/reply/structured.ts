import { z } from 'zod'
import type { JsonSchema, ModelReply } from '../../model/model.ts'
import { optionMatcher } from '../match-option.ts'
import { parseConfidence } from './parse-confidence.ts'
import { type AnswerForm, type ParsedAnswer, unreadable } from './parsed-answer.ts'

/** The schema that a provider holds a reply to. */
export function answerSchema({ options, hasConfidence }: Omit<AnswerForm, 'code'>): JsonSchema {
  const answer = { type: 'string', enum: options.map(({ name }) => name) }
  const confidence = hasConfidence ? { confidence: { type: 'number' } } : {}
  const properties = { reasoning: { type: 'string' }, answer, ...confidence }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** The part of a prompt that goes with the schema. */
export function structuredForm({ options, hasConfidence }: AnswerForm): string {
  const names = options.map(({ name }) => name).join('|')
  const confidence = hasConfidence ? ', "confidence": 0-100' : ''
  return [
    `Think step by step, then return a JSON object: {"reasoning": "...", "answer": "${names}"${confidence}}`,
    ...(hasConfidence ? ['The confidence is the probability, in percent, that your answer is right.'] : []),
  ].join('\n')
}

const Reply = z.object({ reasoning: z.string(), answer: z.string(), confidence: z.number().optional() })

/** The answer of a reply that is one JSON object, and nothing else. A quotation can only stand inside its reasoning. */
export function readStructured(text: string, finish: ModelReply['finish'], { options }: AnswerForm): ParsedAnswer {
  const parsed = Reply.safeParse(jsonOf(text))
  if (!parsed.success) return unreadable(finish === 'length' ? 'truncated' : 'no-answer')
  const { answer, confidence } = parsed.data
  const match = optionMatcher(options).whole(answer)
  if (match.kind === 'several') return unreadable('several-answers')
  if (match.kind === 'none') return unreadable('not-an-option')
  const stated = confidence === undefined ? null : parseConfidence(String(confidence))
  return { kind: 'answer', option: options[match.index]?.name ?? '', confidence: stated }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(/^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/u.exec(text)?.[1] ?? text)
  } catch {
    return undefined // read as any other reply that is none
  }
}
