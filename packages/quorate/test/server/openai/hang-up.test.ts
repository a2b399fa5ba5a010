import { expect, test } from 'vitest'
import { countedModels, memoryStore } from '../../run/run-world.ts'
import { bearer } from '../ask.ts'
import { ANN, decided, inputOf } from '../deciding/world.ts'
import { type AskedQuestion, chatBody, modelWorld, QUESTIONS } from './model-world.ts'

const AGENTS = 3
const ALL_CALLS = 4 * AGENTS

let found: Promise<AskedQuestion> | null = null

/** A question that takes all four rounds, so that there is something to save. */
function longQuestion(): Promise<AskedQuestion> {
  found ??= (async () => {
    const { models, asked } = countedModels()
    const { post } = await modelWorld({ models })
    for (const question of QUESTIONS) {
      const before = asked.length
      await (await post('/chat/completions', chatBody(question))).text()
      if (asked.length - before === ALL_CALLS) return question
    }
    throw new Error('every question was decided early')
  })()
  return found
}

/** Agents that delay their answers until `go`. */
function gatedModels() {
  const gate = new AbortController()
  const opened = new Promise<void>((resolve) => gate.signal.addEventListener('abort', () => resolve()))
  return { ...countedModels(() => opened), go: () => gate.abort() }
}

const turn = () => new Promise((next) => setImmediate(next))

type World = Awaited<ReturnType<typeof modelWorld>>

/** Asks, and disconnects while the first round is being answered. Resolves when the server has noticed. */
async function askAndHangUp(world: World, question: AskedQuestion, asked: readonly unknown[], isStreamed = false) {
  const { baseURL, token, attended } = world
  const hangUp = new AbortController()
  const headers = { ...bearer(token), 'content-type': 'application/json', 'idempotency-key': 'one' }
  const body = JSON.stringify({ ...chatBody(question), stream: isStreamed })
  const request = fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, body, signal: hangUp.signal })
  const failed = request.then((answer) => answer.text()).catch((error: unknown) => error)
  while (asked.length < AGENTS) await turn()
  hangUp.abort()
  expect(await failed).toBeInstanceOf(Error)
  while (attended.ended === 0) await turn()
}

/** Resolves when no call of the run is in flight, and another would have been sent by now. */
async function quiet({ store }: World): Promise<string> {
  const [run] = await store.runs.list(1)
  const id = run?.id ?? ''
  const isOpen = async () =>
    (await store.calls.list(id, { after: null, limit: 100 })).some(({ state }) => state === 'open')
  while (await isOpen()) await turn()
  for (let turns = 0; turns < 300; turns++) await turn()
  return id
}

async function allDecided({ store }: World): Promise<void> {
  const [run] = await store.runs.list(1)
  while ((await store.runs.counts(run?.id ?? '')).pending > 0) await turn()
}

test.each([false, true])(
  'a client that hangs up ends its debate after the calls in flight (streamed: %s)',
  async (isStreamed) => {
    const question = await longQuestion()
    const { models, asked, go } = gatedModels()
    const world = await modelWorld({ models })
    await askAndHangUp(world, question, asked, isStreamed)
    go()
    const runId = await quiet(world)
    expect(asked.length).toBe(AGENTS)
    expect(await world.store.runs.counts(runId)).toMatchObject({ pending: 1 })
    // Asked again with its key, it continues where it stopped: no answered call is repeated.
    const again = await world.post('/chat/completions', chatBody(question), { 'idempotency-key': 'one' })
    expect(JSON.parse(await again.text())).toMatchObject({ object: 'chat.completion' })
    expect(asked.length).toBe(ALL_CALLS)
  },
)

test('one of two clients of a question hangs up: the debate goes on for the other', async () => {
  const question = await longQuestion()
  const { models, asked, go } = gatedModels()
  const world = await modelWorld({ models })
  const other = world.post('/chat/completions', chatBody(question), { 'idempotency-key': 'one' })
  await askAndHangUp(world, question, asked)
  go()
  expect(JSON.parse(await (await other).text())).toMatchObject({ object: 'chat.completion' })
  expect(asked.length).toBe(ALL_CALLS)
})

test('the debate of a spot check goes on: clients that leave slow answers must not lose spot checks', async () => {
  const question = await longQuestion()
  const { models, asked, go } = gatedModels()
  const world = await modelWorld({ models, plan: { spotCheckRate: 1 } })
  await askAndHangUp(world, question, asked)
  go()
  while (asked.length < ALL_CALLS) await turn()
  await allDecided(world)
  expect(asked.length).toBe(ALL_CALLS)
})

test.each([0, 1])(
  'a question of a person is decided after they hang up, sampled or not (rate %d)',
  async (spotCheckRate) => {
    const question = await longQuestion()
    const { models, asked, go } = gatedModels()
    const world = await modelWorld({ models, plan: { spotCheckRate } })
    // If only spot checks continued, the status of the decision would reveal to a person which question is one.
    const token = await world.server.token({ name: 'mira', role: 'reviewer', kind: 'human' })
    await askAndHangUp({ ...world, token }, question, asked)
    go()
    await allDecided(world)
    expect(asked.length).toBe(ALL_CALLS)
  },
)

test('a person who joins a question that a program left does not pause it again', async () => {
  const question = await longQuestion()
  const { models, asked, go } = gatedModels()
  const world = await modelWorld({ models })
  const named = { ...chatBody(question), metadata: { quorate_id: question.id } }
  const leave = async (token: string) => {
    const { ended } = world.attended
    const hangUp = new AbortController()
    const headers = { ...bearer(token), 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(named), signal: hangUp.signal }
    const failed = fetch(`${world.baseURL}/chat/completions`, request).catch((error: unknown) => error)
    while (asked.length < AGENTS || world.attended.begun === ended) await turn()
    hangUp.abort()
    expect(await failed).toBeInstanceOf(Error)
    while (world.attended.ended === ended) await turn()
  }
  await leave(world.token)
  await leave(await world.server.token({ name: 'mira', role: 'reviewer', kind: 'human' }))
  go()
  await allDecided(world)
  expect(asked.length).toBe(ALL_CALLS)
})

test('a question of POST /v1/decisions is decided even if its client disconnects', async () => {
  const question = await longQuestion()
  const { models, asked, go } = gatedModels()
  const world = await modelWorld({ models })
  const named = { ...chatBody(question), metadata: { quorate_id: question.id, quorate_group: question.group ?? '' } }
  const { id } = await world.services.decisions.ask(inputOf(question), { who: ANN, idempotencyKey: null })
  const hangUp = new AbortController()
  const headers = { ...bearer(world.token), 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(named), signal: hangUp.signal }
  const failed = fetch(`${world.baseURL}/chat/completions`, request).catch((error: unknown) => error)
  while (world.server.lines.length + asked.length < AGENTS) await turn()
  hangUp.abort()
  expect(await failed).toBeInstanceOf(Error)
  go()
  expect(await decided(world.services, id)).toMatchObject({ status: 'decided' })
  expect(asked.length).toBe(ALL_CALLS)
})

test('a restarted server debates no question whose client is gone, until it is asked again', async () => {
  const question = await longQuestion()
  const store = memoryStore()
  const { models, asked, go } = gatedModels()
  const before = await modelWorld({ models, store })
  await askAndHangUp(before, question, asked)
  go()
  await quiet(before)
  before.kill()
  await before.services.stop()
  const after = countedModels()
  const world = await modelWorld({ models: after.models, store }, { known: before.token })
  await quiet(world)
  expect(after.asked.length).toBe(0)
  const again = await world.post('/chat/completions', chatBody(question), { 'idempotency-key': 'one' })
  expect(JSON.parse(await again.text())).toMatchObject({ object: 'chat.completion' })
  expect(after.asked.length).toBe(ALL_CALLS - AGENTS)
})
