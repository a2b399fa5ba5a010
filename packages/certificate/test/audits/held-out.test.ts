import { expect, test } from 'vitest'
import { type AuditOptions, type HeldOut, holdOut, holdOutLater } from '../../src/audits/held-out.ts'
import { localShares } from '../../src/audits/local-shares.ts'
import { findWeakRegions } from '../../src/audits/representation-gap.ts'
import { pickRegion } from '../../src/audits/smoothness.ts'
import { type ReadDebates, readDebates } from '../../src/certificate/read-debates.ts'
import { replay } from '../../src/decision/replay.ts'
import { simulatedDebates } from '../certificate/simulated-debates.ts'

const budget = { beta: 0.4, delta: 0.05, epsilon: 0.02 }
const options: AuditOptions = { profile: 'paper', budget, seed: 5 }
const debates = simulatedDebates({ count: 1600, seed: 4, groups: ['a', 'b'] })
const read = readDebates(debates)
const held = holdOut(read, options)

/** The same debates with another right answer for some. */
function relabelled(ids: ReadonlySet<string>): ReadDebates {
  return readDebates(
    debates.map((debate) => (ids.has(debate.id) ? { ...debate, gold: debate.gold === 'A' ? 'B' : 'A' } : debate)),
  )
}

const idsOf = ({ debates: rows, fold }: HeldOut, wanted: number) =>
  new Set(rows.filter((_, row) => fold[row] === wanted).map(({ record }) => record.id))

test('half of the debates calibrate, the others are held out, none is in both', () => {
  const seen = new Set(held.certificate.ids)
  expect(held.calibrated).toHaveLength(800)
  expect(held.count).toBe(800)
  expect(held.debates.filter(({ record }) => seen.has(record.id))).toEqual([])
})

test('runs of one question are on one side, and one of them is held out', () => {
  const questionOf = (id: string) => String(Number(id.split('-')[1]) % 500)
  const found = holdOut(read, { ...options, questionOf })
  const calibrated = new Set(found.calibrated.map(({ record }) => questionOf(record.id)))
  const questions = found.debates.map(({ record }) => questionOf(record.id))
  expect(new Set(questions).size).toBe(questions.length)
  expect(questions).toHaveLength(250)
  expect(questions.filter((question) => calibrated.has(question))).toEqual([])
  const named = readDebates(debates.map((debate) => ({ ...debate, question_of: questionOf(debate.id) })))
  const ids = (of: HeldOut) => of.debates.map(({ record }) => record.id)
  expect(ids(holdOut(named, options))).toEqual(ids(found))
  expect(ids(holdOutLater(named, options))).toEqual(ids(holdOutLater(read, { ...options, questionOf })))
})

test.each(['paper', 'tight', 'cells', 'total'] as const)('%s: bounds and actions are those of replay', (profile) => {
  const found = holdOut(read, { ...options, profile })
  const replayed = replay(found.certificate, { debates: found.debates, reading: read.reading }).at(budget)
  expect(found.actedAt).toEqual(replayed.actedAt)
  for (const [at, bound] of found.bounds.entries()) {
    // A cell without rows has a bound of 0 in a replay; an assessment reports that there is none.
    if (!Number.isNaN(bound)) expect(bound).toBeCloseTo(replayed.bounds[at]!, 12)
  }
})

test('labels that are held out do not touch the certificate', () => {
  const found = holdOut(relabelled(new Set(held.debates.map(({ record }) => record.id))), options)
  expect(found.bounds).toEqual(held.bounds)
  expect(found.correct).not.toEqual(held.correct)
})

test('labels of the testing fold pick no region; those of the picking fold do', () => {
  const regions = (of: HeldOut) =>
    [1, 2, 3].map((round) => {
      const shares = localShares(of, round)
      return pickRegion(of, round, shares)
    })
  const weak = (of: HeldOut) =>
    findWeakRegions(
      of,
      [1, 2, 3].map((round) => localShares(of, round)),
    ).map(({ name, n, among }) => ({ name, n, among }))
  const tested = holdOut(relabelled(idsOf(held, 1)), options)
  expect(regions(tested)).toEqual(regions(held))
  expect(weak(tested)).toEqual(weak(held))
  expect(weak(held).length).toBeGreaterThan(0)
  const picked = holdOut(relabelled(idsOf(held, 0)), options)
  expect(regions(picked)).not.toEqual(regions(held))
})

test('labels behind the bounds pick no region either', () => {
  const neighbours = new Set(held.certificate.split.neighbours.map((row) => held.certificate.ids![row]!))
  const recounted = holdOut(relabelled(neighbours), options)
  expect(recounted.bounds).not.toEqual(held.bounds)
  const shares = (of: HeldOut) => [1, 2, 3].map((round) => localShares(of, round))
  for (const round of [1, 2, 3]) {
    expect(pickRegion(recounted, round, shares(recounted)[round - 1]!)).toEqual(
      pickRegion(held, round, shares(held)[round - 1]!),
    )
  }
  const places = (of: HeldOut) => findWeakRegions(of, shares(of)).map(({ name, among }) => ({ name, among }))
  expect(places(recounted)).toEqual(places(held))
})

test('the later half is held out from a certificate of the earlier half, question by question', () => {
  const questionOf = (id: string) => String(Number(id.split('-')[1]) % 500)
  const found = holdOutLater(read, { ...options, questionOf })
  const places = (rows: HeldOut['debates']) => rows.map(({ record }) => Number(questionOf(record.id)))
  expect(new Set(places(found.calibrated)).size).toBe(250)
  expect(places(found.debates)).toHaveLength(250)
  const arrived = debates.map(({ id }) => Number(questionOf(id)))
  const earlier = new Set([...new Set(arrived)].slice(0, 250))
  expect(places(found.calibrated).every((question) => earlier.has(question))).toBe(true)
  expect(places(found.debates).some((question) => earlier.has(question))).toBe(false)
})
