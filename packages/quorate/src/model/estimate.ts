import type { PriceTable } from './price-table.ts'
import { costOf, priceOf } from './prices.ts'

/** A call that has not been made: the length of its prompt, and how long its reply may be. */
export interface PlannedCall {
  readonly model: string
  /** Characters of template, question and options. */
  readonly promptCharacters: number
  /** Replies of the previous round that the prompt quotes. */
  readonly quotedReplies: number
  readonly maxOutputTokens: number
}

/** A guess with its lower and upper end. */
export interface Spread {
  readonly low: number
  readonly expected: number
  readonly high: number
}

export interface Estimate {
  readonly inputTokens: Spread
  readonly outputTokens: Spread
  /** Null if any price is unknown. */
  readonly microUsd: Spread | null
}

/** Low: terse English. High: every reply as long as allowed, in a script with short tokens. */
const GUESSES = Object.freeze({
  low: { charactersPerToken: 5, replyTokens: 80 },
  expected: { charactersPerToken: 4, replyTokens: 350 },
  high: { charactersPerToken: 2, replyTokens: Number.POSITIVE_INFINITY },
})

export const NO_CALLS: Estimate = Object.freeze({
  inputTokens: { low: 0, expected: 0, high: 0 },
  outputTokens: { low: 0, expected: 0, high: 0 },
  microUsd: { low: 0, expected: 0, high: 0 },
})

/** The tokens and the cost of one call, for `--dry-run`. */
export function estimateCall(call: PlannedCall, overrides?: PriceTable): Estimate {
  const price = priceOf(call.model, overrides)
  const tokens = spread((end) => tokensOf(call, GUESSES[end]))
  return {
    inputTokens: spread((end) => tokens[end].inputTokens),
    outputTokens: spread((end) => tokens[end].outputTokens),
    microUsd: price === null ? null : spread((end) => costOf(price, tokens[end])),
  }
}

/** Adds an estimate to a total. `times` is how often the call is made at each end, for a debate that may stop early. */
export function addEstimate(
  total: Estimate,
  one: Estimate,
  times: Spread = { low: 1, expected: 1, high: 1 },
): Estimate {
  const add = (a: Spread, b: Spread) => spread((end) => a[end] + b[end] * times[end])
  return {
    inputTokens: add(total.inputTokens, one.inputTokens),
    outputTokens: add(total.outputTokens, one.outputTokens),
    microUsd: total.microUsd === null || one.microUsd === null ? null : add(total.microUsd, one.microUsd),
  }
}

function tokensOf(call: PlannedCall, guess: { readonly charactersPerToken: number; readonly replyTokens: number }) {
  const outputTokens = Math.min(guess.replyTokens, call.maxOutputTokens)
  const prompt = Math.ceil(call.promptCharacters / guess.charactersPerToken)
  return { inputTokens: prompt + call.quotedReplies * outputTokens, outputTokens }
}

function spread<Value>(at: (end: keyof Spread) => Value): {
  readonly low: Value
  readonly expected: Value
  readonly high: Value
} {
  return { low: at('low'), expected: at('expected'), high: at('high') }
}
