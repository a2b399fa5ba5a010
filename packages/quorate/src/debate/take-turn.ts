import type { ModelReply } from '../model/model.ts'
import { hasStructuredOutput } from '../model/providers.ts'
import { compareCodePoints } from '../record/code-points.ts'
import type { AgentAnswer, AgentCall, Ask } from './ask.ts'
import type { DebateTurn } from './debate-record.ts'
import { type AnswerReading, answerOf, type Elicitation, type FormRequest } from './elicit/elicitation.ts'
import { ELICITATIONS } from './elicit/elicitations.ts'
import { instanceSeed } from './instance-seed.ts'
import type { AgentPlan, PanelPlan } from './panel.ts'
import { type PromptContext, promptCode, renderPrompt, renderReminder } from './render-prompt.ts'
import type { OpenForm } from './reply/parsed-answer.ts'

/** One turn of one agent: what it is asked, and how. */
export interface TurnPlan {
  readonly agent: AgentPlan
  readonly panel: PanelPlan
  readonly prompt: PromptContext
  readonly ask: Ask
  readonly seed: number
  /** Answers that no list holds. The turn then has what was `said`, and no class yet. */
  readonly open?: OpenForm | undefined
}

type Failure = Exclude<AgentAnswer, { kind: 'reply' }>

export type TurnOutcome = { readonly kind: 'turn'; readonly turn: DebateTurn } | Failure

/** What an agent says in a round, by the panel's elicitation; repeats are asked at once. */
export async function takeTurn(plan: TurnPlan): Promise<TurnOutcome> {
  const { panel, agent, prompt } = plan
  const { options } = prompt.question
  const elicitation: Elicitation = ELICITATIONS[panel.elicitation]
  const form = { options, ...(plan.open === undefined ? {} : { open: plan.open }) }
  const request = { ...form, code: promptCode(prompt), isStructured: hasStructuredOutput(agent.model) }
  const repeats = Array.from({ length: elicitation.isRepeated ? panel.samples : 1 }, (_, repeat) => repeat)
  const outcomes = await Promise.all(repeats.map((repeat) => askOnce(plan, { elicitation, request, repeat })))
  const failed = outcomes.find(({ kind }) => kind === 'halted') ?? outcomes.find(({ kind }) => kind === 'down')
  if (failed !== undefined && failed.kind !== 'read') return failed
  const readings = outcomes.filter((outcome) => outcome.kind === 'read')
  const said = elicitation.turn(readings, options)
  const shown = readings.find((reading) => answerOf(reading) === said.answer) ?? readings[0]
  const replies = readings.flatMap((reading) => reading.replies)
  const served = [...new Set(replies.flatMap(({ servedModel }) => servedModel ?? []))].sort(compareCodePoints)
  return {
    kind: 'turn',
    turn: {
      agent: agent.name,
      ...(plan.open === undefined ? said : { ...said, answer: null, said: said.answer }),
      text: (shown?.replies ?? []).map(({ text }) => text).join('\n\n'),
      usage: usageOf(replies),
      ...(served.length === 0 ? {} : { served }),
    },
  }
}

/** An answer that was read, or given up after the reminder. */
interface ReadAnswer extends AnswerReading {
  readonly kind: 'read'
  /** One, or two with a reminder. */
  readonly replies: readonly ModelReply[]
}

interface Asking {
  readonly elicitation: Elicitation
  readonly request: FormRequest
  readonly repeat: number
}

/** Asks once, and once more with a reminder where the reply does not fit. */
async function askOnce(plan: TurnPlan, { elicitation, request, repeat }: Asking): Promise<ReadAnswer | Failure> {
  const { prompt, agent, ask } = plan
  const form = { code: request.code, text: elicitation.form(request) }
  const messages = renderPrompt(prompt, form)
  const place = { questionId: prompt.question.id, agent: agent.name, round: prompt.round, repeat }
  const { temperature, maxOutputTokens } = agent
  const seed = instanceSeed(plan.seed, place)
  const settings = { temperature, maxOutputTokens, seed, ...elicitation.settings(request) }
  const call: AgentCall = { ...place, isReminder: false, messages, settings }
  const first = await ask(call)
  if (first.kind !== 'reply') return first
  const reading = elicitation.read(first.reply, request)
  if (reading.isComplete) return { kind: 'read', ...reading, replies: [first.reply] }
  const reminder = renderReminder(prompt, form, { prompt: messages, reply: first.reply.text })
  const second = await ask({ ...call, messages: reminder, isReminder: true })
  if (second.kind !== 'reply') return second
  return { kind: 'read', ...elicitation.read(second.reply, request), replies: [first.reply, second.reply] }
}

/** One unknown makes the sum unknown. */
function usageOf(replies: readonly ModelReply[]): DebateTurn['usage'] {
  let sum = { inputTokens: 0, outputTokens: 0 }
  for (const { usage } of replies) {
    if (usage === null) return null
    sum = { inputTokens: sum.inputTokens + usage.inputTokens, outputTokens: sum.outputTokens + usage.outputTokens }
  }
  return sum
}
