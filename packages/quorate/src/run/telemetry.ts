import { AsyncLocalStorage } from 'node:async_hooks'
import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { packageVersion } from '../files/package-version.ts'
import type { Model, ModelReply, ModelRequest } from '../model/model.ts'
import { ModelError } from '../model/model-error.ts'
import { parseModelReference } from '../model/providers.ts'
import { DEFER_WORDS } from '../record/decision-words.ts'
import type { Verdict } from './debate-question.ts'

/** What a config says about spans. */
export interface TelemetryPlan {
  /** Whether spans contain questions, prompts, replies and ids of questions. */
  readonly includeText: boolean
}

/** OpenTelemetry spans with the conventions for generative AI. The host program brings the SDK; without it they are dropped. */
export interface Telemetry {
  /** A question from its claim to its decision. */
  workflow<Result extends { readonly verdict?: Verdict | null }>(
    question: { readonly runId: string; readonly questionId: string },
    work: () => Promise<Result>,
  ): Promise<Result>
  /** One turn of an agent. */
  agent<Result>(turn: { readonly agent: string; readonly round: number }, work: () => Promise<Result>): Promise<Result>
  /** Wraps a model so that each attempt has a span. */
  model(model: Model): Model
}

/** The open span. The SDK's own context may be lost in queues, and some SDKs have none. */
const current = new AsyncLocalStorage<Context>()

export function createTelemetry({ includeText }: TelemetryPlan): Telemetry {
  const tracer = trace.getTracer('quorate', packageVersion())

  async function within<Result>(
    { name, kind, attributes }: { readonly name: string; readonly kind: SpanKind; readonly attributes: Attributes },
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    const parent = current.getStore() ?? context.active()
    const span = tracer.startSpan(name, { kind, attributes }, parent)
    const inside = trace.setSpan(parent, span)
    try {
      return await current.run(inside, () => context.with(inside, () => work(span)))
    } catch (error) {
      span.setAttribute('error.type', error instanceof ModelError ? error.kind : 'error')
      // The message of an error may quote a prompt, so it is not recorded.
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  return {
    workflow({ runId, questionId }, work) {
      const attributes = {
        'gen_ai.operation.name': 'invoke_workflow',
        'gen_ai.workflow.name': 'quorate',
        'quorate.run.id': runId,
        ...(includeText ? { 'quorate.question.id': questionId } : {}),
      }
      return within({ name: 'invoke_workflow quorate', kind: SpanKind.INTERNAL, attributes }, async (span) => {
        const result = await work()
        if (result.verdict) span.addEvent('gen_ai.evaluation.result', evaluationOf(result.verdict))
        return result
      })
    },
    agent({ agent, round }, work) {
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agent,
        'quorate.round': round,
      }
      return within({ name: `invoke_agent ${agent}`, kind: SpanKind.INTERNAL, attributes }, work)
    },
    model: (model) => ({
      ...model,
      call: (request) =>
        within(
          { name: `chat ${model.id}`, kind: SpanKind.CLIENT, attributes: requestOf(model, request) },
          async (span) => {
            if (includeText) span.setAttribute('gen_ai.input.messages', inputMessages(request))
            const reply = await model.call(request)
            span.setAttributes(replyOf(reply))
            if (includeText) span.setAttribute('gen_ai.output.messages', outputMessages(reply))
            return reply
          },
        ),
    }),
  }
}

/** The bound of an action, or the reason of a deferral; never the answer. */
function evaluationOf(verdict: Verdict): Attributes {
  const name = { 'gen_ai.evaluation.name': 'quorate', 'gen_ai.evaluation.score.label': verdict.kind }
  if (verdict.kind === 'act') return { ...name, 'gen_ai.evaluation.score.value': verdict.bound }
  return { ...name, 'gen_ai.evaluation.explanation': DEFER_WORDS[verdict.reason] }
}

function requestOf({ id, provider, hosts }: Model, { settings }: ModelRequest): Attributes {
  const { temperature, maxOutputTokens, seed } = settings
  const [host] = hosts
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': parseModelReference(id).name,
    'gen_ai.request.max_tokens': maxOutputTokens,
    ...(temperature === null ? {} : { 'gen_ai.request.temperature': temperature }),
    ...(seed === null ? {} : { 'gen_ai.request.seed': seed }),
    ...(host === undefined ? {} : { 'server.address': host }),
  }
}

function replyOf({ finish, usage, servedModel }: ModelReply): Attributes {
  return {
    'gen_ai.response.finish_reasons': [FINISHES[finish]],
    ...(servedModel === null ? {} : { 'gen_ai.response.model': servedModel }),
    ...(usage === null
      ? {}
      : { 'gen_ai.usage.input_tokens': usage.inputTokens, 'gen_ai.usage.output_tokens': usage.outputTokens }),
  }
}

const FINISHES = { stop: 'stop', length: 'length', refusal: 'content_filter', other: 'other' } as const

function inputMessages({ messages }: ModelRequest): string {
  return JSON.stringify(messages.map(({ role, content }) => ({ role, parts: [{ type: 'text', content }] })))
}

function outputMessages({ text, finish }: ModelReply): string {
  const parts = [{ type: 'text', content: text }]
  return JSON.stringify([{ role: 'assistant', parts, finish_reason: FINISHES[finish] }])
}
