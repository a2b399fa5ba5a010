import { fitCertificate } from '../src/certificate/fit-certificate.ts'
import type { KnnCertificate } from '../src/certificate/knn-certificate.ts'
import { bruteForceIndex } from '../src/neighbours/brute-force.ts'
import { fastIndex } from '../src/neighbours/fast-index.ts'
import { kdTreeIndex } from '../src/neighbours/kd-tree-index.ts'
import { noSum } from '../src/neighbours/neighbour-index.ts'
import { seededRandom } from '../src/random.ts'
import { measure, report } from './measure.ts'

/** One bound: uniform continuous states never seen before, D = 2, K = {128, 256, 512}. */
const BUDGET = { beta: 0.15, delta: 0.03, epsilon: 0.02 }
const TIGHT = { profile: 'tight', kFamily: [128, 256, 512] } as const
const random = seededRandom(1)

function uniform(rows: number): Float64Array {
  return Float64Array.from({ length: 2 * rows }, () => random())
}

function calibrated(rows: number, rounds: number) {
  return Array.from({ length: rounds }, () => {
    const values = uniform(rows)
    const correct = new Uint8Array(rows).map((_, row) => (random() < 0.5 + 0.45 * values[2 * row]! ? 1 : 0))
    return { states: { values, dimension: 2 }, correct }
  })
}

/** Asks for the bound of each state, one by one, through the public `bound`. */
function ask(certificate: KnnCertificate, states: Float64Array): number {
  let sum = 0
  const state = [0, 0]
  for (let at = 0; at < states.length; at += 2) {
    state[0] = states[at]!
    state[1] = states[at + 1]!
    sum += certificate.bound(1, state).lower ?? 0
  }
  return sum
}

const COUNT = 10_000
for (const rows of [4_156, 1_250_000]) {
  const rounds = calibrated(rows, 1)
  const neighbours = rows - Math.floor(rows / 5)
  for (const [name, options] of [
    ['paper', { profile: 'paper' }],
    ['tight', TIGHT],
  ] as const) {
    const certificate = fitCertificate({ rounds }, { ...options, budget: BUDGET })
    const goal = rows > 10_000 ? 30 : name === 'paper' ? 6 : 11
    report(
      `bound, n = ${neighbours.toLocaleString('en')}, ${name}, new states`,
      measure(() => ask(certificate, uniform(COUNT))),
      COUNT,
      goal,
    )
    if (rows > 10_000) continue
    const again = uniform(100)
    report(
      `bound, n = ${neighbours.toLocaleString('en')}, ${name}, repeated states`,
      measure(() => {
        let sum = 0
        for (let repeat = 0; repeat < 100; repeat++) sum += ask(certificate, again)
        return sum
      }),
      COUNT,
      1,
    )
    report(
      `bounds (batch), ${name}, new states`,
      measure(() => certificate.bounds(1, { values: uniform(COUNT), dimension: 2 })[0]!),
      COUNT,
      null,
    )
  }
}

/** The first bounds after a fit, when nothing is cached yet. */
for (const [name, options] of [
  ['paper', { profile: 'paper' }],
  ['tight', TIGHT],
] as const) {
  const rounds = calibrated(4_156, 1)
  const fresh = Array.from({ length: 12 }, () => fitCertificate({ rounds }, { ...options, budget: BUDGET }))
  report(
    `bounds (batch), ${name}, the first 4,000 after a fit`,
    measure(() => fresh.pop()!.bounds(1, { values: uniform(4_000), dimension: 2 })[0]!),
    4_000,
    null,
  )
}

const points = uniform(3_325)
const rows = { points, dimension: 2, correct: new Uint8Array(3_325).map((_, row) => row & 1), smoothed: null }
const query = new Float64Array(2)
for (const [name, index, count] of [
  ['strips', fastIndex(rows, 'include'), 10_000],
  ['k-d tree', kdTreeIndex(rows, 'include'), 10_000],
  ['brute force', bruteForceIndex(rows, 'include'), 20],
] as const) {
  report(
    `neighbourhoods only, ${name}`,
    measure(() => {
      let sum = 0
      for (let asked = 0; asked < count; asked++) {
        query[0] = random()
        query[1] = random()
        sum += index.search(query, [128, 256, 512], noSum()).successes[2]!
      }
      return sum
    }),
    count,
    null,
  )
}

const four = calibrated(4_156, 4)
for (const profile of ['paper', 'tight'] as const) {
  report(
    `fit, 4 rounds x 4,156 rows, ${profile}`,
    measure(() => fitCertificate({ rounds: four }, { profile, budget: BUDGET }).threshold),
    1,
    120_000,
  )
}

/** Other distributions of states, each with the k-d tree and with the strips. */
const SHAPES: Readonly<Record<string, () => readonly [number, number]>> = {
  'thin diagonal': () => {
    const x = random()
    return [x, x + 1e-3 * random()]
  },
  lattice: () => [Math.floor(33 * random()) / 32, Math.floor(33 * random()) / 32],
  'heavy tails': () => [Math.tan(Math.PI * (random() - 0.5)), Math.tan(Math.PI * (random() - 0.5))],
}
for (const [shape, draw] of Object.entries(SHAPES)) {
  const states = Float64Array.from(Array.from({ length: 3_325 }, draw).flat())
  const drawn = { ...rows, points: states }
  for (const [name, index] of [
    ['k-d tree', kdTreeIndex(drawn, 'include')],
    ['strips', fastIndex(drawn, 'include')],
  ] as const) {
    report(
      `neighbourhoods only, ${shape}, ${name}`,
      measure(() => {
        let sum = 0
        for (let asked = 0; asked < 1_000; asked++) {
          ;[query[0], query[1]] = draw()
          sum += index.search(query, [128, 256, 512], noSum()).successes[2]!
        }
        return sum
      }),
      1_000,
      null,
    )
  }
}
