import { createHmac, hash } from 'node:crypto'
import { canonicalJson } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../../../tools/lane.ts'
import { ROUTES } from '../../../../src/contract/routes.ts'
import { SAMPLE_KEY } from '../../../store/samples.ts'
import { ask, bearer } from '../../ask.ts'
import { certifyInput } from '../world.ts'
import { type Served, serveBlind } from './blind-server.ts'

/** Attacks by somebody who reads everything over HTTP and tries to infer which questions are spot checks. */

const RATE = 0.3
/** At this rate there are nearly as many spot checks as deferrals to compare. */
const COMPARED_RATE = 0.4
const QUESTIONS = sized({ short: 70, full: 140 })
/** The items of a listing that is read after every question. The latest ones are about that question. */
const LATEST = sized({ short: 12, full: 200 })
const MACHINE = { name: 'asker', kind: 'machine', role: 'reviewer', isLocal: false } as const

type Json = Readonly<Record<string, unknown>>

async function read(served: Served, path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { text, status } = await ask(served.port, path, { headers })
  expect({ path, isFault: status >= 500 }).toEqual({ path, isFault: false })
  return text
}

/** Every listing of the contract, of the latest items. */
function listings(runId: string, limit = 200): readonly string[] {
  return ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes('{')).map(
    ({ path }) => `${path}?run=${runId}&limit=${limit}`,
  )
}

async function everythingReadable(served: Served, runId: string): Promise<string> {
  const texts: string[] = []
  for (const [role, kind] of [
    ['viewer', 'human'],
    ['admin', 'human'],
    ['viewer', 'machine'],
  ] as const) {
    const headers = bearer(await served.token(role, kind))
    for (const path of listings(runId)) texts.push(await read(served, path, headers))
  }
  return texts.join('\n')
}

async function certifyAll(served: Served, ids: readonly string[], from = 0): Promise<ReadonlyMap<string, boolean>> {
  const sampled = new Map<string, boolean>()
  for (const [index, id] of ids.entries()) {
    const debate = served.debates[(from + index) % served.debates.length]
    if (debate === undefined) throw new Error('there are no debates')
    const answer = await served.services.certify(certifyInput(debate, served.certificate.rounds, { id }), MACHINE)
    sampled.set(id, answer.isSpotCheck)
  }
  return sampled
}

async function runOf({ store }: Served): Promise<string> {
  return (await store.runs.list(1))[0]?.id ?? ''
}

describe('a viewer who predicts which questions will be spot-checked', () => {
  /** Every sampling function that public values allow: from the run, its seed, and everything that looks like a key. */
  function predictors(readable: string, runId: string): readonly ((id: string) => boolean)[] {
    const below = (digits: string) => Number.parseInt(digits.slice(0, 13), 16) / 2 ** 52 < RATE
    const seeds = new Set([...readable.matchAll(/"seed":(\d+)/g)].map((match) => Number(match[1])))
    const keys = new Set([...readable.matchAll(/\b[0-9a-f]{64}\b/g)].map(([key]) => key))
    return [
      ...[...seeds].map(
        (seed) => (id: string) => below(hash('sha256', canonicalJson(['spot-check', runId, seed, id]))),
      ),
      ...[...keys].map((key) => (id: string) => {
        const message = canonicalJson(['spot-check', runId, id])
        return below(createHmac('sha256', Buffer.from(key, 'hex')).update(message).digest('hex'))
      }),
    ]
  }

  test('does no better than chance, and samples as many with ids of their own choice', async () => {
    const served = await serveBlind(RATE)
    await certifyAll(served, ['first'])
    const runId = await runOf(served)
    const readable = await everythingReadable(served, runId)
    const coins = predictors(readable, runId)
    expect(coins.length).toBeGreaterThan(0)
    for (const [index, coin] of coins.slice(0, 3).entries()) {
      const ids = Array.from({ length: 400 }, (_, number) => `attack ${index} ${number}`)
      const avoided = ids.filter((id) => !coin(id)).slice(0, 150)
      expect(avoided.length).toBe(150)
      const sampled = [...(await certifyAll(served, avoided)).values()].filter(Boolean).length
      // 45 are expected. Without a prediction, fewer than 23 have a probability below one in ten thousand.
      expect(sampled).toBeGreaterThan(22)
    }
  })

  test('never reads the key while the run is open, in no listing and in no role', async () => {
    const served = await serveBlind(RATE)
    await certifyAll(served, ['one', 'two', 'three'])
    const readable = await everythingReadable(served, await runOf(served))
    expect(readable).toContain(hash('sha256', Buffer.from(SAMPLE_KEY, 'hex')))
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(readable).not.toContain(Buffer.from(SAMPLE_KEY, 'hex').toString(form))
    }
  })
})

/** All numbers, words and flags of a text, by their path. */
function fieldsOf(text: string): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>()
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      fields.set(`${path}.length`, value.length)
      return
    }
    if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) walk(part, `${path}.${name}`)
      return
    }
    fields.set(path, value)
  }
  if (text.startsWith('{')) walk(JSON.parse(text), '')
  else {
    for (const line of text.split('\n')) {
      const [name, value] = line.split(' ')
      if (name?.startsWith('quorate_') === true && !name.includes('request')) fields.set(name, Number(value))
    }
  }
  return fields
}

/** How the fields of a listing changed, and its fields about one question. */
function observed(before: string, after: string, questionId: string): ReadonlyMap<string, string> {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const seen = new Map<string, string>()
  for (const [path, value] of now) {
    const was = old.get(path)
    const change = typeof value === 'number' && typeof was === 'number' ? value - was : value === was ? 'same' : 'other'
    seen.set(`change of ${path}`, typeof change === 'number' ? change.toPrecision(9) : change)
  }
  const items: readonly Json[] = after.startsWith('{') ? (JSON.parse(after).items ?? []) : []
  for (const item of items.filter((one) => JSON.stringify(one).includes(JSON.stringify(questionId)))) {
    for (const [path, value] of fieldsOf(JSON.stringify(item))) {
      if (!/Id$|\.at$|hash|previous|sequence|salt|text|\.id$/i.test(path)) seen.set(`item${path}`, String(value))
    }
  }
  return seen
}

interface Case {
  readonly isSpotCheck: boolean
  readonly seen: ReadonlyMap<string, string>
}

/** Learns from the first half what each value of each field indicates, and is tested on the second half. */
function bestGuesser(cases: readonly Case[]): { readonly right: number; readonly of: number; readonly field: string } {
  const half = Math.floor(cases.length / 2)
  const [known, asked] = [cases.slice(0, half), cases.slice(half)]
  const fields = new Set(cases.flatMap(({ seen }) => [...seen.keys()]))
  let best = { right: 0, of: asked.length, field: '' }
  for (const field of fields) {
    const votes = new Map<string, number>()
    for (const { seen, isSpotCheck } of known) {
      const value = seen.get(field) ?? 'none'
      votes.set(value, (votes.get(value) ?? 0) + (isSpotCheck ? 1 : -1))
    }
    const all = [...votes.values()].reduce((sum, vote) => sum + vote, 0)
    const right = asked.filter(({ seen, isSpotCheck }) => {
      const vote = votes.get(seen.get(field) ?? 'none') ?? all
      return vote > 0 === isSpotCheck
    }).length
    if (right > best.right) best = { right, of: asked.length, field }
  }
  return best
}

/** The hits of somebody who always guesses the more frequent of the two, plus four standard deviations. */
function chanceOf(cases: readonly Case[]): number {
  const asked = cases.slice(Math.floor(cases.length / 2))
  const spotChecks = asked.filter(({ isSpotCheck }) => isSpotCheck).length
  const share = Math.max(spotChecks, asked.length - spotChecks) / asked.length
  return share * asked.length + 4 * Math.sqrt(asked.length / 4)
}

/** The companion: with one field that gives it away, the same guesser is better than chance. */
function expectNoBetterThanChance(cases: readonly Case[]): void {
  const limit = chanceOf(cases)
  const leaked = cases.map(({ isSpotCheck, seen }) => ({
    isSpotCheck,
    seen: new Map([...seen, ['planted', String(isSpotCheck)]]),
  }))
  expect(bestGuesser(leaked).right).toBeGreaterThan(limit)
  const { right, of, field } = bestGuesser(cases)
  expect({ field, of, isBetter: right > limit ? right : false }).toEqual({ field, of, isBetter: false })
}

describe('a person who distinguishes spot checks from deferrals', () => {
  test.each([
    ['viewer', 'human'],
    ['viewer', 'machine'],
    ['reviewer', 'human'],
  ] as const)(
    'does no better than chance as a %s (%s) who reads every listing after every question',
    async (role, kind) => {
      const served = await serveBlind(COMPARED_RATE)
      const headers = bearer(await served.token(role, kind))
      await certifyAll(served, ['first'])
      const runId = await runOf(served)
      // The studies start processes of their own, and change only with labels.
      const paths = listings(runId, LATEST).filter((path) => !/evaluate|audit|openapi|healthz|readyz/.test(path))
      const readAll = async () => Promise.all(paths.map((path) => read(served, path, headers)))
      const cases: Case[] = []
      let before = await readAll()
      for (let index = 0; index < QUESTIONS; index++) {
        const id = `question ${index}`
        await certifyAll(served, [id], index)
        served.clock.now += 1000
        const after = await readAll()
        const review = await served.store.reviews.latestOf(runId, id)
        if (review !== null) {
          const seen = new Map<string, string>()
          for (const [at, path] of paths.entries()) {
            const found = observed(before[at] ?? '', after[at] ?? '', id)
            for (const [field, value] of found) seen.set(`${path.split('?')[0]} ${field}`, value)
          }
          cases.push({ isSpotCheck: review.source === 'spot-check', seen })
        }
        before = after
      }
      const spotChecks = cases.filter(({ isSpotCheck }) => isSpotCheck).length
      expect(spotChecks).toBeGreaterThan(15)
      expect(cases.length - spotChecks).toBeGreaterThan(15)
      expectNoBetterThanChance(cases)
    },
  )

  test('does no better than chance with claimed items, and at least half of the blind items are deferrals', async () => {
    const served = await serveBlind(COMPARED_RATE)
    const headers = bearer(await served.token('reviewer', 'human'))
    const ids = Array.from({ length: QUESTIONS }, (_, index) => `question ${index}`)
    for (const [index, id] of ids.entries()) {
      await certifyAll(served, [id], index)
      served.clock.now += 1000
    }
    const cases: Case[] = []
    let handedOut = 0
    let lastBlind = 0
    for (;;) {
      const listed: readonly Json[] = JSON.parse(
        await read(served, '/v1/reviews?limit=200&status=waiting', headers),
      ).items
      const { item } = JSON.parse((await ask(served.port, '/v1/reviews/next', { method: 'POST', headers })).text)
      if (item === null) break
      handedOut += 1
      const times = listed.map(({ createdAt }) => Number(createdAt)).sort((left, right) => left - right)
      const place = times.indexOf(item.createdAt)
      const review = await served.store.reviews.find(item.id)
      if (item.isBlind) {
        const seen = new Map([
          ['place in the list', String(place)],
          ['is the oldest', String(place === 0)],
          ['is among the older half', String(place < times.length / 2)],
          ['is later than the last blind one', String(item.createdAt > lastBlind)],
          ['number of the hand-out, of 2', String(handedOut % 2)],
          ['number of the hand-out, of 4', String(handedOut % 4)],
          ['fields', Object.keys(item).join(' ')],
          ...[...fieldsOf(JSON.stringify(item))]
            .filter(([path]) => !/\.id$|createdAt|claimedUntil/.test(path))
            .map(([path, value]) => [path, String(value)] as const),
        ])
        cases.push({ isSpotCheck: review?.source === 'spot-check', seen })
        lastBlind = item.createdAt
      } else expect(review?.source).toBe('deferral')
      const outcome = { kind: 'cannot-tell' }
      const body = JSON.stringify({ outcome })
      const { status } = await ask(served.port, `/v1/reviews/${item.id}/submit`, { method: 'POST', headers, body })
      expect(status).toBe(200)
    }
    const spotChecks = cases.filter(({ isSpotCheck }) => isSpotCheck).length
    expect(spotChecks).toBeGreaterThan(15)
    expect(cases.length - spotChecks).toBeGreaterThanOrEqual(Math.min(spotChecks, handedOut - spotChecks))
    expectNoBetterThanChance(cases)
  })
})
