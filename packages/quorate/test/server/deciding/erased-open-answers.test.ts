import { expect, onTestFinished, test } from 'vitest'
import { createPanel, createServer, openStore, type PanelOptions } from '../../../src/index.ts'
import { ask } from '../ask.ts'

const AGENTS = ['ada', 'bob', 'cleo']
/** Occurs in the question, in every reply, in what the reviewer types and in the note. */
const WORD = 'wolfhart'

/** All agents answer the word of the question; on request they differ, or fail with an error that quotes the question. */
function answer(agent: string) {
  return async ({ messages }: { readonly messages: readonly { readonly content: string }[] }) => {
    const prompt = messages[0]?.content ?? ''
    if (prompt.includes('Fail.')) throw new Error(`refused: ${prompt}`)
    const [, word = ''] = /The word is ([\w-]+)\?/u.exec(prompt) ?? []
    const code = [...prompt.matchAll(/<answer-([0-9a-f]{8})>/gu)].at(-1)?.[1] ?? ''
    return `I think of ${word}. <answer-${code}>${word}${prompt.includes('Differ.') ? ` ${agent}` : ''}</answer-${code}>`
  }
}

async function servedPanel() {
  const store = await openStore('sqlite::memory:')
  const free = { inputUsdPerMillion: 0, outputUsdPerMillion: 0 }
  const options = {
    store,
    config: {
      answers: { kind: 'text' },
      panel: { rounds: 1, beliefs: 'vote', agents: AGENTS.map((name) => ({ name, model: `function/${name}` })) },
      budget: { beta: 0.1 },
      review: { spotCheckRate: 0.5 },
      limits: { attempts: 1 },
      prices: Object.fromEntries(AGENTS.map((name) => [`function/${name}`, free])),
    },
    models: Object.fromEntries(AGENTS.map((name) => [name, answer(name)])),
  } satisfies PanelOptions
  const labelled = Array.from({ length: 120 }, (_, at) => ({
    id: `l${at}`,
    question: `The word is w${at}?`,
    gold: `w${at}`,
  }))
  const first = await createPanel(options)
  const { runId } = await first.run(labelled, { kind: 'debate' })
  const certificate = await first.calibrate(runId)
  await first.close()
  const panel = await createPanel({ ...options, certificate })
  const server = await createServer({ panel, port: 0 })
  onTestFinished(async () => {
    await panel.close()
    await store.close()
  })
  return { store, port: Number(new URL(server.url).port) }
}

test('once questions with open answers are erased, no route of a running server returns a word of them', async () => {
  const { store, port } = await servedPanel()
  const get = (path: string) => ask(port, path)
  const post = async (path: string, body: object, headers = {}) =>
    (await ask(port, path, { method: 'POST', body: JSON.stringify(body), headers })).json() as {
      id: string
      runId: string
    }
  const questions = { same: '', same2: '', same3: '', differ: 'Differ. ', fail: 'Fail. ' }
  const ids: string[] = []
  let runId = ''
  for (const [id, before] of Object.entries(questions)) {
    const key = { 'idempotency-key': `key-${id}` }
    const asked = await post('/v1/decisions', { id, question: `${before}The word is ${WORD}-${id}?` }, key)
    ids.push(asked.id)
    runId = asked.runId
    expect((await get(`/v1/decisions/${asked.id}?wait=60`)).json()).toMatchObject({ status: 'decided' })
  }
  for (let item = await nextItem(); item !== null; item = await nextItem()) {
    const outcome = { kind: 'answer', text: `${WORD} typed` }
    await post(`/v1/reviews/${item.id}/submit`, { outcome, note: `${WORD} noted` })
  }
  async function nextItem() {
    const { item } = (await ask(port, '/v1/reviews/next', { method: 'POST', body: '{}' })).json() as {
      item: { id: string } | null
    }
    return item
  }
  const reviews = (await store.reviews.list({ after: null, limit: 50 })).map(({ id }) => id)
  const paths = [
    ...['/v1/debates', '/v1/debate-summary', `/v1/debates?q=${WORD}`, `/v1/debate-summary?q=${WORD}s`],
    ...['/v1/export/answers', '/v1/export/answers?format=jsonl', '/v1/operating-point', '/v1/evaluate', '/v1/audit'],
    ...['/v1/monitor', '/metrics', '/v1/runs', '/v1/labels', '/v1/reviews', '/v1/agreement', `/v1/ledger?run=${runId}`],
    ...Object.keys(questions).map((id) => `/v1/debates/${runId}/${id}`),
    ...ids.flatMap((id) => [`/v1/decisions/${id}`, `/v1/decisions/${id}/events`]),
    ...reviews.map((id) => `/v1/reviews/${id}`),
  ]
  const withWord = async () => {
    const answers = await Promise.all(paths.map(async (path) => ({ path, ...(await get(path)) })))
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    return answers.filter(({ text }) => text.includes(WORD)).map(({ path }) => path)
  }
  const shown = await withWord()
  expect(shown).toEqual(expect.arrayContaining(['/v1/debates', '/v1/export/answers', `/v1/decisions/${ids[0]}`]))
  expect(shown).toEqual(expect.arrayContaining([`/v1/decisions/${ids[0]}/events`, `/v1/debates/${runId}/fail`]))
  for (const id of Object.keys(questions)) await store.redact(id)
  expect(await withWord()).toEqual([])
  const headers = { 'idempotency-key': 'key-same' }
  const body = JSON.stringify({ id: 'same', question: `The word is ${WORD}-same?` })
  const repeated = await ask(port, '/v1/decisions', { method: 'POST', body, headers })
  expect([repeated.status, repeated.text.includes(WORD)]).toEqual([409, false])
})
