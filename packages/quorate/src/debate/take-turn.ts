import type { ModelReply } from '../model/model.ts'
import { compareCodePoints } from '../record/code-points.ts'
import type { QuestionOption } from '../record/question.ts'
import type { AgentAnswer } from './ask.ts'
import { type AgentReading, askAgent, type TurnPlan } from './ask-agent.ts'
import { byName, type DebateTurn } from './debate-record.ts'

export type TurnOutcome = { readonly kind: 'turn'; readonly turn: DebateTurn } | Exclude<AgentAnswer, { kind: 'reply' }>

/** What an agent says in a round, by the panel's elicitation; under `samples` all repeats are asked at once. */
export async function takeTurn(plan: TurnPlan): Promise<TurnOutcome> {
  const { panel, agent, prompt } = plan
  const repeats = panel.elicitation === 'samples' ? panel.samples : 1
  const outcomes = await Promise.all(Array.from({ length: repeats }, (_, repeat) => askAgent(plan, repeat)))
  const failed = outcomes.find(({ kind }) => kind === 'halted') ?? outcomes.find(({ kind }) => kind === 'down')
  if (failed !== undefined && failed.kind !== 'read') return failed
  const readings = outcomes.filter((outcome) => outcome.kind === 'read')
  const { options } = prompt.question
  const said = panel.elicitation === 'samples' ? sampled(readings, options) : answered(readings, options)
  const [first] = readings
  const shown = readings.find((reading) => answerOf(reading) === said.answer) ?? first
  const withConfidence = panel.elicitation === 'stated' ? { conf: { verbal: confidenceOf(first) } } : {}
  const replies = readings.flatMap((reading) => reading.replies)
  const served = [...new Set(replies.flatMap(({ servedModel }) => servedModel ?? []))].sort(compareCodePoints)
  return {
    kind: 'turn',
    turn: {
      agent: agent.name,
      ...said,
      ...withConfidence,
      text: (shown?.replies ?? []).map(({ text }) => text).join('\n\n'),
      usage: usageOf(replies),
      ...(served.length === 0 ? {} : { served }),
    },
  }
}

type Said = Pick<DebateTurn, 'answer' | 'beliefs' | 'samples'>

/** One answer. Probabilities without a readable word answer by their one maximum. */
function answered([reading]: readonly AgentReading[], options: readonly QuestionOption[]): Said {
  const beliefs = reading?.beliefs ?? null
  const answer = reading === undefined ? null : answerOf(reading)
  if (beliefs === null) return { answer, beliefs: null }
  const counts = options.map(({ name }, index) => [name, beliefs[index] ?? 0] as const)
  return { answer: answer ?? oneMaximum(counts), beliefs: byName(counts) }
}

/** Several answers: the one given most often; a tie is no answer, and the samples say the rest. */
function sampled(readings: readonly AgentReading[], options: readonly QuestionOption[]): Said {
  const samples = readings.map(answerOf)
  const counts = options.map(({ name }) => [name, samples.filter((sample) => sample === name).length] as const)
  return { answer: oneMaximum(counts), beliefs: null, samples }
}

function oneMaximum(counts: readonly (readonly [string, number])[]): string | null {
  const most = Math.max(...counts.map(([, count]) => count))
  const [first, second] = counts.filter(([, count]) => count === most)
  return most > 0 && first !== undefined && second === undefined ? first[0] : null
}

function answerOf({ parsed }: AgentReading): string | null {
  return parsed.kind === 'answer' ? parsed.option : null
}

function confidenceOf(reading: AgentReading | undefined): number | null {
  return reading?.parsed.kind === 'answer' ? reading.parsed.confidence : null
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
