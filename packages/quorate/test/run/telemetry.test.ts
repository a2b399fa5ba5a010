import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ModelError } from '../../src/model/model-error.ts'
import {
  AGENTS,
  countedModels,
  memoryStore,
  runWorld,
  samplePlan,
  sharedCertified,
  simulatedQuestions,
} from './run-world.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

beforeAll(() => trace.setGlobalTracerProvider(provider))
afterAll(async () => {
  trace.disable()
  await provider.shutdown()
})
beforeEach(() => exporter.reset())

const QUESTIONS = simulatedQuestions(6, { from: 200 })

async function spansOf(telemetry: { readonly includeText: boolean } | undefined, models = countedModels().models) {
  const certified = await sharedCertified(simulatedQuestions(200))
  exporter.reset()
  const plan = samplePlan({ kind: 'decide', telemetry })
  const store = memoryStore()
  const { runId } = await runWorld({ store, plan, questions: QUESTIONS, certified, models })
  return { spans: exporter.getFinishedSpans(), runId, store }
}

const named = (spans: readonly ReadableSpan[], operation: string) =>
  spans.filter(({ attributes }) => attributes['gen_ai.operation.name'] === operation)

test('a debate is a workflow of agents with chats, with the attributes of the conventions and no text', async () => {
  const { spans, runId, store } = await spansOf({ includeText: false })
  const [workflows, agents, chats] = ['invoke_workflow', 'invoke_agent', 'chat'].map((name) => named(spans, name))
  if (workflows === undefined || agents === undefined || chats === undefined) throw new Error('no spans')
  expect(workflows.length).toBe(QUESTIONS.length)
  expect(workflows.length + agents.length + chats.length).toBe(spans.length)
  const idsOf = (some: readonly ReadableSpan[]) => new Set(some.map((span) => span.spanContext().spanId))
  const [workflowIds, agentIds] = [idsOf(workflows), idsOf(agents)]
  for (const span of agents) expect(workflowIds.has(span.parentSpanContext?.spanId ?? '')).toBe(true)
  for (const span of chats) expect(agentIds.has(span.parentSpanContext?.spanId ?? '')).toBe(true)
  for (const { name, kind, attributes } of agents) {
    expect({ name, kind }).toEqual({ name: `invoke_agent ${attributes['gen_ai.agent.name']}`, kind: SpanKind.INTERNAL })
  }
  expect(new Set(agents.map(({ attributes }) => attributes['gen_ai.agent.name']))).toEqual(new Set(AGENTS))
  for (const { name, kind, attributes } of chats) {
    expect(kind).toBe(SpanKind.CLIENT)
    expect(name).toBe(`chat simulated/${attributes['gen_ai.request.model']}`)
    expect(attributes).toMatchObject({
      'gen_ai.provider.name': 'simulated',
      'gen_ai.request.temperature': 0.7,
      'gen_ai.request.max_tokens': 256,
      'gen_ai.response.finish_reasons': ['stop'],
    })
  }
  // The event is the decision.
  const reported = workflows.flatMap(({ events }) => events.map(({ name, attributes }) => ({ name, ...attributes })))
  const stored = await Promise.all(QUESTIONS.map(({ id }) => store.decisions.find(runId, id)))
  const kinds = stored.map((decision) => JSON.parse(decision?.decision ?? '{}').kind).sort()
  expect(reported.map((event) => Object(event)['gen_ai.evaluation.score.label']).sort()).toEqual(kinds)
  expect(new Set(reported.map(({ name }) => name))).toEqual(new Set(['gen_ai.evaluation.result']))
  expect(new Set(kinds)).toEqual(new Set(['act', 'defer']))
  const everything = JSON.stringify(
    spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
  )
  for (const { id, question, options } of QUESTIONS) {
    for (const text of [id, question, ...options.map((option) => option.text)].filter((some) => some.length > 3)) {
      expect(everything).not.toContain(text)
    }
  }
})

test('spans contain prompts and replies if the config asks for them', async () => {
  const { spans } = await spansOf({ includeText: true })
  const inputs = named(spans, 'chat').map(({ attributes }) => String(attributes['gen_ai.input.messages']))
  for (const { question } of QUESTIONS) {
    expect(inputs.some((input) => input.includes(JSON.stringify(question).slice(1, -1)))).toBe(true)
  }
  expect(named(spans, 'chat').every(({ attributes }) => 'gen_ai.output.messages' in attributes)).toBe(true)
})

test('a failed call is an error with its kind, without the message', async () => {
  const { models } = countedModels(async () => {
    throw new ModelError('malformed', 'the secret words of a provider', { charged: 'no' })
  })
  const { spans } = await spansOf({ includeText: false }, models)
  const chats = named(spans, 'chat')
  expect(chats.length).toBeGreaterThan(0)
  for (const { status, attributes, events } of chats) {
    expect({ status, events }).toEqual({ status: { code: SpanStatusCode.ERROR }, events: [] })
    expect(attributes['error.type']).toBe('malformed')
  }
})

test('there are no spans unless the config asks for them, whatever SDK the program has', async () => {
  const { spans } = await spansOf(undefined)
  expect(spans).toEqual([])
})
