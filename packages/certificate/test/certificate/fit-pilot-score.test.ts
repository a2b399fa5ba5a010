import { expect, test } from 'vitest'
import { fitPilotScore, pilotRows } from '../../src/certificate/calibrate-knn.ts'
import { labelsOf, type ReadDebate, type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import { fitLearnedScore } from '../../src/states/learned-state.ts'
import { simulatedDebates } from './simulated-debates.ts'

const { debates } = readDebates(simulatedDebates({ count: 120, seed: 5 }))
const even = debates.map((_, row) => row).filter((row) => row % 2 === 0)
const odd = debates.map((_, row) => row).filter((row) => row % 2 === 1)

function rowsOf(from: ReadDebates['debates'], pilot: readonly number[]) {
  const correct = Uint8Array.from(from.flatMap((debate, row) => labelsOf(debate, 'test', `${row}`)))
  return { debates: from, rounds: 3, correct, pilot }
}

test('asked again with the same rows it is the same score, which a fresh fit equals', () => {
  const score = fitPilotScore(rowsOf(debates, even), 2, 'path-only')
  expect(fitPilotScore(rowsOf(debates, [...even]), 2, 'path-only')).toBe(score)
  expect(score).toEqual(fitLearnedScore(pilotRows(rowsOf(debates, even), 2), 'path-only'))
})

test('another round, other features, another pilot and other debates have scores of their own', () => {
  const score = fitPilotScore(rowsOf(debates, even), 2, 'path-only')
  const others = [
    fitPilotScore(rowsOf(debates, even), 1, 'path-only'),
    fitPilotScore(rowsOf(debates, even), 2, 'by-agent'),
    fitPilotScore(rowsOf(debates, odd), 2, 'path-only'),
    fitPilotScore(rowsOf(debates.toReversed(), even), 2, 'path-only'),
  ]
  for (const other of others) expect(other).not.toEqual(score)
})

test('a refilled array is read again', () => {
  const reused: ReadDebate[] = debates.slice(0, 60)
  const pilot = reused.map((_, row) => row)
  fitPilotScore(rowsOf(reused, pilot), 1, 'path-only')
  reused.splice(0, 60, ...debates.slice(60))
  const expected = fitLearnedScore(pilotRows(rowsOf(debates.slice(60), pilot), 1), 'path-only')
  expect(fitPilotScore(rowsOf(reused, pilot), 1, 'path-only')).toEqual(expected)
})
