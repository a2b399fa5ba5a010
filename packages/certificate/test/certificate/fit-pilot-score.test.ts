import { expect, test } from 'vitest'
import { fitPilotScore, pilotRows } from '../../src/certificate/calibrate-knn.ts'
import { labelsOf, type Panels, type ReadPanel, readPanels } from '../../src/certificate/panel.ts'
import { fitLearnedScore } from '../../src/states/learned-state.ts'
import { simulatedDebates } from './simulated-debates.ts'

const { panels } = readPanels(simulatedDebates({ count: 120, seed: 5 }))
const even = panels.map((_, row) => row).filter((row) => row % 2 === 0)
const odd = panels.map((_, row) => row).filter((row) => row % 2 === 1)

function rowsOf(from: Panels['panels'], pilot: readonly number[]) {
  const correct = Uint8Array.from(from.flatMap((panel, row) => labelsOf(panel, 'test', `${row}`)))
  return { panels: from, rounds: 3, correct, pilot }
}

test('asked again with the same rows it is the same score, which a fresh fit equals', () => {
  const score = fitPilotScore(rowsOf(panels, even), 2, 'path-only')
  expect(fitPilotScore(rowsOf(panels, [...even]), 2, 'path-only')).toBe(score)
  expect(score).toEqual(fitLearnedScore(pilotRows(rowsOf(panels, even), 2), 'path-only'))
})

test('another round, other features, another pilot and other panels have scores of their own', () => {
  const score = fitPilotScore(rowsOf(panels, even), 2, 'path-only')
  const others = [
    fitPilotScore(rowsOf(panels, even), 1, 'path-only'),
    fitPilotScore(rowsOf(panels, even), 2, 'by-agent'),
    fitPilotScore(rowsOf(panels, odd), 2, 'path-only'),
    fitPilotScore(rowsOf(panels.toReversed(), even), 2, 'path-only'),
  ]
  for (const other of others) expect(other).not.toEqual(score)
})

test('a refilled array is read again', () => {
  const reused: ReadPanel[] = panels.slice(0, 60)
  const pilot = reused.map((_, row) => row)
  fitPilotScore(rowsOf(reused, pilot), 1, 'path-only')
  reused.splice(0, 60, ...panels.slice(60))
  const expected = fitLearnedScore(pilotRows(rowsOf(panels.slice(60), pilot), 1), 'path-only')
  expect(fitPilotScore(rowsOf(reused, pilot), 1, 'path-only')).toEqual(expected)
})
