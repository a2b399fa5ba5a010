import { fitCertificate } from '../src/certificate/fit-certificate.ts'
import { seededRandom } from '../src/random.ts'

/** Memory that a fit of a million rows in four rounds takes beyond its typed input. Goal: 400 MB. */
const ROWS = 1_000_000
const random = seededRandom(1)
const rounds = Array.from({ length: 4 }, () => {
  const values = Float64Array.from({ length: 2 * ROWS }, () => random())
  const correct = new Uint8Array(ROWS).map((_, row) => (random() < 0.5 + 0.45 * values[2 * row]! ? 1 : 0))
  return { states: { values, dimension: 2 }, correct }
})

for (const profile of ['paper', 'tight'] as const) {
  const before = residentMb()
  const start = performance.now()
  const certificate = fitCertificate({ rounds }, { profile, budget: { beta: 0.15, delta: 0.03, epsilon: 0.02 } })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const lower = certificate.bound(4, [0.9, 0.9]).lower
  console.log(
    `fit, 4 rounds x 1,000,000 rows, ${profile}: ${seconds} s, ${(residentMb() - before).toFixed(0)} MB (lower ${lower?.toFixed(4)})`,
  )
}

/** Resident memory, after a garbage collection if the engine exposes one (--expose-gc). */
function residentMb(): number {
  const collect: unknown = Reflect.get(globalThis, 'gc')
  if (typeof collect === 'function') for (let turn = 0; turn < 3; turn++) collect()
  return process.memoryUsage.rss() / 2 ** 20
}
