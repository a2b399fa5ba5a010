import { calibrate, type Debate, isRightAt, promisedWrongRate, readDebates } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { promisedClasses } from '../../src/monitor/class-report.ts'
import { storedPromise } from '../../src/monitor/promised-rate.ts'
import { sealCertified } from '../../src/run/calibration/certified.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'

const options = { profile: 'total', budget: { beta: 0.2, delta: 0.05, epsilon: 0 } } as const
const plain: readonly Debate[] = simulatePanel({ count: 700, seed: 5 })

/** A model grades every answer, sometimes wrongly, and a person grades every third debate. */
const { debates } = readDebates(plain)
const judged: readonly Debate[] = plain.map((debate, row) => {
  const read = debates[row]
  const rights = read === undefined ? [] : read.rounds.map((_, at) => isRightAt(read, at + 1))
  const graded = (by: string, say: (right: boolean) => boolean) =>
    rights.map((right, at) => ({ round: at + 1, right: say(right), by }))
  return {
    ...debate,
    gold: null,
    grades: graded('model:judge', (right) => right || row % 9 === 0),
    audits: row % 3 === 0 ? graded('person:ann', (right) => right) : null,
  }
})

const ABOUT = { contents: [], served: new Map() }

test("a stored certificate promises its beta, plus the limit of the grader's error if a model graded", () => {
  const people = calibrate(plain, options)
  const model = calibrate(judged, options)
  expect(storedPromise(sealCertified(people, ABOUT).file, 'a file')).toBe(0.2)
  const promised = storedPromise(sealCertified(model, ABOUT).file, 'a file')
  expect(promised).toBe(promisedWrongRate(model))
  expect(promised).toBeGreaterThan(0.21)
})

test('the floor of a certificate that a model graded is about grades, so spot checks of people test none', () => {
  expect(promisedClasses(calibrate(plain, options)).length).toBeGreaterThan(0)
  expect(promisedClasses(calibrate(judged, options))).toEqual([])
})
