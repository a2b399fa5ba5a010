import { stripVTControlCharacters } from 'node:util'
import { double, integer, property, assert as verify } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BLOCKS, barFrom, barScale, boundBar } from '../../src/report/bound-bar.ts'
import { LINE, styleFor } from '../../src/text/style.ts'

const style = styleFor({ color: false })
const frame = { columns: 51, from: 0.5, style }

describe('the bar of a bound', () => {
  test('shows the bound, the slack, the envelope and the threshold line', () => {
    expect([
      barScale(0.95, frame),
      boundBar({ mean: 0.98, envelope: 0.04, slack: 0.06, lower: 0.88, threshold: 0.95 }, frame),
      boundBar({ mean: 0.98, envelope: 0, slack: 0.02, lower: 0.96, threshold: 0.95 }, frame),
      boundBar({ mean: 0.6, envelope: 0.1, slack: 0.2, lower: 0.3, threshold: 0.95 }, frame),
    ]).toEqual([
      '0.5                          threshold 0.950 ┃    1',
      '██████████████████████████████████████▒▒▒▒▒▒░┃░░░··',
      '█████████████████████████████████████████████┃█▒▒··',
      '░░░░░░░░░░···································┃·····',
    ])
  })

  test('touches the line if and only if the bound reaches it, however close', () => {
    for (const threshold of [0.93, 0.95, 0.9993]) {
      const at = (lower: number) => boundBar({ mean: lower, envelope: 0, slack: 0, lower, threshold }, frame)
      expect(at(threshold)).toContain(BLOCKS.bound + LINE)
      expect(at(threshold - 1e-9)).not.toContain(BLOCKS.bound + LINE)
    }
  })

  test('has its width and one line in a fixed column whatever the numbers are', () => {
    const unit = double({ min: 0, max: 1, noNaN: true })
    verify(
      property(unit, unit, unit, unit, integer({ min: 12, max: 120 }), (mean, envelope, slack, threshold, columns) => {
        const own = { columns, from: barFrom(threshold), style }
        const bar = boundBar({ mean, envelope, slack, lower: mean - envelope - slack, threshold }, own)
        const scale = barScale(threshold, own)
        expect([bar.length, scale.length]).toEqual([columns, columns])
        expect(bar.split(LINE)).toHaveLength(2)
        expect(scale.indexOf(LINE)).toBe(bar.indexOf(LINE))
      }),
    )
  })

  test('shows the same without colour', () => {
    const parts = { mean: 0.98, envelope: 0.01, slack: 0.01, lower: 0.96, threshold: 0.95 }
    const painted = boundBar(parts, { ...frame, style: styleFor({ color: true }) })
    expect(painted).not.toBe(boundBar(parts, frame))
    expect(stripVTControlCharacters(painted)).toBe(boundBar(parts, frame))
  })
})
