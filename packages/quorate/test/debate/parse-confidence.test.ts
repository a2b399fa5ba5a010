import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseConfidence } from '../../src/debate/reply/parse-confidence.ts'

test('a percentage, a fraction and a probability mean the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 99 }), (percent) => {
      const forms = [`${percent}`, `${percent}%`, `${percent} percent`, `${percent}/100`, (percent / 100).toFixed(2)]
      for (const form of forms) expect(parseConfidence(form)).toBeCloseTo(percent / 100, 12)
    }),
    { seed: 1 },
  )
})

test('is null or in [0, 1] for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.float(), (text, number) => {
      for (const words of [text, String(number), `${number}%`, `${number}/${text}`, `1/${number}`, '5/0', '0/0']) {
        const confidence = parseConfidence(words)
        expect(confidence === null || (confidence >= 0 && confidence <= 1)).toBe(true)
      }
    }),
    { seed: 2 },
  )
})
