import { expect, test } from 'vitest'
import { countedModels } from '../../run/run-world.ts'
import { bearer } from '../ask.ts'
import { type AskedQuestion, chatBody, modelWorld, QUESTIONS } from './model-world.ts'

const AGENTS = 3
const ROUNDS = 4
const turn = () => new Promise((next) => setImmediate(next))

/** A question that is debated in every round. */
async function longQuestion(): Promise<AskedQuestion> {
  const { models, asked } = countedModels()
  const { post } = await modelWorld({ models })
  for (const question of QUESTIONS) {
    const before = asked.length
    await (await post('/chat/completions', chatBody(question))).text()
    if (asked.length - before === ROUNDS * AGENTS) return question
  }
  throw new Error('every question was decided early')
}

test('a debate that was paused and continued has one event for each round, also for the round that decides', async () => {
  const question = await longQuestion()
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const { models, asked } = countedModels(() => opened)
  const { baseURL, token, attended, services, store, post } = await modelWorld({ models })

  const hangUp = new AbortController()
  const headers = { ...bearer(token), 'content-type': 'application/json', 'idempotency-key': 'one' }
  const body = JSON.stringify(chatBody(question))
  const request = fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, body, signal: hangUp.signal })
  const left = request.then((answer) => answer.text()).catch((error: unknown) => error)
  while (asked.length < AGENTS) await turn()
  hangUp.abort()
  await left
  while (attended.ended === 0) await turn()
  open()
  const [run] = await store.runs.list(1)
  const calls = () => store.calls.list(run?.id ?? '', { after: null, limit: 100 })
  while ((await calls()).some(({ state }) => state === 'open')) await turn()
  const row = () => store.runs.questions(run?.id ?? '', { after: -1, limit: 1 })
  expect(await row()).toMatchObject([{ status: 'pending' }])

  let decisionId = ''
  const { attend } = services.decisions
  Object.assign(services.decisions, {
    attend(id: string, signal: AbortSignal) {
      decisionId = id
      return attend(id, signal)
    },
  })
  const again = post('/chat/completions', chatBody(question), { 'idempotency-key': 'one' })
  while (decisionId === '') await turn()
  const seen: unknown[] = []
  for await (const event of (await services.decisions.events(decisionId, new AbortController().signal)) ?? []) {
    if (event.event === 'round') seen.push([event.data.round, event.data.verdict.path.length])
  }
  await (await again).text()
  expect(seen).toEqual([1, 2, 3, 4].map((round) => [round, round]))
})
