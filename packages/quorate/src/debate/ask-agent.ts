import type { ModelReply, ModelSettings } from '../model/model.ts'
import { answerPlaces } from './answer-places.ts'
import type { AgentAnswer, Ask } from './ask.ts'
import { instanceSeed } from './instance-seed.ts'
import { logprobBeliefs } from './logprob-beliefs.ts'
import type { AgentPlan, PanelPlan } from './panel.ts'
import { locateAnswer, type ParsedAnswer } from './parse-answer.ts'
import { type PromptContext, renderPrompt, renderReminder } from './render-prompt.ts'

/** One turn of one agent: what it is asked, and how. */
export interface TurnPlan {
  readonly agent: AgentPlan
  readonly panel: PanelPlan
  readonly prompt: PromptContext
  readonly ask: Ask
  readonly seed: number
}

/** An answer that was read, or given up after the reminder: then `parsed` says why. */
export interface AgentReading {
  readonly kind: 'read'
  readonly parsed: ParsedAnswer
  /** In the order of the options; null where the elicitation or the provider gives none. */
  readonly beliefs: readonly number[] | null
  /** One, or two with a reminder. */
  readonly replies: readonly ModelReply[]
}

/** The largest number that providers give. */
const TOP_LOGPROBS = 20

/** Asks once, and once more with a reminder where the answer cannot be read. */
export async function askAgent(
  turn: TurnPlan,
  repeat: number,
): Promise<AgentReading | Exclude<AgentAnswer, { kind: 'reply' }>> {
  const messages = renderPrompt(turn.prompt)
  const call = { ...placeOf(turn, repeat), messages, settings: settingsOf(turn, repeat) }
  const first = await turn.ask({ ...call, isReminder: false })
  if (first.kind !== 'reply') return first
  const reading = read(turn, first.reply)
  if (isReadable(reading)) return { kind: 'read', ...reading, replies: [first.reply] }
  const reminder = renderReminder(turn.prompt, messages, first.reply.text)
  const second = await turn.ask({ ...call, messages: reminder, isReminder: true })
  if (second.kind !== 'reply') return second
  return { kind: 'read', ...read(turn, second.reply), replies: [first.reply, second.reply] }
}

function placeOf({ prompt, agent }: TurnPlan, repeat: number) {
  return { questionId: prompt.question.id, agent: agent.name, round: prompt.round, repeat }
}

function settingsOf(turn: TurnPlan, repeat: number): ModelSettings {
  const { agent, panel, seed } = turn
  return {
    temperature: agent.temperature,
    maxOutputTokens: agent.maxOutputTokens,
    seed: instanceSeed(seed, placeOf(turn, repeat)),
    topLogprobs: panel.elicitation === 'logprobs' ? TOP_LOGPROBS : null,
  }
}

type Read = Pick<AgentReading, 'parsed' | 'beliefs'>

function read({ prompt, panel, agent }: TurnPlan, reply: ModelReply): Read {
  const { options } = prompt.question
  const others = panel.agents.map(({ name }) => name).filter((name) => name !== agent.name)
  const context = { options, finish: reply.finish, self: agent.name, others, shown: shownBy(prompt) }
  const located = locateAnswer(reply.text, context)
  const { parsed } = located
  if (panel.elicitation !== 'logprobs' || reply.finish === 'refusal') return { parsed, beliefs: null }
  const answer = parsed.kind === 'answer' ? options.findIndex(({ name }) => name === parsed.option) : null
  return { parsed, beliefs: logprobBeliefs(answerPlaces(reply, located), options, answer) }
}

/** What a prompt holds that is not the agent's own: wherever it comes back it is quoted. */
function shownBy({ question, responses, agent }: PromptContext): readonly string[] {
  const others = (responses ?? []).filter((response) => response.agent !== agent)
  return [question.question, ...others.map(({ text }) => text)]
}

/** Under `logprobs` the probabilities say enough where the sampled word happened to be another. */
function isReadable({ parsed, beliefs }: Read): boolean {
  return parsed.kind === 'answer' || beliefs !== null
}
