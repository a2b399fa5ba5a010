import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linearScale, probabilitySpan, spanDownTo, ticks, tickTexts } from '../../src/figures/scale.ts'

describe('a scale', () => {
  test('maps the ends of the domain to the ends of the range and stops there', () => {
    const scale = linearScale({ from: 0.5, to: 1 }, { from: 100, to: 0 })
    expect([0.5, 0.75, 1, 0, 2].map(scale)).toEqual([100, 50, 0, 100, 0])
  })

  test('of an empty domain maps to the start of the range', () => {
    expect(linearScale({ from: 1, to: 1 }, { from: 3, to: 9 })(1)).toBe(3)
  })
})

describe('ticks', () => {
  test.each([
    [{ from: 0, to: 1 }, 5, ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']],
    [{ from: 0.5, to: 1 }, 5, ['0.5', '0.6', '0.7', '0.8', '0.9', '1.0']],
    [{ from: 0, to: 1.25 }, 5, ['0.00', '0.25', '0.50', '0.75', '1.00', '1.25']],
    [{ from: 0, to: 0.003 }, 3, ['0.000', '0.001', '0.002', '0.003']],
    [{ from: 1, to: 1 }, 5, []],
  ])('of %j, about %d, are %j', (domain, count, texts) => {
    expect(tickTexts(ticks(domain, count))).toEqual(texts)
  })

  test('lie within the domain, ascend, and are not many more than requested', () => {
    const domain = fc.record({
      from: fc.double({ min: -10, max: 10, noNaN: true }),
      width: fc.double({ min: 1e-3, max: 100, noNaN: true }),
    })
    fc.assert(
      fc.property(domain, fc.integer({ min: 1, max: 12 }), ({ from, width }, count) => {
        const found = ticks({ from, to: from + width }, count)
        expect(found.length).toBeLessThanOrEqual(count + 1)
        expect(found.every((value, index) => index === 0 || value > (found[index - 1] ?? value))).toBe(true)
        expect(found.every((value) => value > from - 1e-6 && value < from + width + 1e-6)).toBe(true)
      }),
    )
  })
})

test('probability scales start at one half for a high threshold, and lower if a value needs it', () => {
  expect(probabilitySpan(0.88)).toEqual({ from: 0.5, to: 1 })
  expect(probabilitySpan(0.6)).toEqual({ from: 0, to: 1 })
  expect(spanDownTo(0.88, [0.7, 0.31])).toEqual({ from: 0.3, to: 1 })
  expect(spanDownTo(0.88, [])).toEqual({ from: 0.5, to: 1 })
})
