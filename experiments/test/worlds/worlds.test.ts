import { describe, expect, test } from 'vitest'
import { hasRecordedData, readRecorded } from '../../src/data/recorded.ts'
import { CHOOSING, CONFIRMING } from '../../src/worlds/catalogue.ts'
import { halves, openWorld } from '../../src/worlds/worlds.ts'

test('halves share no row and leave none out', () => {
  const { train, test: rest } = halves(101, 7)
  expect([train.length, rest.length]).toEqual([50, 51])
  expect([...train, ...rest].sort((a, b) => a - b)).toEqual(Array.from({ length: 101 }, (_, row) => row))
  expect(halves(101, 7)).toEqual(halves(101, 7))
  expect(halves(101, 11)).not.toEqual(halves(101, 7))
})

test('no world both chooses and confirms, and only one run over the GPQA questions is used', () => {
  const names = [...CHOOSING, ...CONFIRMING].map(({ name }) => String(name))
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => name.startsWith('gpqa'))).toHaveLength(1)
})

test('a simulated draw calibrates and tests on different debates with known chances', () => {
  const { train, test: rest, questions, chances } = openWorld({ kind: 'simulated', name: 'flat' })(7)
  const ids = [...train.debates, ...rest.debates].map(({ record }) => record.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(questions.length).toBe(rest.debates.length)
  expect(new Set(chances)).toEqual(new Set([0.86]))
})

describe.skipIf(!hasRecordedData)('a recorded draw', () => {
  test('takes its chances from the recorded gold', () => {
    const debates = readRecorded('gpqa-debate-sonnet-a')
    const { test: rest, questions, chances } = openWorld({ kind: 'recorded', name: 'gpqa-debate-sonnet-a' })(7)
    expect(rest.debates.map(({ record }) => record.id)).toEqual(Array.from(questions, (row) => debates[row]?.id))
    for (const [row, { record, rounds }] of rest.debates.entries()) {
      for (const [at, { prediction }] of rounds.entries()) {
        expect(chances[row * rounds.length + at]).toBe(
          record.options[prediction] === debates[questions[row]!]?.gold ? 1 : 0,
        )
      }
    }
  })
})
