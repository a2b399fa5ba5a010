import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decide } from '@quorate/certificate'
import { expect, onTestFinished, test } from 'vitest'
import type { CertifyInput } from '../../../src/contract/decisions.ts'
import { certifiedDebate, debateTexts } from '../../../src/server/deciding/certify-input.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import { ask, bearer } from '../ask.ts'
import { verified } from './verified.ts'
import { type Served, serveBlind, signIn } from './views/blind-server.ts'
import { ANN, certifyInput } from './world.ts'

function post({ port }: Served, headers: Readonly<Record<string, string>>, input: CertifyInput) {
  return ask(port, '/v1/certify', { method: 'POST', body: JSON.stringify(input), headers })
}

/** A debate with this decision after this many rounds. */
function debateThat({ certificate, debates }: Served, kind: string, rounds: number, id: string): CertifyInput {
  const inputs = debates.map((debate) => certifyInput(debate, rounds, { id, question: 'Where is it?' }))
  const found = inputs.find((input) => decide(certificate, certifiedDebate(input)).kind === kind)
  if (found === undefined) throw new Error(`no debate of the test comes to ${kind}`)
  return found
}

/** The same debate, but the first agent gave another answer. */
function otherGuess(input: CertifyInput): CertifyInput {
  const names = Array.isArray(input.options) ? input.options : Object.keys(input.options)
  const [first = []] = input.rounds
  const [turn, ...others] = first
  const answer = names.find((name) => name !== turn?.answer) ?? null
  return { ...input, rounds: [[{ ...turn, agent: turn?.agent ?? '', answer, beliefs: null }, ...others]] }
}

/** Masks ids, which contain the time. */
function masked(text: string): string {
  return text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '_')
}

test('an equal and an unequal guess at the debate of another token get the same answer', async () => {
  const served = await serveBlind(1)
  const hidden = debateThat(served, 'continue', 1, 'asked')
  const service = bearer(await served.token('reviewer', 'machine'))
  expect((await post(served, service, hidden)).status).toBe(200)
  const right = bearer(await served.token('reviewer', 'human', 'guesses right'))
  const wrong = bearer(await served.token('reviewer', 'human', 'guesses wrong'))
  const answers = [await post(served, right, hidden), await post(served, wrong, otherGuess(hidden))]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const [first, second] = answers.map(({ text }) => masked(text))
  expect(first).toBe(second)
  // A second guess under the same id is refused in the same words, whichever of the two came first.
  const again = [await post(served, right, otherGuess(hidden)), await post(served, wrong, hidden)]
  expect(again.map(({ status }) => status)).toEqual([409, 409])
  expect(again[0]?.text).toBe(again[1]?.text)
  // The token that posted the debate may repeat it.
  expect((await post(served, service, hidden)).status).toBe(200)
})

test('a refusal is the same whatever differs', async () => {
  const served = await serveBlind(1)
  const service = bearer(await served.token('reviewer', 'machine'))
  const first = debateThat(served, 'continue', 1, 'asked')
  expect((await post(served, service, first)).status).toBe(200)
  const others: readonly CertifyInput[] = [
    { ...first, question: 'Another one?' },
    { ...first, group: 'north' },
    otherGuess(first),
    { ...first, rounds: [...otherGuess(first).rounds, ...first.rounds] },
  ]
  const answers = await Promise.all(others.map((input) => post(served, service, input)))
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
})

test('a token that posts the ids of another service first does not block them', async () => {
  const served = await serveBlind(0)
  const squatter = bearer(await served.token('reviewer', 'machine', 'squatter'))
  const service = bearer(await served.token('reviewer', 'machine', 'claims-service'))
  const input = debateThat(served, 'act', 4, 'claim-4711')
  expect((await post(served, squatter, otherGuess(input))).status).toBe(200)
  const answer = await post(served, service, input)
  expect(answer.json()).toMatchObject({ kind: 'act', id: 'claim-4711', isHidden: false })
  const runs = await served.store.runs.list(9)
  const decided = await Promise.all(
    runs.filter(({ config }) => config.includes('certify')).map(({ id }) => verified(served.store, id)),
  )
  expect(decided).toMatchObject([{ kind: 'whole' }, { kind: 'whole' }])
})

test('a token with the same name continues the runs of the revoked one, unless its kind differs', async () => {
  const served = await serveBlind(0)
  const input = debateThat(served, 'act', 4, 'claim-4711')
  const tokenOf = (kind: 'human' | 'machine') => served.token('reviewer', kind, 'claims-service')
  const revoke = async () => {
    const [last] = (await served.store.tokens.list({ after: null, limit: 9 })).slice(-1)
    await served.store.tokens.revoke(last?.id ?? '', 1)
  }
  const first = (await post(served, bearer(await tokenOf('machine')), input)).json()
  await revoke()
  expect((await post(served, bearer(await tokenOf('machine')), input)).json()).toEqual(first)
  await revoke()
  const { status } = await post(served, bearer(await tokenOf('human')), otherGuess(input))
  expect(status).toBe(200)
})

test.each([
  { title: 'still debated', kind: 'continue', rounds: 1, spotCheckRate: 0 },
  { title: 'a spot check that was acted on', kind: 'act', rounds: 4, spotCheckRate: 1 },
  { title: 'a deferral', kind: 'defer', rounds: 4, spotCheckRate: 0 },
])('a person reads no hidden decision through certify: $title', async ({ kind, rounds, spotCheckRate }) => {
  const served = await serveBlind(spotCheckRate)
  const headers = [bearer(await served.token('reviewer', 'human', 'with a token')), await signIn(served, 'reviewer')]
  for (const person of headers) {
    const input = debateThat(served, kind, rounds, 'asked')
    for (const answer of [await post(served, person, input), await post(served, person, input)]) {
      expect(answer.status).toBe(200)
      expect(answer.json()).toMatchObject({ isHidden: true, kind: null, answer: null, reason: null, bound: null })
      expect(answer.json()).toMatchObject({ round: null, path: [], isSpotCheck: null, id: 'asked' })
    }
  }
  const machine = bearer(await served.token('reviewer', 'machine'))
  const input = debateThat(served, kind, rounds, 'asked')
  expect((await post(served, machine, input)).json()).toMatchObject({ isHidden: false, kind })
})

test('a person sees what was acted on and not sampled, and gets no blind item about a debate of their own', async () => {
  const served = await serveBlind(0)
  const person = bearer(await served.token('reviewer', 'human', 'mira'))
  await served.token('reviewer', 'human', 'noor')
  const acted = await post(served, person, debateThat(served, 'act', 4, 'acted'))
  expect(acted.json()).toMatchObject({ isHidden: false, kind: 'act' })
  await post(served, person, debateThat(served, 'defer', 4, 'deferred'))
  const [item] = await served.store.reviews.list({ after: null, limit: 9 })
  const claim = (name: string) =>
    served.services.reviews.claim(item?.id ?? '', { name, kind: 'human', role: 'reviewer' })
  expect(await claim('mira')).toMatchObject({ kind: 'knows-panel' })
  expect(await claim('noor')).toMatchObject({ kind: 'done', value: { isBlind: true } })
})

test('guesses are few: after some refusals under an id, and after more in all, a token has to wait', async () => {
  const served = await serveBlind(0)
  const service = bearer(await served.token('reviewer', 'machine'))
  const other = bearer(await served.token('reviewer', 'machine', 'another'))
  const known = debateThat(served, 'continue', 1, 'asked')
  expect((await post(served, service, known)).status).toBe(200)
  const statuses: number[] = []
  for (let guess = 0; guess < 12; guess++)
    statuses.push((await post(served, service, { ...known, question: `Guess ${guess}?` })).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 409), 429, 429])
  // A right guess must wait too, or the wait would reveal it. Other ids and other tokens do not wait.
  const right = await post(served, service, known)
  expect([right.status, Number(right.headers['retry-after']) > 0]).toEqual([429, true])
  expect((await post(served, service, { ...known, id: 'another' })).status).toBe(200)
  expect((await post(served, other, known)).status).toBe(200)
  served.clock.now += 60_000
  expect((await post(served, service, known)).status).toBe(200)
  let last = 409
  let guesses = 0
  for (; last === 409; guesses++) {
    await post(served, service, { ...known, id: `many ${guesses}` })
    last = (await post(served, service, { ...known, id: `many ${guesses}`, question: 'Guess?' })).status
  }
  expect([last, guesses < 200]).toEqual([429, true])
  expect((await post(served, service, { ...known, id: 'new' })).status).toBe(429)
  expect((await post(served, other, { ...known, id: 'new' })).status).toBe(200)
})

test('the files of a store confirm no guess at a redacted question', async () => {
  const folder = temporaryFolder()
  const store = openSqlite(join(folder, 'quorate.db'), { now: () => 0 })
  onTestFinished(() => store.close())
  const served = await serveBlind(0, store)
  const question = 'Does Wolfhart carry the gene?'
  const asked = { ...debateThat(served, 'continue', 1, 'patient'), question }
  const decided = { ...debateThat(served, 'act', 4, 'decided'), question }
  for (const input of [asked, decided]) await served.services.certify(input, ANN)
  const digests = [asked, decided].flatMap((input) => debateTexts(certifiedDebate(input)).digests)
  const files = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  const confirmed = () => digests.filter((digest) => files().some((bytes) => bytes.includes(digest)))
  expect(confirmed()).toHaveLength(5)
  for (const id of ['patient', 'decided']) expect((await store.redact(id)).erased).toBeGreaterThan(0)
  expect(files().some((bytes) => bytes.includes('Wolfhart'))).toBe(false)
  expect(confirmed()).toEqual([])
  // The server does not reveal it either: the same debate and another one are refused alike.
  for (const input of [asked, { ...asked, question: 'Another?' }, decided, { ...decided, question: 'Another?' }]) {
    const refused = { parts: { status: 409, errors: [{ field: 'id' }] } }
    await expect(served.services.certify(input, ANN)).rejects.toMatchObject(refused)
  }
  const [run] = (await store.runs.list(9)).filter(({ config }) => config.includes('certify'))
  expect(await verified(store, run?.id ?? '')).toMatchObject({ kind: 'whole', decisions: 1 })
})
