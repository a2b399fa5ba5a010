import { type Debate, readDebates } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { simulateKnownWorld } from '../../src/audits/known-worlds.ts'

function accuracy(debates: readonly Debate[], isMeant: (confidence: number, group: string) => boolean): number {
  const meant = readDebates(debates).debates.filter(({ record, rounds }) =>
    isMeant(rounds.at(-1)!.p1, record.group ?? ''),
  )
  expect(meant.length).toBeGreaterThan(200)
  return meant.filter(({ record, rounds }) => rounds.at(-1)!.prediction === record.gold).length / meant.length
}

test('sound: the surer, the more often right, in every group alike', () => {
  const debates = simulateKnownWorld({ violation: 'sound', count: 6000, seed: 1 })
  expect(accuracy(debates, (confidence) => confidence > 0.95)).toBeCloseTo(0.97, 1)
  expect(accuracy(debates, (confidence) => confidence < 0.6)).toBeLessThan(0.62)
  expect(accuracy(debates, (confidence, group) => confidence > 0.95 && group === 'law')).toBeGreaterThan(0.93)
})

test('rough: right and wrong in turns along the confidence', () => {
  const debates = simulateKnownWorld({ violation: 'rough', count: 6000, seed: 1 })
  expect(accuracy(debates, (confidence) => Math.floor(confidence * 50 + 1e-9) % 2 === 0)).toBeGreaterThan(0.93)
  expect(accuracy(debates, (confidence) => Math.floor(confidence * 50 + 1e-9) % 2 === 1)).toBeLessThan(0.15)
})

test('shifted groups: one of them far less often right, equally sure', () => {
  const debates = simulateKnownWorld({ violation: 'shifted-groups', count: 6000, seed: 1 })
  expect(accuracy(debates, (confidence, group) => confidence > 0.95 && group === 'law')).toBeLessThan(0.5)
  expect(accuracy(debates, (confidence, group) => confidence > 0.95 && group !== 'law')).toBeGreaterThan(0.93)
})

test('a seed gives the same debates again, and another seed gives others', () => {
  const draw = (seed: number) => simulateKnownWorld({ violation: 'sound', count: 20, seed })
  expect(draw(3)).toEqual(draw(3))
  expect(draw(3)).not.toEqual(draw(4))
})
