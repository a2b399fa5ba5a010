import { canonicalJson, compareCodePoints } from '@quorate/certificate'
import type { ModelReply } from '../model/model.ts'
import { hasStructuredOutput } from '../model/providers.ts'
import type { AgentAnswer, AgentCall, Ask } from './ask.ts'
import type { DebateTurn } from './debate-record.ts'
import { type AnswerReading, answerOf, type Elicitation, type FormRequest } from './elicit/elicitation.ts'
import { ELICITATIONS } from './elicit/elicitations.ts'
import type { AgentPlan, PanelPlan } from './panel.ts'
import { type PromptContext, promptCode, renderPrompt, renderReminder } from './render-prompt.ts'
import type { OpenForm } from './reply/parsed-answer.ts'
import { textDigest } from './text-digest.ts'

/** Identifies a call within its run. */
interface TurnCall {
  readonly questionId: string
  readonly agent: string
  readonly round: number
  readonly repeat: number
}

/** One turn of one agent: what it is asked, and how. */
export interface TurnPlan {
  readonly agent: AgentPlan
  readonly panel: Pick<PanelPlan, 'elicitation' | 'samples'>
  readonly prompt: PromptContext
  readonly ask: Ask
  readonly seed: number
  /** Set for open answers. The turn then has `answer_text`, and no class yet. */
  readonly open?: OpenForm | undefined
  /** For a judge: the number of the comparison in its round. Its seed and cache key ignore question, round and number. */
  readonly judging?: { readonly repeat: number } | undefined
}

type TurnFailure = Exclude<AgentAnswer, { kind: 'reply' }>

export type TurnOutcome = { readonly kind: 'turn'; readonly turn: DebateTurn } | TurnFailure

/** Takes one turn of an agent. The elicitation `samples` asks several times at once. */
export async function takeTurn(plan: TurnPlan): Promise<TurnOutcome> {
  const { panel, agent, prompt } = plan
  const { options } = prompt.question
  const elicitation: Elicitation = ELICITATIONS[panel.elicitation]
  const form = { options, ...(plan.open === undefined ? {} : { open: plan.open }) }
  const request = { ...form, code: promptCode(prompt), isStructured: hasStructuredOutput(agent.model) }
  const firstRepeat = plan.judging?.repeat ?? 0
  const repeats = Array.from(
    { length: elicitation.isRepeated ? panel.samples : 1 },
    (_, repeat) => firstRepeat + repeat,
  )
  const outcomes = await Promise.all(repeats.map((repeat) => askWithReminder(plan, elicitation, request, repeat)))
  const failed = outcomes.find(({ kind }) => kind === 'halted') ?? outcomes.find(({ kind }) => kind === 'down')
  if (failed !== undefined && failed.kind !== 'read') return failed
  const readings = outcomes.filter((outcome) => outcome.kind === 'read')
  const elicited = elicitation.turn(readings, options)
  const shown = readings.find((reading) => answerOf(reading) === elicited.answer) ?? readings[0]
  const replies = readings.flatMap((reading) => reading.replies)
  const served = [...new Set(replies.flatMap(({ servedModel }) => servedModel ?? []))].sort(compareCodePoints)
  return {
    kind: 'turn',
    turn: {
      agent: agent.name,
      ...(plan.open === undefined ? elicited : { ...elicited, answer: null, answer_text: elicited.answer }),
      text: (shown?.replies ?? []).map(({ text }) => text).join('\n\n'),
      usage: usageOf(replies),
      ...(served.length === 0 ? {} : { served }),
    },
  }
}

/** The reading of an answer, also if it is unreadable after the reminder. */
interface ReadAnswer extends AnswerReading {
  readonly kind: 'read'
  /** One, or two with a reminder. */
  readonly replies: readonly ModelReply[]
}

/** Asks once, and once more with a reminder if the reply does not fit. */
async function askWithReminder(
  plan: TurnPlan,
  elicitation: Elicitation,
  request: FormRequest,
  repeat: number,
): Promise<ReadAnswer | TurnFailure> {
  const { prompt, agent, ask } = plan
  const form = { code: request.code, text: elicitation.form(request) }
  const messages = renderPrompt(prompt, form)
  const place = { questionId: prompt.question.id, agent: agent.name, round: prompt.round, repeat }
  const { temperature, maxOutputTokens } = agent
  const isByContent = plan.judging !== undefined
  const seed = instanceSeed(plan.seed, isByContent ? { ...place, questionId: '', round: 0, repeat: 0 } : place)
  const settings = { temperature, maxOutputTokens, seed, ...elicitation.settings(request) }
  const call: AgentCall = { ...place, isReminder: false, messages, settings, ...(isByContent ? { isByContent } : {}) }
  const first = await ask(call)
  if (first.kind !== 'reply') return first
  const reading = elicitation.read(first.reply, request)
  if (reading.isComplete) return { kind: 'read', ...reading, replies: [first.reply] }
  const reminder = renderReminder(prompt, form, { prompt: messages, reply: first.reply.text })
  const second = await ask({ ...call, messages: reminder, isReminder: true })
  if (second.kind !== 'reply') return second
  return { kind: 'read', ...elicitation.read(second.reply, request), replies: [first.reply, second.reply] }
}

/** The sum; null if any usage is unknown. */
function usageOf(replies: readonly ModelReply[]): DebateTurn['usage'] {
  let sum = { inputTokens: 0, outputTokens: 0 }
  for (const { usage } of replies) {
    if (usage === null) return null
    sum = { inputTokens: sum.inputTokens + usage.inputTokens, outputTokens: sum.outputTokens + usage.outputTokens }
  }
  return sum
}

/**
 * The seed of one call, in [0, 2^31), from the seed of the run and the place of the call. A reminder has the seed of the
 * request before it.
 */
export function instanceSeed(seed: number, { questionId, agent, round, repeat }: TurnCall): number {
  const digest = textDigest(canonicalJson([seed, questionId, agent, round, repeat]))
  return Number.parseInt(digest.slice(0, 8), 16) >>> 1
}
