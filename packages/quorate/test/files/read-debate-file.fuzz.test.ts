import { type BeliefReading, CertificateError } from '@quorate/certificate'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FileError } from '../../src/files/file-error.ts'
import type { GrowingPanel } from '../../src/files/growing-panel.ts'
import { readDebateFile } from '../../src/files/read-debate-file.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { temporaryFolder } from './temporary-files.ts'

const { write } = temporaryFolder()
const debates = simulatePanel({ seed: 5, count: 3 })
const lines = debates.map((debate) => JSON.stringify(debate))
const firstRounds = debates.map((debate) => JSON.stringify({ ...debate, rounds: debate.rounds.slice(0, 1) }))

/** A way to damage a line of JSON. */
const damages: fc.Arbitrary<(line: string) => string> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(40)).map(([at, length]) => (line: string) => {
    const from = at % line.length
    return line.slice(0, from) + line.slice(from + length)
  }),
  fc.tuple(fc.nat(), fc.string({ unit: 'binary', maxLength: 8 })).map(([at, text]) => (line: string) => {
    const from = at % line.length
    return line.slice(0, from) + text + line.slice(from)
  }),
  fc.tuple(fc.nat(), fc.jsonValue()).map(
    ([at, value]) =>
      (line: string) =>
        JSON.stringify(replaced(JSON.parse(line), at, value)),
  ),
  fc.jsonValue().map((value) => () => JSON.stringify(value)),
)

const options: fc.Arbitrary<{ beliefs?: BeliefReading; growingPanel?: GrowingPanel }> = fc.constantFrom(
  {},
  { beliefs: 'vote' },
  { beliefs: 'samples' },
  { growingPanel: { sizes: [1, 3] } },
  { growingPanel: { sizes: [2], order: [2, 0] }, beliefs: 'stated' },
)

test('a damaged line is read, or refused in one printable line that names it, and nothing else ever happens', async () => {
  await fc.assert(
    fc.asyncProperty(damages, options, async (damage, how) => {
      const [first, second = '', third] = how.growingPanel === undefined ? lines : firstRounds
      const path = write('fuzzed.jsonl', [first, damage(second), third].join('\n'))
      try {
        const { read, unlabelled, failed, rounds } = await readDebateFile(path, how)
        expect(read.debates.length + unlabelled + failed).toBeGreaterThanOrEqual(1)
        expect(rounds).toBeGreaterThanOrEqual(1)
      } catch (error) {
        expect(error instanceof FileError || error instanceof CertificateError, String(error)).toBe(true)
        const { message } = error as Error // just seen to be one
        // Undamaged lines may lack what was asked for. The error is then about the whole file.
        expect(message).toMatch(/^[^\p{Cc}]*: (line \d+\b|no turn has )[^\p{Cc}]*$/u)
      }
    }),
    { numRuns: 400 },
  )
})

/** The value with one of its inner values, counted from the root, replaced by another. */
function replaced(value: unknown, at: number, other: unknown): unknown {
  const places: [Record<string, unknown>, string][] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const key of Object.keys(node)) {
      const parent = node as Record<string, unknown> // arrays too are written by key
      places.push([parent, key])
      visit(parent[key])
    }
  }
  visit(value)
  const place = places[at % places.length]
  if (place !== undefined) place[0][place[1]] = other
  return value
}
