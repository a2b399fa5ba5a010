import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareCodePoints } from '../../src/beliefs/code-point-order.ts'

test('puts U+FF21 before U+1F600, as their numbers are and as UTF-16 units are not', () => {
  expect('\uFF21' < '\u{1F600}').toBe(false)
  expect(compareCodePoints('\uFF21', '\u{1F600}')).toBeLessThan(0)
})

test('agrees with a comparison of the lists of code points', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '\uFF21', '\u{1F600}', '\u{1F601}', '\ud83d', '\ude00'),
    maxLength: 5,
  })
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(Math.sign(compareCodePoints(left, right))).toBe(Math.sign(byList(left, right)))
    }),
    { numRuns: 3000 },
  )
})

function byList(left: string, right: string): number {
  const [a, b] = [[...left], [...right]]
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = a[index]!.codePointAt(0)! - b[index]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
