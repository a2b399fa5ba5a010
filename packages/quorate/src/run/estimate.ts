import { mostComparisons } from '../config/resolve-config.ts'
import { ELICITATIONS } from '../debate/elicit/elicitations.ts'
import { addEstimate, type Estimate, estimateCall, NO_CALLS, type PlannedCall, type Spread } from '../model/estimate.ts'
import type { Question } from '../record/question.ts'
import type { RunPlan } from './run-plan.ts'

export interface RunEstimate extends Estimate {
  readonly questions: number
  readonly calls: Spread
}

/**
 * Estimates the calls and the cost of a run without sending a request. An unreadable answer is asked once more. How many there
 * will be is unknown, so the high end assumes that every answer is.
 */
export async function estimateRun(questions: AsyncIterable<Question>, plan: RunPlan): Promise<RunEstimate> {
  let total: RunEstimate = { ...NO_CALLS, questions: 0, calls: NO_TIMES }
  for await (const question of questions) {
    const one = estimateQuestion(question, plan)
    total = { ...addEstimate(total, one), questions: total.questions + 1, calls: sum(total.calls, one.calls) }
  }
  return total
}

function estimateQuestion(question: Question, plan: RunPlan): Estimate & { readonly calls: Spread } {
  const { panel, prices } = plan
  const form = ELICITATIONS[panel.elicitation].form({
    options: question.options,
    code: '00000000',
    isStructured: false,
  })
  const asked = question.options.reduce((length, { text }) => length + text.length + 8, question.question.length)
  let total: Estimate = NO_CALLS
  let calls = NO_TIMES
  for (let round = 1; round <= panel.rounds; round++) {
    const times = timesDebated(round, plan)
    const isLater = round > 1 && panel.protocol === 'debate'
    const template = isLater ? panel.prompts.laterRound : panel.prompts.firstRound
    const agents = panel.agents.slice(panel.sizes?.[round - 2] ?? 0, panel.sizes?.[round - 1] ?? panel.agents.length)
    const quotedReplies = isLater ? panel.agents.length : 0
    for (const { model, maxOutputTokens } of agents) {
      const call = { model, promptCharacters: template.length + asked + form.length, quotedReplies, maxOutputTokens }
      const repeated = scaled(times, Math.max(1, panel.samples))
      const reminders = { low: 0, expected: 0, high: repeated.high }
      const reminder = { ...call, ...remindedOf(call, panel.prompts.reminder.length + form.length) }
      total = addEstimate(total, estimateCall(call, prices), repeated)
      total = addEstimate(total, estimateCall(reminder, prices), reminders)
      calls = sum(sum(calls, repeated), reminders)
    }
  }
  const judged = judgeCalls(question, plan)
  return { ...addEstimate(total, judged), calls: sum(calls, judged.calls) }
}

/** Comparisons of open answers, and grades. An answer usually matches a class at once; at most it is compared with all. */
function judgeCalls(question: Question, plan: RunPlan): Estimate & { readonly calls: Spread } {
  const { panel, prices, kind } = plan
  const turns = panel.protocol === 'growing-panel' ? (panel.sizes?.at(-1) ?? 0) : panel.agents.length * panel.rounds
  const comparisons = { low: 0, expected: Math.max(0, turns - 1), high: 2 * mostComparisons(panel, turns) }
  const grades = kind === 'debate' ? { low: 1, expected: panel.rounds, high: 2 * panel.rounds } : NO_TIMES
  let total: Estimate = NO_CALLS
  let calls = NO_TIMES
  for (const [judge, times] of [
    [panel.judge, comparisons],
    [panel.grader, grades],
  ] as const) {
    if (judge === undefined) continue
    const { model, maxOutputTokens, prompt } = judge
    const promptCharacters = prompt.length + question.question.length + 2 * LIKELY_ANSWER
    total = addEstimate(
      total,
      estimateCall({ model, promptCharacters, quotedReplies: 0, maxOutputTokens }, prices),
      times,
    )
    calls = sum(calls, times)
  }
  return { ...total, calls }
}

/** Characters of an open answer. */
const LIKELY_ANSWER = 200
const NO_TIMES: Spread = { low: 0, expected: 0, high: 0 }

/** A reminder repeats the prompt and the unreadable reply. */
function remindedOf({ promptCharacters, quotedReplies }: PlannedCall, reminderCharacters: number) {
  return { promptCharacters: promptCharacters + reminderCharacters, quotedReplies: quotedReplies + 1 }
}

/** How often a round is debated. A decision may come after round 1, but debate runs and spot checks take every round. */
function timesDebated(round: number, { kind, spotCheckRate }: RunPlan): Spread {
  if (kind === 'debate' || round === 1) return { low: 1, expected: 1, high: 1 }
  return { low: spotCheckRate, expected: spotCheckRate + (1 - spotCheckRate) / 2, high: 1 }
}

function sum(a: Spread, b: Spread): Spread {
  return { low: a.low + b.low, expected: a.expected + b.expected, high: a.high + b.high }
}

function scaled({ low, expected, high }: Spread, factor: number): Spread {
  return { low: low * factor, expected: expected * factor, high: high * factor }
}
