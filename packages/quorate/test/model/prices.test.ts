import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addEstimate, estimateCall, NO_CALLS } from '../../src/model/estimate.ts'
import { PRICE_TABLE, PRICES_AS_OF } from '../../src/model/price-table.ts'
import { costMicroUsd, mostInputTokens, priceOf, reserveMicroUsd } from '../../src/model/prices.ts'

const HAIKU = 'anthropic/claude-haiku-4-5'

describe('prices', () => {
  test('are dated, positive and dearer out than in', () => {
    expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    for (const { inputMicroUsd, outputMicroUsd, source } of Object.values(PRICE_TABLE)) {
      expect(source).toMatch(/^https:\/\//)
      expect(Number.isInteger(inputMicroUsd) && inputMicroUsd > 0 && outputMicroUsd > inputMicroUsd).toBe(true)
    }
  })

  test('count whole micro-dollars, rounded up', () => {
    expect(costMicroUsd(HAIKU, { inputTokens: 1_000_000, outputTokens: 1_000_000 })).toBe(6_000_000)
    expect(costMicroUsd('openai/gpt-5-nano', { inputTokens: 1, outputTokens: 0 })).toBe(1)
  })

  test('of a dated release or an inference profile are those of the model', () => {
    expect(priceOf('anthropic/claude-haiku-4-5-20251001')).toEqual(priceOf(HAIKU))
    expect(priceOf('openai/gpt-4o-2024-08-06')).toEqual(priceOf('openai/gpt-4o'))
    expect(priceOf('bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0')).toEqual(
      priceOf('bedrock/anthropic.claude-haiku-4-5'),
    )
  })

  test('of the global profile are its own, those of any other are the dearer ones of a region', () => {
    const id = 'anthropic.claude-haiku-4-5-20251001-v1:0'
    expect(priceOf(`bedrock/global.${id}`)).toMatchObject({ inputMicroUsd: 1_000_000, outputMicroUsd: 5_000_000 })
    for (const profile of ['', 'us.', 'eu.', 'apac.']) {
      expect(priceOf(`bedrock/${profile}${id}`)).toMatchObject({ inputMicroUsd: 1_100_000, outputMicroUsd: 5_500_000 })
    }
  })

  test.each([
    'deepseek/deepseek-reasoner',
    'openai/gpt-9',
    'openai-compatible/qwen3-32b',
    'openai/__proto__',
    'constructor',
    'anthropic/claude-haiku-4-5x',
  ])('of %s are unknown, never 0', (model) => {
    expect(costMicroUsd(model, { inputTokens: 5, outputTokens: 5 })).toBeNull()
    expect(reserveMicroUsd(model, { messages: [], settings: { maxOutputTokens: 5, schema: null } })).toBeNull()
    expect(estimateCall({ model, promptCharacters: 9, quotedReplies: 0, maxOutputTokens: 9 }).microUsd).toBeNull()
  })

  test.each(['simulated/ada', 'scripted/x', 'manual/eve', 'replay/openai/gpt-5'])('of %s are nothing', (model) => {
    expect(costMicroUsd(model, null)).toBe(0)
  })

  test('can be overridden', () => {
    const prices = { [HAIKU]: { inputMicroUsd: 10, outputMicroUsd: 0 } }
    expect(costMicroUsd(HAIKU, { inputTokens: 1_000_000, outputTokens: 7 }, prices)).toBe(10)
  })

  test('without a usage are unknown', () => {
    expect(costMicroUsd(HAIKU, null)).toBeNull()
  })
})

describe('a reservation', () => {
  test('is never below what the call costs, whatever the language', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.nat(2048),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (content, most, share) => {
          const messages = [{ role: 'user' as const, content }]
          // Byte-level tokenizers make at most one token of a byte.
          const inputTokens = Math.floor(Buffer.byteLength(content) * share)
          const cost = costMicroUsd(HAIKU, { inputTokens, outputTokens: Math.floor(most * share) }) ?? 0
          expect(
            reserveMicroUsd(HAIKU, { messages, settings: { maxOutputTokens: most, schema: null } }) ?? -1,
          ).toBeGreaterThanOrEqual(cost)
        },
      ),
    )
  })

  test('counts every message', () => {
    const settings = { maxOutputTokens: 5, schema: null }
    const user = { role: 'user', content: 'abc' } as const
    const one = mostInputTokens({ messages: [user], settings })
    expect(one).toBeLessThan(mostInputTokens({ messages: [{ role: 'system', content: '' }, user], settings }))
    const schema = { type: 'object' }
    expect(one).toBeLessThan(mostInputTokens({ messages: [user], settings: { ...settings, schema } }))
  })
})

describe('an estimate', () => {
  const call = { model: HAIKU, promptCharacters: 800, quotedReplies: 3, maxOutputTokens: 2048 }

  test('is ordered from low over expected to high, and high spends every token that may come back', () => {
    const { inputTokens, outputTokens, microUsd } = estimateCall(call)
    for (const { low, expected, high } of [inputTokens, outputTokens, microUsd ?? NO_CALLS.inputTokens]) {
      expect(low).toBeLessThan(expected)
      expect(expected).toBeLessThan(high)
    }
    expect(outputTokens.high).toBe(2048)
  })

  test('adds up, with fewer calls at its low end if a debate may stop early', () => {
    const one = estimateCall(call)
    const total = addEstimate(NO_CALLS, one, { low: 1, expected: 2, high: 4 })
    expect(total.outputTokens).toEqual({ low: 80, expected: 700, high: 8192 })
    expect(addEstimate(total, { ...one, microUsd: null }).microUsd).toBeNull()
  })
})
