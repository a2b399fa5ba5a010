import { decide } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { isSampled } from '../../../../src/run/intake.ts'
import { certifiedDebate } from '../../../../src/server/deciding/certify-input.ts'
import { SAMPLE_KEY } from '../../../store/samples.ts'
import { ask, bearer } from '../../ask.ts'
import { ANN, certifyInput } from '../world.ts'
import { type Served, serveBlind, signIn, UNDO_MS } from './blind-server.ts'

const RATE = 0.5

/** Cases that a person must not be able to distinguish: each waits in the queue as one hidden item. */
const HIDDEN = [
  { title: 'a spot check that was acted on', kind: 'act', sampled: true, rounds: 4 },
  { title: 'a spot check that was acted on and not debated on', kind: 'act', sampled: true, rounds: 1 },
  { title: 'a spot check that was deferred', kind: 'defer', sampled: true, rounds: 4 },
  { title: 'a deferral', kind: 'defer', sampled: false, rounds: 4 },
] as const

type Case = (typeof HIDDEN)[number]

/** Figures over many questions, which change with each question. */
function paths({ certificateId }: Served): readonly string[] {
  return [
    ...['/v1/monitor', '/metrics', '/v1/certificates?limit=9', `/v1/certificates/${certificateId}`],
    ...['/v1/operating-point', '/v1/evaluate', '/v1/audit', '/v1/runs', '/v1/debate-summary'],
    ...['/v1/debate-summary?outcome=wrong', '/v1/debate-summary?q=answer'],
  ]
}

async function figures(served: Served, headers: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const texts: string[] = []
  for (const path of paths(served)) {
    // The view of the monitor is cached for half a second.
    served.clock.now += 60_000
    const { text, status } = await ask(served.port, path, { headers })
    texts.push(masked(`${path} ${status} ${text}`))
  }
  return texts
}

/** Times depend on how often the clock was read, and the requests of the test itself are counted too. */
function masked(text: string): string {
  return text
    .replace(/quorate_(http|request)\S* .*/g, '')
    .replace(/"(at|since|oldestAt)":\d+/g, '_')
    .replace(/oldest_seconds \S+/g, '_')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '_')
}

/** A server with some questions that everybody may see. */
async function begun(): Promise<Served> {
  const served = await serveBlind(RATE)
  let shown = 0
  for (const debate of served.debates) {
    const input = certifyInput(debate, 4)
    const [run] = (await served.store.runs.list(9)).filter(({ config }) => config.includes('certify'))
    const sampled = run !== undefined && isSampled(input.id, { runId: run.id, key: SAMPLE_KEY, spotCheckRate: RATE })
    if (sampled || decide(served.certificate, certifiedDebate(input)).kind !== 'act') continue
    await served.services.certify(input, ANN)
    if (++shown === 4) break
  }
  return served
}

async function hide(served: Served, { kind, sampled, rounds }: Omit<Case, 'title'>): Promise<void> {
  const [run] = (await served.store.runs.list(9)).filter(({ config }) => config.includes('certify'))
  const coin = { runId: run?.id ?? '', key: SAMPLE_KEY, spotCheckRate: RATE }
  const ids = Array.from({ length: 99 }, (_, at) => `hidden ${at}`)
  const id = ids.find((one) => isSampled(one, coin) === sampled)
  if (id === undefined) throw new Error('no id')
  const inputs = served.debates.map((debate) => certifyInput(debate, rounds, { id }))
  const input = inputs.find((one) => decide(served.certificate, certifiedDebate(one)).kind === kind)
  if (input === undefined) throw new Error(`no debate comes to ${kind}`)
  const answer = await served.services.certify(input, ANN)
  expect(answer).toMatchObject({ kind, isSpotCheck: sampled })
}

async function seenBy(of: Case, who: 'person' | 'machine') {
  const served = await begun()
  const headers = who === 'person' ? await signIn(served, 'viewer') : bearer(await served.token('reviewer', 'machine'))
  const before = await figures(served, headers)
  await hide(served, of)
  return { before, after: await figures(served, headers) }
}

test('figures over all questions do not reveal the outcome of a hidden one to a person', async () => {
  const seen = await Promise.all(HIDDEN.map((of) => seenBy(of, 'person')))
  const [first] = seen
  for (const { before, after } of seen) {
    expect(before).toEqual(first?.before)
    expect(after).toEqual(first?.after)
  }
})

test('a program sees them whole, so that the test above can fail', async () => {
  const [acted, deferred] = [HIDDEN[0], HIDDEN[3]]
  const [one, other] = [await seenBy(acted, 'machine'), await seenBy(deferred, 'machine')]
  const announced = one.after.filter((text, at) => text !== other.after[at]).map((text) => text.split(' ')[0])
  expect(announced).toEqual(expect.arrayContaining(['/v1/monitor', '/metrics', '/v1/operating-point', '/v1/runs']))
  expect(announced.some((path) => path?.startsWith('/v1/certificates/'))).toBe(true)
})

test('labels of hidden items leave no gap in a page that reveals their source', async () => {
  const served = await serveBlind(1)
  const input = served.debates.map((debate) => certifyInput(debate, 4, { id: 'hidden' }))[0]
  if (input === undefined) throw new Error('no debate')
  await served.services.certify(input, ANN)
  const add = (id: string, questionId: string) =>
    served.store.labels.addAll([
      {
        id,
        questionId,
        gold: 'A',
        source: 'import',
        by: null,
        at: 1,
        runId: null,
      },
    ])
  for (const number of [1, 2, 3]) await add(`0000000${number}`, `imported ${number}`)
  const [item] = await served.store.reviews.list({ after: null, limit: 1 })
  const mira = { name: 'mira', kind: 'human', role: 'reviewer' } as const
  await served.services.reviews.claim(item?.id ?? '', mira)
  const submitted = await served.services.reviews.submit(item?.id ?? '', mira, { outcome: { kind: 'cannot-tell' } })
  expect(submitted.kind).toBe('done')
  const person = await signIn(served, 'viewer')
  for (const query of ['source=spot-check&limit=1', 'source=deferral&limit=1']) {
    const { text } = await ask(served.port, `/v1/labels?${query}`, { headers: person })
    expect({ query, text }).toEqual({ query, text: '{"items":[],"next":null}' })
  }
  for (const limit of [1, 2, 3, 4]) {
    const { text } = await ask(served.port, `/v1/labels?limit=${limit}`, { headers: person })
    const { items, next } = JSON.parse(text)
    expect([limit, items.length, next === null]).toEqual([limit, Math.min(3, limit), limit >= 3])
  }
})

test('runs and the monitor count a label from the same moment on: when it can no longer be undone', async () => {
  const served = await serveBlind(1)
  const inputs = served.debates.map((debate) => certifyInput(debate, 4, { id: 'sampled' }))
  const acted = inputs.find((input) => decide(served.certificate, certifiedDebate(input)).kind === 'act')
  if (acted === undefined) throw new Error('no debate is acted on')
  const { answer } = await served.services.certify(acted, ANN)
  const [item] = await served.store.reviews.list({ after: null, limit: 1 })
  const mira = { name: 'mira', kind: 'human', role: 'reviewer' } as const
  await served.services.reviews.claim(item?.id ?? '', mira)
  await served.services.reviews.submit(item?.id ?? '', mira, { outcome: { kind: 'option', option: answer ?? '' } })
  const headers = bearer(await served.token('reviewer', 'machine'))
  const labelled = async () => {
    const { spotChecks } = await served.services.monitor({ hidesBlind: false })
    const runs = JSON.parse((await ask(served.port, '/v1/runs', { headers })).text)
    return [spotChecks.labelled, runs.items[0].spotChecks.labelled]
  }
  expect(await labelled()).toEqual([0, 0])
  served.clock.now += UNDO_MS
  expect(await labelled()).toEqual([1, 1])
})
