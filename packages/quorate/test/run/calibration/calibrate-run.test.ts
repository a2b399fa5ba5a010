import { type CalibrateOptions, calibrate, type Debate, readDebates, sha256 } from '@quorate/certificate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../../tools/lane.ts'
import { calibrateRun } from '../../../src/run/calibration/calibrate-run.ts'
import { openCertified, sealCertified } from '../../../src/run/calibration/certified.ts'
import { type Content, contentKey, contentOf } from '../../../src/run/calibration/content-hash.ts'
import { debatesOfRun } from '../../../src/run/calibration/recorded-debates.ts'
import type { Store } from '../../../src/store/store.ts'
import { MANY_RUN, manyDebates } from '../../efficiency/many-debates.ts'
import { isOnSqlite, newStore } from '../../store/store-under-test.ts'

const BUDGET = { beta: 0.4, delta: 0.1, epsilon: 0.02 }
const PROFILES = ['cells', 'tight', 'paper'] as const

interface Shape {
  readonly count: number
  readonly seed: number
  /** One row in this many is unlabelled; the same for the next two. */
  readonly unlabelled: number
  readonly failing: number
  readonly repeated: number
}

/** A run with rows that lack a label, failed, or repeat the question of another row. */
async function fill(store: Store, { count, seed, unlabelled, failing, repeated }: Shape): Promise<void> {
  const rows = [...manyDebates({ count, textBytes: 400, seed })].map((row, at) => {
    const debate = JSON.parse(row.debate)
    if (at % unlabelled === 1) debate.gold = null
    if (at % repeated === 2) debate.question = `Which is number ${Math.floor(at / repeated / 2)}?  `
    const isBroken = at % failing === 3
    if (isBroken) debate.rounds = debate.rounds.slice(0, at % 3)
    const status = isBroken ? ('time-out' as const) : row.status
    return { ...row, debate: JSON.stringify(debate), rounds: debate.rounds.length, status }
  })
  const questions = rows.map(({ questionId }, position) => ({
    position,
    questionId,
    question: '{}',
    isSpotCheck: false,
  }))
  await store.runs.create(MANY_RUN, questions)
  // In groups, because a query that waits longer than ten seconds for a connection fails, and a busy machine is slow.
  for (let at = 0; at < rows.length; at += 100) {
    const group = rows.slice(at, at + 100)
    await Promise.all(group.map((row) => store.debates.save({ ...row, runId: MANY_RUN.id, at: 0 })))
  }
}

type Recorded = Debate & { readonly question: string }

/** A slow reference for a certificate: all debates in memory, one object each, and one text for everything. */
async function slowly(store: Store, options: CalibrateOptions): Promise<string> {
  const debates: Recorded[] = []
  for await (const { value } of debatesOfRun(store, MANY_RUN)) {
    const debate = value as Recorded // of the fill above
    if ((debate.gold ?? null) !== null && debate.rounds.length > 0) debates.push(debate)
  }
  const contents = new Map<string, Content>()
  for (const debate of debates) contents.set(debate.id, contentOf(debate) as Content) // all have a text
  const questionOf = (id: string) => contentKey(contents.get(id) as Content)
  const { checksum: _, ...rest } = calibrate(readDebates(debates), { ...options, questionOf }).toJSON()
  const all = [...contents.values()].flatMap((content) => [content, content.folded])
  const sorted = (digests: readonly (string | null)[]) => [...new Set(digests)].sort()
  const agents = ['ada', 'bob', 'cleo', 'dan', 'eve'].map((name) => [name, ['model-2026-01']])
  const content = {
    ...rest,
    fingerprint: { ...rest.fingerprint, served: Object.fromEntries(agents) },
    contents: { whole: sorted(all.map(({ whole }) => whole)), asked: sorted(all.map(({ asked }) => asked)), bare: [] },
  }
  return inOrder({ ...content, checksum: sha256(inOrder(content)) })
}

function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${inOrder(member)}`).join(',')}}`
}

describe('a certificate from a run', () => {
  test('equals, to the byte, that of all debates in memory', async () => {
    const shape = fc.record({
      count: fc.integer({ min: 30, max: 120 }),
      seed: fc.nat({ max: 1000 }),
      unlabelled: fc.integer({ min: 4, max: 50 }),
      failing: fc.integer({ min: 5, max: 50 }),
      repeated: fc.integer({ min: 3, max: 50 }),
    })
    const flags = fc.record({ profile: fc.constantFrom(...PROFILES), groupConditional: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(shape, flags, async (sampled, flag) => {
        const store = await newStore()
        await fill(store, sampled)
        const options = { ...flag, budget: BUDGET }
        const { certified } = await calibrateRun(store, { runId: MANY_RUN.id, options, beliefs: undefined })
        expect(certified.file).toBe(await slowly(store, options))
        expect(openCertified(certified.file).file).toBe(certified.file)
      }),
      { numRuns: 8 },
    )
  })

  // On PostgreSQL only the number of rows would be new, and other tests read many rows from it.
  const profiles = sized<readonly (typeof PROFILES)[number][]>({ short: isOnSqlite() ? ['cells'] : [], full: PROFILES })
  test.each(profiles)(
    'is that of all debates also with 2,200 of them, where %s learns from every agent',
    async (profile) => {
      const store = await newStore()
      await fill(store, { count: 2200, seed: 4, unlabelled: 40, failing: 31, repeated: 9 })
      const options = { profile, budget: BUDGET }
      const made = await calibrateRun(store, { runId: MANY_RUN.id, options, beliefs: undefined })
      expect(made.certified.file).toBe(await slowly(store, options))
      expect(made.padded).toBeGreaterThan(20)
    },
  )
})

describe('the file of a certificate', () => {
  async function made() {
    const store = await newStore()
    await fill(store, { count: 40, seed: 4, unlabelled: 40, failing: 31, repeated: 9 })
    const options = { profile: 'cells', budget: BUDGET } as const
    return calibrateRun(store, { runId: MANY_RUN.id, options, beliefs: undefined })
  }

  test('that would be longer than the longest text is refused with an error', async () => {
    const { certificate } = (await made()).certified
    const about = { contents: [], served: new Map() }
    expect(() => sealCertified(certificate, about, { mostLetters: 1000 })).toThrow(
      /a certificate from \d+ debates is longer than 1,000 letters, .* calibrate on fewer debates, sampled at random/,
    )
    expect(sealCertified(certificate, about).file.length).toBeGreaterThan(1000)
  })

  test('is the same when it was written with white space, in another order or with a line feed', async () => {
    const { file, id } = (await made()).certified
    const value = JSON.parse(file)
    const turned = Object.fromEntries(Object.entries(value).reverse())
    for (const text of [`${file}\n`, JSON.stringify(value, null, 2), JSON.stringify(turned)]) {
      expect(openCertified(text)).toMatchObject({ file, id })
    }
  })
})
