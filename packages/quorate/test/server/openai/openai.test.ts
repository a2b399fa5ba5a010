import { generateText, jsonSchema, NoObjectGeneratedError, Output, streamText } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { quorateFieldsSchema } from '../../../src/contract/openai.ts'
import { modelAnswer } from '../../../src/server/openai/write-answer.ts'
import { countedModels } from '../../run/run-world.ts'
import { chatBody, choiceOf, modelWorld, QUESTIONS, responsesBody } from './model-world.ts'

const SOME = QUESTIONS.slice(0, 12)
const withQuorate = z.looseObject({ quorate: quorateFieldsSchema })

const quorateOf = (answer: unknown) => withQuorate.parse(answer).quorate

/** What a careless caller might mistake for an answer: an option, a JSON object, or a text with an option as a word. */
function isAnswer(text: string | null | undefined, { options }: (typeof SOME)[number]): boolean {
  if (text === null || text === undefined || text === '') return false
  if (text.includes('{')) return true
  const words = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  return options.some(({ name, text: submitted }) =>
    [name, submitted].some((word) => words.includes(` ${word.toLowerCase()} `)),
  )
}

test('the openai package gets answers of actions, and of deferrals nothing that reads as one, in chat and responses', async () => {
  const { openai, services } = await modelWorld()
  const kinds = new Set<string>()
  for (const question of SOME) {
    const id = { metadata: { quorate_id: question.id } }
    const chat = await openai.chat.completions.create({ ...chatBody(question), ...id })
    const { kind, bound, threshold, reason, decisionId, reviewId } = quorateOf(chat)
    kinds.add(kind)
    const view = await services.decisions.find(decisionId, { waitMs: 0, signal: new AbortController().signal })
    const [choice] = chat.choices
    // The same id has the same decision, in the other format.
    const response = await openai.responses.create({ ...responsesBody(question), ...id })
    expect(quorateOf(response)).toEqual(quorateOf(chat))
    if (kind === 'act') {
      const content = JSON.stringify({ answer: view?.decision?.answer })
      expect(choice).toMatchObject({ finish_reason: 'stop', message: { content, refusal: null } })
      expect(response).toMatchObject({ status: 'completed', output_text: content })
      expect(bound).toBeGreaterThanOrEqual(threshold ?? 1)
      continue
    }
    expect(choice).toMatchObject({ finish_reason: 'content_filter', message: { content: null } })
    expect(choice?.message.refusal).toMatch(/decision/i)
    expect(isAnswer(choice?.message.refusal, question)).toBe(false)
    expect({ bound, reason, reviewId }).toEqual({ bound: null, reason: 'bound-low', reviewId: view?.reviewId })
    expect(reviewId).not.toBeNull()
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } })
    expect(response.output_text).toBe('')
  }
  expect([...kinds].sort()).toEqual(['act', 'defer'])
})

test('the AI SDK: text is never an answer of a deferral, structured output throws, and an action has its object', async () => {
  const { aiSdk, openai } = await modelWorld()
  const deferred: (typeof SOME)[number][] = []
  let acted = 0
  for (const question of SOME) {
    const model = aiSdk('quorate/panel')
    const output = Output.object({ schema: jsonSchema<{ answer: string }>(choiceOf(question)), name: 'choice' })
    const result = await generateText({ model, prompt: question.question, output }).catch((error: unknown) => error)
    if (!NoObjectGeneratedError.isInstance(result)) {
      const chat = await openai.chat.completions.create(chatBody(question))
      expect(result).toMatchObject({ output: JSON.parse(chat.choices[0]?.message.content ?? '') })
      acted += 1
      continue
    }
    deferred.push(question)
    expect(result.finishReason).toBe('content-filter')
    expect(isAnswer(result.text, question)).toBe(false)
    const headers = { 'x-quorate-on-defer': 'error' }
    await expect(generateText({ model, prompt: question.question, output, headers })).rejects.toMatchObject({
      statusCode: 422,
      isRetryable: false,
    })
  }
  expect(acted).toBeGreaterThan(0)
  const [question] = deferred
  if (question === undefined) throw new Error('nothing was deferred')
  // With labels of the config, `.text` is all that a caller reads.
  const labels = Object.fromEntries(question.options.map(({ name, text }) => [name, text]))
  const labelled = (await modelWorld({}, { labels })).aiSdk('quorate/panel')
  const { text, finishReason } = await generateText({ model: labelled, prompt: question.question })
  expect(finishReason).toBe('content-filter')
  expect(isAnswer(text, question)).toBe(false)
  const streamed = streamText({ model: labelled, prompt: question.question })
  expect(isAnswer(await streamed.text, question)).toBe(false)
  expect(await streamed.finishReason).toBe('content-filter')
})

test('streams of the openai package end with the same decision, and a deferral has no content in any chunk', async () => {
  const { openai } = await modelWorld({}, { heartbeatMs: 1 })
  for (const question of SOME.slice(0, 6)) {
    const id = { metadata: { quorate_id: question.id } }
    const whole = await openai.chat.completions.create({ ...chatBody(question), ...id })
    let [content, refusal, finish] = ['', '', '']
    let last: unknown
    for await (const chunk of await openai.chat.completions.create({ ...chatBody(question), ...id, stream: true })) {
      const [choice] = chunk.choices
      content += choice?.delta.content ?? ''
      refusal += choice?.delta.refusal ?? ''
      finish = choice?.finish_reason ?? finish
      last = chunk
    }
    const [choice] = whole.choices
    expect({ content, refusal, finish }).toEqual({
      content: choice?.message.content ?? '',
      refusal: choice?.message.refusal ?? '',
      finish: choice?.finish_reason,
    })
    expect(quorateOf(last)).toEqual(quorateOf(whole))
    const events = await openai.responses.create({ ...responsesBody(question), ...id, stream: true })
    const types: string[] = []
    let text = ''
    for await (const event of events) {
      types.push(event.type)
      if (event.type === 'response.output_text.delta') text += event.delta
      expect(event.sequence_number).toBe(types.length - 1)
    }
    expect(text).toBe(choice?.message.content ?? '')
    expect(types[0]).toBe('response.created')
    expect(types.at(-1)).toBe(content === '' ? 'response.incomplete' : 'response.completed')
    const helper = openai.responses.stream({ ...responsesBody(question), ...id })
    expect((await helper.finalResponse()).output_text).toBe(text)
  }
})

test('a deferral is an error where the client wants one, of a status that no client sends again, also in a stream', async () => {
  const { openai, server } = await modelWorld()
  const headers = { 'x-quorate-on-defer': 'error' }
  const errors: unknown[] = []
  for (const question of SOME) {
    const body = { ...chatBody(question), metadata: { quorate_id: question.id } }
    const before = server.lines.length
    const thrown = await openai.chat.completions.create(body, { headers }).catch((error: unknown) => error)
    expect(server.lines.length).toBe(before + 1)
    if (!(thrown instanceof Error)) continue
    errors.push(thrown)
    expect(thrown).toMatchObject({ status: 422, code: 'quorate_deferred', type: 'quorate_deferral' })
    const streamed = openai.chat.completions.create({ ...body, stream: true }, { headers })
    await expect(
      (async () => {
        for await (const chunk of await streamed) expect(chunk.choices[0]?.delta.content ?? null).toBeNull()
      })(),
    ).rejects.toMatchObject({ code: 'quorate_deferred' })
    const responses = { ...responsesBody(question), metadata: { quorate_id: question.id } }
    await expect(openai.responses.create(responses, { headers })).rejects.toMatchObject({ status: 422 })
    await expect(
      (async () => {
        for await (const event of await openai.responses.create({ ...responses, stream: true }, { headers }))
          expect(event.type).not.toMatch(/output_text/)
      })(),
    ).rejects.toThrow()
  }
  expect(errors.length).toBeGreaterThan(0)
})

test('plain HTTP: headers tell the decision, a key is asked once, and a deferral stays the same deferral', async () => {
  const { post } = await modelWorld()
  const ids = new Set<string>()
  for (const question of SOME) {
    const asked = await Promise.all(
      [1, 2].map(() => post('/chat/completions', chatBody(question), { 'idempotency-key': `key-${question.id}` })),
    )
    const again = await post('/chat/completions', chatBody(question), { 'idempotency-key': `key-${question.id}` })
    const answers = await Promise.all([...asked, again].map(async (answer) => JSON.parse(await answer.text())))
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    const { kind, decisionId } = quorateOf(answers[0])
    ids.add(decisionId)
    expect(again.headers.get('x-quorate-kind')).toBe(kind)
    expect(again.headers.get('x-quorate-decision-id')).toBe(decisionId)
    expect(again.headers.get('x-quorate-reason')).toBe(kind === 'act' ? null : 'bound-low')
  }
  expect(ids.size).toBe(SOME.length)
  const [first, second] = SOME
  if (first === undefined || second === undefined) throw new Error('no question')
  const conflict = await post('/chat/completions', chatBody(second), { 'idempotency-key': `key-${first.id}` })
  expect(conflict.status).toBe(409)
  expect(conflict.headers.get('x-should-retry')).toBe('false')
})

test('a stream is kept alive with comments while the panel debates', async () => {
  const release = new AbortController()
  const released = new Promise<void>((resolve) => release.signal.addEventListener('abort', () => resolve()))
  const { post } = await modelWorld({ models: countedModels(() => released).models }, { heartbeatMs: 1 })
  const [question] = SOME
  if (question === undefined) throw new Error('no question')
  const answer = await post('/chat/completions', { ...chatBody(question), stream: true })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += new TextDecoder().decode(chunk)
    if (text.split(': still here').length > 3) release.abort()
  }
  expect(text).toMatch(/^data: \{.*"delta":\{"role":"assistant"\}/)
  expect(text).toMatch(/: still here\n\n/)
  expect(text).toMatch(/data: \[DONE\]\n\n$/)
})

test('a hundred requests at once are all answered', async () => {
  const { openai } = await modelWorld()
  const asked = [...QUESTIONS, ...QUESTIONS.slice(0, 40)]
  const answers = await Promise.all(asked.map((question) => openai.chat.completions.create(chatBody(question))))
  const ids = new Set(answers.map((answer) => quorateOf(answer).decisionId))
  expect(ids.size).toBe(100)
  for (const answer of answers) {
    expect(answer.choices[0]?.message.content === null).toBe(quorateOf(answer).kind === 'defer')
  }
})

test.each([
  [['refund', 'human review']],
  [['decision', 'deferral']],
  [['decision', 'defer', 'hidden', 'quorate']],
  [['+', '-']],
  [['.', ':', ' ']],
])('no refusal has one of the options %j in it, and none is JSON', (options) => {
  const view = {
    id: '019e0000-0000-7000-8000-000000000001',
    runId: 'r',
    questionId: 'q',
    status: 'decided',
    createdAt: 1,
    rounds: null,
    certificate: 'c',
    decision: null,
    reviewId: null,
  } as const
  const asked = { model: 'quorate/panel', question: { question: 'What?', options }, property: null, isStreamed: false }
  for (const isHidden of [true, false]) {
    const { refusal } = modelAnswer({ ...view, isHidden }, asked)
    for (const option of options) expect(refusal?.toLowerCase()).not.toContain(option)
    expect(() => JSON.parse(refusal ?? '')).toThrow()
  }
})
