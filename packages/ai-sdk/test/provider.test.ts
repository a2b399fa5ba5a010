import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { experimental_decide, generateText, jsonSchema, Output, streamText } from 'ai'
import { expect, onTestFinished, test } from 'vitest'
import { choiceOf, modelWorld, QUESTIONS } from '../../quorate/test/server/openai/model-world.ts'
import { createQuorate, DeferredError } from '../src/index.ts'

const SOME = QUESTIONS.slice(0, 10)

async function world(onDefer: 'throw' | 'refuse' = 'throw') {
  const { server, token } = await modelWorld()
  const url = `http://127.0.0.1:${server.port}`
  return { server, quorate: createQuorate({ url, token, onDefer }) }
}

const outputOf = (question: (typeof SOME)[number]) =>
  Output.object({ schema: jsonSchema<{ answer: string }>(choiceOf(question)), name: 'choice' })

test('an action returns its answer, a deferral throws DeferredError, and no request is repeated', async () => {
  const { server, quorate } = await world()
  const kinds = new Set<string>()
  for (const question of SOME) {
    const before = server.lines.length
    const providerOptions = { quorate: { id: question.id } }
    const call = { model: quorate('panel'), prompt: question.question, output: outputOf(question), providerOptions }
    const result = await generateText(call).catch((error: unknown) => error)
    expect(server.lines.length).toBe(before + 1)
    if (result instanceof DeferredError) {
      kinds.add('defer')
      expect(result.decision).toMatchObject({ kind: 'defer', reason: 'bound-low', reviewId: expect.any(String) })
      const streamed = streamText({ ...call, onError: () => undefined })
      await expect(streamed.text).rejects.toThrow()
      continue
    }
    kinds.add('act')
    expect(result).toMatchObject({ finishReason: 'stop', output: { answer: expect.stringMatching(/^[A-D]$/) } })
    expect(JSON.parse(await streamText(call).text)).toEqual(Object(result).output)
  }
  expect([...kinds].sort()).toEqual(['act', 'defer'])
})

test('as a decision model it chooses, and throws or refuses a deferral', async () => {
  const decideAll = async (onDefer: 'throw' | 'refuse') => {
    const { quorate } = await world(onDefer)
    return Promise.allSettled(
      SOME.map(({ question, options }) => {
        const criteria = Object.fromEntries(options.map(({ name, text }) => [name, text]))
        const questions = { which: { type: 'choice' as const, criteria } }
        const state = [{ type: 'text' as const, text: question }]
        return experimental_decide({ model: quorate.decisionModel('panel'), state, questions })
      }),
    )
  }
  const [throwing, refusing] = [await decideAll('throw'), await decideAll('refuse')]
  const chosen = throwing.filter(({ status }) => status === 'fulfilled')
  expect(chosen.length).toBeGreaterThan(0)
  expect(chosen.length).toBeLessThan(SOME.length)
  const errors = throwing.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(errors.every((error) => error instanceof DeferredError)).toBe(true)
  const choices = refusing.filter((outcome) => JSON.stringify(outcome).includes('"choice":"'))
  expect(choices.length).toBe(chosen.length)
})

test('tools and wrong tokens are errors that are not retried', async () => {
  const { quorate, server } = await world()
  const [question] = SOME
  if (question === undefined) throw new Error('no question')
  const tools = { refund: { inputSchema: jsonSchema({ type: 'object', properties: {} }) } }
  await expect(generateText({ model: quorate('panel'), prompt: 'Which?', tools })).rejects.toThrow(/tools/)
  const unauthorized = createQuorate({ url: `http://127.0.0.1:${server.port}`, token: 'wrong' })
  const before = server.lines.length
  const call = { model: unauthorized('panel'), prompt: question.question, output: outputOf(question) }
  await expect(generateText(call)).rejects.toMatchObject({ statusCode: 401 })
  expect(server.lines.length).toBe(before + 1)
})

test('a redirect is not followed: no other server gets the question or answers it', async () => {
  const seen: string[] = []
  const listen = async (answer: RequestListener) => {
    const server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  }
  const other = await listen((request, response) => {
    seen.push(request.url ?? '')
    const quorate = { kind: 'act', bound: 1, threshold: 0, reason: null, decisionId: 'd', reviewId: null }
    const choices = [{ message: { content: 'forged', refusal: null } }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices, quorate }))
  })
  const url = await listen((_, response) => {
    response.writeHead(307, { location: `${other}/v1/chat/completions` }).end()
  })
  const model = createQuorate({ url, token: 'qt_secret' })('panel')
  await expect(generateText({ model, prompt: 'What?', maxRetries: 0 })).rejects.toThrow()
  expect(seen).toEqual([])
})
