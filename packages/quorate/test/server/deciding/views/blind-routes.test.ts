import { type Debate, decide } from '@quorate/certificate'
import { expect, test } from 'vitest'
import type { ZodObject } from 'zod'
import { debateRowSchema } from '../../../../src/contract/debates.ts'
import { decisionViewSchema } from '../../../../src/contract/decisions.ts'
import { pageOf } from '../../../../src/contract/page.ts'
import { ROUTES } from '../../../../src/contract/routes.ts'
import { describedRoutes } from '../../../../src/server/create-app.ts'
import { certifiedDebate } from '../../../../src/server/deciding/certify-input.ts'
import { addReview } from '../../../store/rows.ts'
import { sampleDebate, sampleReview, sampleRun } from '../../../store/samples.ts'
import { ask, bearer } from '../../ask.ts'
import { verified } from '../verified.ts'
import { ANN, certifyInput, FRESH, inputOf } from '../world.ts'
import { type Served, serveBlind, signIn, UNDO_MS } from './blind-server.ts'

/** What nobody may read: the panel's texts, and its answer anywhere except among the options. */
const WORDS = 'wherefore-5150'
const NAMES = ['north-7431', 'south-2958', 'east-6604', 'west-8812']
const MIRA = { name: 'mira', kind: 'human', role: 'reviewer' } as const

/** The debate with names and texts that occur nowhere else. */
function unique(debate: Debate): Debate {
  const known = Array.isArray(debate.options) ? [...debate.options] : Object.keys(debate.options)
  const renamed = (name: unknown) => (typeof name === 'string' ? (NAMES[known.indexOf(name)] ?? name) : name)
  const rounds = debate.rounds.map((turns) =>
    turns.map((turn) => ({
      ...turn,
      answer: renamed(turn.answer),
      text: WORDS,
      beliefs: turn.beliefs && Object.fromEntries(Object.entries(turn.beliefs).map(([name, p]) => [renamed(name), p])),
    })),
  )
  return { ...debate, options: known.map(renamed), rounds } as Debate // renamed, otherwise as it was
}

interface Reported {
  readonly questionId: string
  readonly decisionId: string
  /** What must not be read. */
  readonly secrets: readonly string[]
}

/** Certifies a debate with this decision, with a question and answers of its own. */
async function certifyOne(
  { services, certificate, debates }: Served,
  kind: 'act' | 'defer' | 'continue',
  id = 'asked 4711?',
): Promise<Reported> {
  const rounds = kind === 'continue' ? 1 : certificate.rounds
  const renamed = debates.map((debate) => certifyInput(unique(debate), rounds, { id, question: 'Where?' }))
  const input = renamed.find((debate) => {
    const verdict = decide(certificate, certifiedDebate(debate))
    return verdict.kind === kind && (verdict.path.at(-1)?.lower ?? null) !== null
  })
  if (input === undefined) throw new Error(`no debate of the test comes to ${kind}`)
  const { decisionId, path } = await services.certify(input, ANN)
  const figures = path.flatMap(({ lower, answer, score }) => [String(lower), String(score), answer])
  const secrets = new Set([WORDS, '"kind":"defer"', '"kind":"act"', ...figures])
  for (const commonplace of ['0', '1', 'null', 'undefined']) secrets.delete(commonplace)
  return { questionId: input.id, decisionId, secrets: [...secrets] }
}

/** Every GET route of the contract with every possible query. */
async function targets(
  { store, certificateId }: Served,
  { questionId, decisionId }: Reported,
): Promise<readonly string[]> {
  const runId = (await store.decisions.findById(decisionId))?.runId ?? (await store.runs.list(1))[0]?.id ?? ''
  const reviews = await store.reviews.list({ after: null, limit: 9 })
  const ids = [decisionId, questionId, runId, certificateId, ...reviews.map(({ id }) => id)]
  const usual = ['', 'reveal=true']
  const filters = [
    ...[...usual, 'kind=act', 'kind=defer', 'sampled=true', 'sampled=false', 'status=done', 'status=submitted'],
    ...['outcome=wrong', 'outcome=right', 'outcome=unlabelled', 'q=a', 'q=answer'],
    ...['source=spot-check', 'source=deferral', 'reason=bound-low', `id=${encodeURIComponent(questionId)}`],
  ]
  return ROUTES.filter(({ method }) => method === 'GET').flatMap(({ path }) => {
    const fields = READ.get(path) ?? new Set<string>()
    const read = filters.filter((query) => usual.includes(query) || fields.has(query.split('=')[0] ?? ''))
    return filled(path, ids).flatMap((target) =>
      (target === path ? read : usual).map((query) => `${target}?run=${runId}&limit=200&${query}`),
    )
  })
}

/** The fields of its query that a GET route reads. The server passes it no others. */
const READ: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  describedRoutes().flatMap(({ method, path, request }) =>
    method === 'get' ? [[path, new Set(Object.keys((request?.query as ZodObject | undefined)?.shape ?? {}))]] : [],
  ),
)

function filled(path: string, ids: readonly string[]): readonly string[] {
  const name = /\{\w+\}/.exec(path)?.[0]
  if (name === undefined) return [path]
  return ids.flatMap((id) => filled(path.replace(name, encodeURIComponent(id)), ids))
}

/** The paths whose response leaks something, except the options of a question and the certificate's own figures. */
async function leaks(
  served: Served,
  announced: Reported,
  headers: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const found: string[] = []
  // Hundreds of paths have the same response.
  const told = new Map<string, readonly string[]>()
  for (const path of await targets(served, announced)) {
    const { text, status } = await ask(served.port, path, { headers })
    if (status >= 500) expect({ path, status }).toEqual({ path, status: 'below 500' })
    const secrets = told.get(text) ?? secretsIn(text, announced)
    told.set(text, secrets)
    found.push(...secrets.map((secret) => `${path} tells ${secret}`))
  }
  return found
}

function secretsIn(text: string, { secrets }: Reported): readonly string[] {
  const body = text.startsWith('{') ? JSON.stringify(JSON.parse(text), withoutPublic) : text
  return secrets.filter((secret) => body.includes(secret))
}

function withoutPublic(key: string, value: unknown): unknown {
  if (key === 'options') return undefined
  return key === 'certificate' && typeof value === 'object' ? undefined : value
}

const CASES = [
  { title: 'a spot check that was acted on', spotCheckRate: 1, kind: 'act' },
  { title: 'a spot check that was deferred', spotCheckRate: 1, kind: 'defer' },
  { title: 'a deferral', spotCheckRate: 0, kind: 'defer' },
] as const

test.each(CASES)('while a blind item is open about $title, no GET route shows a person the panel', async (of) => {
  const served = await serveBlind(of.spotCheckRate)
  const { services, store, clock } = served
  const announced = await certifyOne(served, of.kind)
  const reviewer = await signIn(served, 'reviewer')
  const [waiting] = await store.reviews.list({ after: null, limit: 9 })
  const id = waiting?.id ?? ''
  expect(await leaks(served, announced, reviewer)).toEqual([])
  expect(await services.reviews.claim(id, MIRA)).toMatchObject({ kind: 'done', value: { isBlind: true } })
  expect(await leaks(served, announced, reviewer)).toEqual([])
  expect(await leaks(served, announced, await signIn(served, 'viewer'))).toEqual([])
  expect(await services.reviews.submit(id, MIRA, { outcome: { kind: 'cannot-tell' } })).toMatchObject({ kind: 'done' })
  expect(await leaks(served, announced, reviewer)).toEqual([])
  // The same search finds it for programs, for an admin who reveals it, and once the review is final.
  const machine = bearer(await served.token('reviewer', 'machine'))
  const exported = of.kind === 'act' ? ['/v1/export'] : []
  expect(tellers(await leaks(served, announced, machine))).toEqual([
    '/v1/decisions',
    ...exported,
    '/v1/ledger',
    '/v1/operating-point',
  ])
  const revealed = await leaks(served, announced, await signIn(served, 'admin'))
  expect(revealed.filter((leak) => !leak.includes('reveal=true'))).toEqual([])
  expect(tellers(revealed)).toEqual(['/v1/debates', '/v1/decisions', '/v1/ledger'])
  await expectRevealed(served, announced)
  clock.now += UNDO_MS
  expect(tellers(await leaks(served, announced, reviewer))).toEqual(
    expect.arrayContaining(['/v1/debates', '/v1/decisions', '/v1/ledger', '/v1/operating-point', '/v1/reviews']),
  )
})

/** The ledger records who revealed it, and its chain is intact. */
async function expectRevealed({ store }: Served, { decisionId, questionId }: Reported): Promise<void> {
  const { runId = '' } = (await store.decisions.findById(decisionId)) ?? {}
  const rows = (await store.ledger.list(runId, { after: 0, limit: 500 })).map(({ line }) => JSON.parse(line))
  const looked = rows.filter(({ kind }) => kind === 'blind-revealed').map(({ body }) => body)
  expect(looked[0]).toEqual({ questionId, by: 'human admin' })
  expect(await verified(store, runId)).toMatchObject({ kind: 'whole', decisions: 1 })
}

test.each([
  { title: 'sampled', spotCheckRate: 1 },
  { title: 'not sampled', spotCheckRate: 0 },
])('a question that is still debated, $title, is hidden from its first round on', async ({ spotCheckRate }) => {
  const served = await serveBlind(spotCheckRate)
  const announced = await certifyOne(served, 'continue')
  expect(await leaks(served, announced, await signIn(served, 'reviewer'))).toEqual([])
})

test('a deferral that was claimed openly is shown to everybody', async () => {
  const served = await serveBlind(0)
  const { services, store } = served
  for (let number = 0; number < 16; number++) await certifyOne(served, 'defer', `asked ${number}`)
  const viewer = await signIn(served, 'viewer')
  const shown = async () => {
    const { json } = await ask(served.port, '/v1/debates?kind=defer&limit=200', { headers: viewer })
    return pageOf(debateRowSchema)
      .parse(json())
      .items.map(({ questionId }) => questionId)
  }
  expect(await shown()).toEqual([])
  const items = await store.reviews.list({ after: null, limit: 99 })
  for (const { id } of items) await services.reviews.claim(id, MIRA)
  const open = items.filter(({ list }) => list === 'open').map(({ questionId }) => questionId)
  expect(open.length).toBeGreaterThan(0)
  expect(open.length).toBeLessThan(items.length)
  expect((await shown()).toSorted()).toEqual(open.toSorted())
})

test('a waiting item shows no person whether it is a spot check or a deferral', async () => {
  const seen = async (spotCheckRate: number) => {
    const served = await serveBlind(spotCheckRate)
    const announced = await certifyOne(served, 'defer')
    const headers = await signIn(served, 'reviewer')
    const all: string[] = []
    for (const path of await targets(served, announced)) {
      // Figures over all questions count them, and the first ledger row contains the rate.
      if (/^\/v1\/(decisions|debates|reviews|labels|operating-point)/.test(path)) {
        const { text, status } = await ask(served.port, path, { headers })
        all.push(`${path} ${status} ${text}`)
      }
    }
    return all
  }
  expect(masked(await seen(1))).toEqual(masked(await seen(0)))
})

/** Masks ids, which contain the time. */
function masked(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|"(at|createdAt)":\d+|[0-9a-f]{64}/g, '_')).sort()
}

test('asking the same question again shows the decision to a machine and hides it from a person', async () => {
  const { port, token } = await serveBlind(1)
  const [question] = FRESH
  if (question === undefined) throw new Error('no question')
  const post = async (secret: string) => {
    const body = JSON.stringify(inputOf(question))
    const answer = await ask(port, '/v1/decisions', { method: 'POST', body, headers: bearer(secret) })
    return decisionViewSchema.parse(answer.json())
  }
  const [machine, person] = [await token('reviewer', 'machine'), await token('reviewer', 'human')]
  const { id } = await post(machine)
  const live = await ask(port, `/v1/decisions/${id}/events`, { headers: bearer(person) })
  const [, decidedEvent, ...more] = live.text.split('\n\n').filter((event) => event !== '')
  expect([more, decidedEvent]).toEqual([[], expect.stringContaining('event: decided')])
  expect(decidedEvent).toContain('"decision":null')
  expect(await post(machine)).toMatchObject({ id, isHidden: false, decision: { kind: expect.any(String) } })
  expect(await post(person)).toMatchObject({ id, isHidden: true, decision: null, rounds: null, reviewId: null })
  const refused = await ask(port, `/v1/decisions/${id}/events?reveal=true`, { headers: bearer(person) })
  expect(refused.status).toBe(403)
})

test('a person may not ask the panel again what a blind item hides; a machine may', async () => {
  const { port, token } = await serveBlind(1)
  const [question] = FRESH
  if (question === undefined) throw new Error('no question')
  const { id, ...asked } = inputOf(question)
  const post = async (secret: string, body: object) => {
    const headers = bearer(secret)
    return ask(port, '/v1/decisions', { method: 'POST', body: JSON.stringify(body), headers })
  }
  const statusOf = async (secret: string, body: object) => (await post(secret, body)).status
  const [machine, person] = [await token('reviewer', 'machine'), await token('reviewer', 'human')]
  const first = decisionViewSchema.parse((await post(machine, { id, ...asked })).json())
  await ask(port, `/v1/decisions/${first.id}?wait=60`, { headers: bearer(machine) })
  const spaced = { ...asked, question: `  ${asked.question.replaceAll(' ', '\n ')} ` }
  expect(await statusOf(person, asked)).toBe(409)
  expect(await statusOf(person, { ...spaced, id: 'another' })).toBe(409)
  expect(await statusOf(person, { id, ...asked })).toBe(202)
  expect(await statusOf(person, { ...asked, question: `${asked.question} Or not?`, id: 'new' })).toBe(202)
  expect(await statusOf(machine, { ...spaced, id: 'another' })).toBe(202)
})

test('a person may not ask again what a blind item of another run hides, under its own id either', async () => {
  const { port, token, store } = await serveBlind(0)
  const [question] = FRESH
  if (question === undefined) throw new Error('no question')
  const { id = '', ...asked } = inputOf(question)
  const row = { position: 0, questionId: id, question: JSON.stringify(question), isSpotCheck: true }
  await store.runs.create(sampleRun({ kind: 'decide' }), [row])
  await addReview(store, sampleReview(1, { questionId: id, source: 'spot-check' }))
  const headers = bearer(await token('reviewer', 'human'))
  const post = async (body: object) =>
    ask(port, '/v1/decisions', { method: 'POST', body: JSON.stringify(body), headers })
  expect((await post({ id, ...asked })).status).toBe(409)
})

function tellers(found: readonly string[]): readonly string[] {
  return [...new Set(found.map((leak) => `/v1/${leak.split(/[/?]/)[2]}`))].sort()
}

test('the view of a hidden debate with open answers does not reveal the answers', async () => {
  const served = await serveBlind(0)
  const { store } = served
  const options = ['1', '2', 'other']
  const named = options.map((name) => ({ name, text: name }))
  const question = JSON.stringify({ id: 'q0', question: 'How many?', options: named, gold: null, group: null })
  const submitted = ['about-4217', 'about-9935'].map((words, at) => ({
    agent: `a${at}`,
    answer: options[at],
    answer_text: words,
  }))
  const row = { position: 0, questionId: 'q0', question, isSpotCheck: false }
  const { id: runId } = sampleRun({ kind: 'decide' })
  await store.runs.create(sampleRun({ kind: 'decide' }), [row])
  // The right answer, and whether the panel was right, would reveal its answer too.
  const [gold_text, grades] = ['about-7708', [{ round: 1, right: false, by: 'model:judge' }]]
  const said = { quorate: 1, id: 'q0', question: 'How many?', options, gold_text, grades, rounds: [submitted] }
  const debate = JSON.stringify(said)
  await store.debates.save(sampleDebate('q0', { debate, rounds: 1 }))
  await addReview(store, sampleReview(1, { questionId: 'q0', source: 'deferral', list: 'blind' }))
  const view = async (role: 'viewer' | 'admin', query = '') =>
    (await ask(served.port, `/v1/debates/${runId}/q0${query}`, { headers: await signIn(served, role) })).text
  const hidden = await view('viewer')
  expect(JSON.parse(hidden)).toMatchObject({ isHidden: true, options: [] })
  expect(hidden).not.toMatch(HIDDEN_WORDS)
  const listed = await ask(served.port, '/v1/debates?limit=9', { headers: await signIn(served, 'reviewer') })
  expect(listed.json()).toMatchObject({ items: [{ questionId: 'q0', isHidden: true }] })
  expect(listed.text).not.toMatch(HIDDEN_WORDS)
  expect(JSON.parse(await view('admin', '?reveal=true'))).toMatchObject({
    options: [
      { name: '1', text: 'about-4217' },
      { name: '2', text: 'about-9935' },
    ],
    openAnswers: { 1: 'about-4217', 2: 'about-9935' },
    goldText: 'about-7708',
    grade: 'wrong',
  })
})

const HIDDEN_WORDS = /about-|openAnswers|answerText|goldText|"grade"/
