import type { Spread } from '../../model/estimate.ts'
import { PRICES_AS_OF } from '../../model/price-table.ts'
import { MICRO_USD } from '../../record/money.ts'
import type { RunEstimate } from '../../run/estimate.ts'
import type { RunProgress, RunTally } from '../../run/progress.ts'
import type { RunAnswers } from '../../run/run-answers.ts'
import type { RunPlan } from '../../run/run-plan.ts'
import type { RunResult } from '../../run/run-to-end.ts'
import { countOf, countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { beginningText } from '../../text/text-columns.ts'
import { hangingText } from '../../text/wrap-text.ts'

/** For example `12.50 USD`, with up to six decimals for small sums. */
export function usdText(microUsd: number): string {
  const usd = microUsd / MICRO_USD
  return `${usd === 0 || usd >= 1 ? usd.toFixed(2) : usd.toFixed(6).replace(/0{1,4}$/, '')} USD`
}

/** For example `340 of 2,000 done, 2 min left, 300 acted, 40 deferred (bound-low 40)`. The most important parts are first. */
export function progressText(progress: RunProgress, elapsedMs: number): string {
  const { questions, statuses, running, ended, spent } = progress
  const left = ended === 0 ? null : (elapsedMs / ended) * statuses.pending
  return [
    `${countText(questions - statuses.pending)} of ${countText(questions)} done`,
    ...(left === null || statuses.pending === 0 ? [] : [`${timeText(left)} left`]),
    ...verdictTexts(progress),
    ...failureTexts(progress),
    usdText(spent.committedMicroUsd),
    `${running} running`,
    `${countText(spent.answered)} calls`,
    `${countText(spent.inputTokens + spent.outputTokens)} tokens`,
  ].join(', ')
}

/** The result of a run, with what this process contributed. */
export interface RunSummary extends RunResult {
  readonly kind: RunPlan['kind']
  readonly isShadow: boolean
  /** Null means no cap. */
  readonly capMicroUsd: number | null
  /** Upper estimate of the call that did not fit under the cap. Null if all calls did. */
  readonly nextCallMicroUsd: number | null
  /** Answers that this process got from a model. `cached` more came from the cache. */
  readonly asked: number
  readonly cached: number
  readonly answers: RunAnswers
}

/** The result of a run as text. */
export function resultText(result: RunSummary, width = PLAIN_WIDTH): string {
  const { runId, spend, halt, head, notices } = result
  const reserved =
    spend.reservedMicroUsd === 0
      ? ''
      : `, and at most ${usdText(spend.reservedMicroUsd)} for calls whose answer or cost is not known`
  const unpriced = spend.unpricedCalls === 0 ? '' : ` and ${countOf(spend.unpricedCalls, 'call')} without a known price`
  const lines: readonly (readonly [string, string])[] = [
    ['Run', `${runId}${result.isShadow ? ', a shadow run: no review items were made' : ''}`],
    ['Questions', questionsText(result)],
    ['Calls', callsText(result)],
    ['Spend', `${usdText(spend.committedMicroUsd)}${reserved}${unpriced}`],
    ['Ledger', head],
    ['', 'the head of its chain of hashes. Note it: verify --head compares a bundle with it'],
    ...unreadableTexts(result.answers).map((text) => ['Unread', text] as const),
    ...noticeTexts(notices).map((text) => ['Notice', text] as const),
    ...(halt === 'spend-cap' ? [['Stopped', capText(result)] as const] : []),
    ...(halt === 'interrupted' ? [['Stopped', 'on request. Answered calls are kept'] as const] : []),
    ...(result.warning === null ? [] : [['Stopped', result.warning] as const]),
  ]
  return `${lines.flatMap(([name, text]) => hangingText(name.padEnd(MARGIN), text, width)).join('\n')}\n`
}

/** The result of a run for `--json`. */
export function resultJson(result: RunSummary) {
  const { runId, tally, spend, halt, warning, head, notices, capMicroUsd, nextCallMicroUsd, asked, cached, answers } =
    result
  const { example: _, ...readable } = answers
  return {
    quorate: 1,
    runId,
    ...tally,
    spend,
    halt,
    warning,
    head,
    notices,
    capMicroUsd,
    nextCallMicroUsd,
    asked,
    cached,
    answers: readable,
  }
}

const MARGIN = 10
const PLAIN_WIDTH = 80

function questionsText({ kind, tally }: RunSummary): string {
  const { questions, statuses } = tally
  const failed = statuses['agent-failure'] + statuses['time-out'] + statuses.error
  const named = failureTexts(tally).join(', ')
  const left = statuses.pending === 0 ? [] : [`${countText(statuses.pending)} left`]
  const of = countText(questions)
  if (kind === 'decide') {
    const decided = `${countText(questions - statuses.pending)} of ${of} decided`
    return [
      decided,
      ...verdictTexts(tally),
      ...(statuses.error === 0 ? [] : [`${statuses.error} error`]),
      ...left,
    ].join(', ')
  }
  return [
    `${countText(statuses.done)} of ${of} debated`,
    ...(failed === 0 ? [] : [`${countText(failed)} failed (${named})`]),
    ...left,
  ].join(', ')
}

function callsText({ spend, asked, cached }: RunSummary): string {
  const { answered, refused, lost } = spend.calls
  const earlier = answered - asked - cached
  const got = [
    `${countText(asked)} asked`,
    ...(cached === 0 ? [] : [`${countText(cached)} from the cache`]),
    ...(earlier <= 0 ? [] : [`${countText(earlier)} before`]),
  ]
  return (
    `${countText(answered)} answered (${got.join(', ')}), ${countText(refused)} refused, ${countText(lost)} lost; ` +
    `${countText(spend.inputTokens)} tokens in, ${countText(spend.outputTokens)} out`
  )
}

export function unreadableTexts({ answers, unreadable, byAgent, example }: RunAnswers): readonly string[] {
  if (unreadable === 0) return []
  const agents = Object.entries(byAgent).map(([agent, count]) => `${plainText(agent)} ${countText(count)}`)
  // A reply is followed by the reply to the reminder, so the middle could be parts of both.
  const such = example === null ? '' : `, such as ${JSON.stringify(beginningText(plainText(example), LONGEST_EXAMPLE))}`
  const one = `${countText(unreadable)} of ${countOf(answers, 'answer')} could not be read, even after a reminder`
  return [`${one} (${agents.join(', ')})${such}`]
}

const LONGEST_EXAMPLE = 120

function capText({ capMicroUsd, nextCallMicroUsd, spend }: RunSummary): string {
  const spent = usdText(spend.committedMicroUsd + spend.reservedMicroUsd)
  const next = nextCallMicroUsd === null ? '' : `. The next call may cost up to ${usdText(nextCallMicroUsd)}`
  return `before the cap of ${usdText(capMicroUsd ?? 0)}: ${spent} spent or reserved${next}`
}

/** `isRest` means that the estimate is for the remaining questions of a run. */
export function estimateText(estimate: RunEstimate, { kind, limits }: RunPlan, isRest = false): string {
  const { calls, inputTokens, outputTokens, microUsd, questions } = estimate
  const row = (name: string, spread: Spread, text: (value: number) => string) =>
    name.padEnd(14) + [spread.low, spread.expected, spread.high].map((value) => text(value).padStart(16)).join('')
  const whole = (value: number) => countText(Math.ceil(value))
  const lines = [
    `${kind} of ${countOf(questions, 'question')}${isRest ? ' that are left' : ''}. No model was called`,
    ''.padEnd(14) + ['low', 'expected', 'high'].map((name) => name.padStart(16)).join(''),
    row('calls', calls, whole),
    row('tokens in', inputTokens, whole),
    row('tokens out', outputTokens, whole),
    microUsd === null ? 'money         unknown: a model has no known price' : row('money', microUsd, usdText),
    `Prices as of ${PRICES_AS_OF} or from the config. High: every reply as long as it`,
    'may be, and every answer asked once more for a form that can be read.',
    'Answers that are in the store already cost nothing.',
    limits.maxCostUsd === null ? 'There is no spend cap.' : `The spend cap is ${limits.maxCostUsd} USD.`,
  ]
  return `${lines.join('\n')}\n`
}

/** Each notice once, with its count. */
export function noticeTexts(notices: RunResult['notices']): string[] {
  return notices.map(({ text, count }) => `${plainText(text)}${count === 1 ? '' : ` (${countText(count)} times)`}`)
}

function verdictTexts({ acted, deferred }: RunTally): string[] {
  const reasons = Object.entries(deferred)
  if (acted === 0 && reasons.length === 0) return []
  const count = reasons.reduce((sum, [, number]) => sum + number, 0)
  const named = reasons.map(([reason, number]) => `${reason} ${countText(number)}`).join(', ')
  return [`${countText(acted)} acted`, `${countText(count)} deferred${named === '' ? '' : ` (${named})`}`]
}

function failureTexts({ statuses }: RunTally): string[] {
  return (['agent-failure', 'time-out', 'error'] as const)
    .filter((status) => statuses[status] > 0)
    .map((status) => `${countText(statuses[status])} ${status}`)
}

export function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
