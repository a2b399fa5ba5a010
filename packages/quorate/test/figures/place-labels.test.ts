import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LABEL_HEIGHT, placeLabels } from '../../src/figures/place-labels.ts'

const FRAME = { x: 0, y: 0, width: 600, height: 400 }

describe('labels', () => {
  test('are to the right of their mark if there is room', () => {
    expect(placeLabels([{ x: 100, y: 100, width: 50 }], FRAME)).toEqual([{ x: 108, y: 93, isFar: false }])
  })

  test('are to the left of it at the right edge', () => {
    expect(placeLabels([{ x: 590, y: 100, width: 50 }], FRAME)).toEqual([{ x: 532, y: 93, isFar: false }])
  })

  test('of marks on one spot do not cover each other, and distant ones are flagged', () => {
    const labels = Array.from({ length: 8 }, () => ({ x: 300, y: 200, width: 80 }))
    const places = placeLabels(labels, FRAME)
    expect(places.some(({ isFar }) => isFar)).toBe(true)
    expect(covered(places, labels)).toBe(false)
  })

  test('stay within the frame', () => {
    const mark = fc.record({
      x: fc.integer({ min: 0, max: 600 }),
      y: fc.integer({ min: 0, max: 400 }),
      width: fc.integer({ min: 1, max: 200 }),
    })
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 20 }), (labels) => {
        for (const [index, { x, y }] of placeLabels(labels, FRAME).entries()) {
          expect(x >= 0 && x + (labels[index]?.width ?? 0) <= 600 && y >= 0 && y + LABEL_HEIGHT <= 400).toBe(true)
        }
      }),
    )
  })
})

function covered(places: readonly { x: number; y: number }[], labels: readonly { width: number }[]): boolean {
  return places.some((a, first) =>
    places.some(
      (b, second) =>
        second > first &&
        Math.abs(a.y - b.y) < LABEL_HEIGHT &&
        a.x < b.x + (labels[second]?.width ?? 0) &&
        b.x < a.x + (labels[first]?.width ?? 0),
    ),
  )
}
