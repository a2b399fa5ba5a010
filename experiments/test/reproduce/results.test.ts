import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { recordedDocument } from '../../src/reproduce/document.ts'
import { REAL_WORLDS } from '../../src/reproduce/measure/worlds.ts'
import { recordedResults, resultsFile, resultsSchema, twinResults } from '../../src/reproduce/results.ts'
import { realTable } from '../../src/reproduce/tables/real.ts'
import type { Measurements } from '../../src/reproduce/tasks.ts'
import { madeCell, madeMeasurements, madeSplit } from './made-measurements.ts'

/** Recorded sets with identical splits. */
const measured: Measurements = {
  ...madeMeasurements(),
  real: REAL_WORLDS.map((world) => ({ world, pooledLambda: 2, splits: [madeSplit('mmlu-pro')] })),
}

test('both parts of the results fit the stored schema', () => {
  expect(resultsFile.parse(twinResults(measured)).worlds).toHaveLength(6)
  expect(resultsFile.parse(recordedResults(measured)).worlds).toHaveLength(5)
  expect(readFileSync(resolve(import.meta.dirname, '../../results.schema.json'), 'utf8')).toBe(resultsSchema())
})

test('a set that the paper has stands beside the paper and the twin, another one alone', () => {
  const text = realTable.text(measured)
  expect(text).toContain('71.1 / 50.0 / 50.0')
  expect(text).toContain('– / – / 50.0')
  expect(text).toContain('one round, no debate, an older Haiku')
  expect(recordedDocument(measured)).not.toMatch(/NaN|undefined|Infinity|\[object/)
})

test('a split above its budget makes the first claim fail on that set alone', () => {
  const split = madeSplit('mmlu-pro')
  const over = {
    ...split,
    paper: { ...split.paper, absolute: [0.1, 0.15, 0.2, 0.25, 0.3, 0.35].map((beta) => madeCell(beta, 1, 0.5)) },
  }
  const [first, ...rest] = measured.real
  const results = recordedResults({ ...measured, real: [{ ...first!, splits: [over] }, ...rest] })
  const kept = results.claims.filter(({ claim }) => claim.startsWith('WA <= beta'))
  expect(kept.map(({ verdict }) => verdict)).toEqual(['does not hold', 'holds', 'holds', 'holds', 'holds'])
})
