import type { Spread } from '../model/estimate.ts'
import { PRICES_AS_OF } from '../model/price-table.ts'
import { countText } from '../report/number-text.ts'
import { plainText } from '../report/plain-text.ts'
import type { RunEstimate } from '../runs/estimate-run.ts'
import type { RunPlan } from '../runs/run-plan.ts'
import type { RunResult } from '../runs/run-questions.ts'
import type { RunProgress, RunTally } from '../runs/run-tally.ts'

const MICRO = 1_000_000

/** 12.50 USD, with as many digits as it takes to see small sums. */
export function usdText(microUsd: number): string {
  const usd = microUsd / MICRO
  return `${usd === 0 || usd >= 1 ? usd.toFixed(2) : usd.toFixed(6).replace(/0{1,4}$/, '')} USD`
}

/** 12 running, 340 of 2,000 done, 300 acted, 40 deferred (bound-low 40), 4,080 calls, ... */
export function progressText(progress: RunProgress, elapsedMs: number): string {
  const { questions, statuses, running, ended, spent } = progress
  const left = ended === 0 ? null : (elapsedMs / ended) * statuses.pending
  return [
    `${countText(questions - statuses.pending)} of ${countText(questions)} done`,
    `${running} running`,
    ...verdictTexts(progress),
    ...failureTexts(progress),
    `${countText(spent.answered)} calls`,
    `${countText(spent.inputTokens + spent.outputTokens)} tokens`,
    usdText(spent.committedMicroUsd),
    ...(left === null || statuses.pending === 0 ? [] : [`${timeText(left)} left`]),
  ].join(', ')
}

/** What came of a run, for people. */
export function resultText(result: RunResult): string {
  const { runId, tally, spend, halt, head, notices } = result
  const { pending } = tally.statuses
  const lines = [
    `Run       ${runId}`,
    `Questions ${[`${countText(tally.questions - pending)} of ${countText(tally.questions)} done`, ...verdictTexts(tally), ...failureTexts(tally)].join(', ')}`,
    `Calls     ${countText(spend.calls.answered)} answered, ${countText(spend.calls.refused)} refused, ${countText(spend.calls.lost)} lost; ${countText(spend.inputTokens)} tokens in, ${countText(spend.outputTokens)} out`,
    `Spend     ${usdText(spend.committedMicroUsd)}${spend.reservedMicroUsd === 0 ? '' : `, and at most ${usdText(spend.reservedMicroUsd)} for calls whose answer or cost is not known`}${spend.unpricedCalls === 0 ? '' : `; ${countText(spend.unpricedCalls)} calls without a known price`}`,
    `Ledger    ${head}`,
    ...noticeLines(notices),
  ]
  if (halt === 'spend-cap') lines.push('The spend cap is reached: raise it and go on with --max-cost USD --resume.')
  if (halt === 'interrupted') lines.push('Stopped: go on with --resume.')
  return `${lines.join('\n')}\n`
}

/** The same for machines. */
export function resultJson({ runId, tally, spend, halt, head, notices }: RunResult) {
  return { quorate: 1, runId, ...tally, spend, halt, head, notices }
}

export function estimateText(estimate: RunEstimate, { kind, limits }: RunPlan): string {
  const { calls, inputTokens, outputTokens, microUsd, questions } = estimate
  const row = (name: string, spread: Spread, text: (value: number) => string) =>
    name.padEnd(14) + [spread.low, spread.expected, spread.high].map((value) => text(value).padStart(16)).join('')
  const whole = (value: number) => countText(Math.ceil(value))
  const lines = [
    `${kind} of ${countText(questions)} questions; nobody was asked`,
    ''.padEnd(14) + ['low', 'expected', 'high'].map((name) => name.padStart(16)).join(''),
    row('calls', calls, whole),
    row('tokens in', inputTokens, whole),
    row('tokens out', outputTokens, whole),
    microUsd === null ? 'money         unknown: a model has no known price' : row('money', microUsd, usdText),
    `Prices as of ${PRICES_AS_OF} or from the config. Unreadable answers are asked once more on top; cached ones are free.`,
    limits.maxCostUsd === null ? 'There is no spend cap.' : `The spend cap is ${limits.maxCostUsd} USD.`,
  ]
  return `${lines.join('\n')}\n`
}

/** Once each, however often it was the case. */
function noticeLines(notices: RunResult['notices']): string[] {
  return notices.map(({ text, count }) => {
    const times = count === 1 ? '' : ` (${countText(count)} times)`
    return `Notice    ${plainText(text)}${times}`
  })
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

function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
