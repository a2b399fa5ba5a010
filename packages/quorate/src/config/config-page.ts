import { budgetLine, declaredSentences, promiseLine } from '../text/budget-line.ts'
import { countOf, countText } from '../text/number-text.ts'
import { heading, marginText, type PageFrame } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import { tableLines } from '../text/table.ts'
import { textColumns } from '../text/text-columns.ts'
import { hangingText } from '../text/wrap-text.ts'
import type { AgentDescription, ConfigDescription, FieldDescription } from './describe-config.ts'

/** What `quorate validate` prints about a readable config. */
export function configPage(file: string, found: ConfigDescription, frame: PageFrame): string {
  const { panel, hosts, callsPerQuestion: calls, limits, errors, stops, notes, store } = found
  const margin = (word: string, text: string) => marginText(word, text, frame)
  const verdict = errors.length + stops.length === 0 ? 'is valid' : 'cannot run as it is'
  const rounds = panel.sizes === null ? countOf(panel.rounds, 'round') : `sizes ${panel.sizes.join(', ')}`
  const samples = panel.samples > 1 ? `, ${panel.samples} samples` : ''
  return [
    heading(`${plainText(file)} ${verdict}`, frame),
    '',
    ...margin('Panel', `${panel.protocol}, ${rounds}, beliefs ${panel.elicitation}${samples}`),
    ...margin(
      'Calls',
      `${countText(calls.calls)} per question, at most ${countText(calls.withReminders)} if every answer needs a reminder${calls.hasJudge ? ', comparisons and grades included' : ''}`,
    ),
    ...margin('Hosts', hosts.length === 0 ? 'none: nothing leaves this machine' : hosts.map(plainText).join(', ')),
    ...(found.fields.length === 0
      ? [...margin('Budget', budgetText(found)), ...margin('Claim', claimText(found))]
      : found.fields.flatMap((field, at) => margin(at === 0 ? 'Fields' : '', fieldText(field)))),
    ...(found.documents === null ? [] : margin('Claim', found.documents.words)),
    ...(found.fields.some(({ promise }) => promise.isJudged) ? margin('', JUDGED) : []),
    ...(found.alwaysReview.length === 0
      ? []
      : margin('Rules', `always to a person: ${found.alwaysReview.map(plainText).join('; ')}`)),
    ...margin('Limits', limitsText(limits)),
    ...margin('Store', storeText(store)),
    ...margin('Hash', `${found.hash.slice(0, 16)}, of all that could change an answer or a decision`),
    '',
    ...agentLines(found.agents, frame),
    ...(errors.length + stops.length + notes.length === 0 ? [] : ['']),
    ...errors.flatMap((error) => margin('Error', plainText(error))),
    ...stops.flatMap((stop) => margin('Stops', `debate and decide will stop: ${plainText(stop)}`)),
    ...notes.flatMap((note) => margin('Note', plainText(note))),
    '',
  ].join('\n')
}

/** Each field has its own certificate, and acting on a document needs those of the critical fields. */
function fieldText({ name, isCritical, promise }: FieldDescription): string {
  return `${plainText(name)}${isCritical ? '' : ' (not critical)'}: ${promiseLine(promise)}`
}

const JUDGED =
  'A model grades: what it calls right and a person does not is measured for each field and comes on top of that.'

/** One row for each agent, with host and key below it if they do not fit beside it. */
function agentLines(agents: readonly AgentDescription[], { width }: PageFrame): string[] {
  const rows = agents.map((agent) => ({ about: aboutAgent(agent), reached: reachedAgent(agent) }))
  const wide = tableLines(
    [
      ['agent', 'model', 'host', 'key', '$/M in', '$/M out'],
      ...rows.map(({ about: [name = '', model = '', ...prices], reached }) => [name, model, ...reached, ...prices]),
    ],
    ['left', 'left', 'left', 'left', 'right', 'right'],
  )
  if (wide.every((line) => textColumns(line) <= width)) return wide
  const [header = '', ...lines] = tableLines(
    [['agent', 'model', '$/M in', '$/M out'], ...rows.map(({ about }) => about)],
    ['left', 'left', 'right', 'right'],
  )
  const below = rows.map(({ reached: [host = '', key = ''] }) => hangingText('  ', `host ${host}, key ${key}`, width))
  return [header, ...lines.flatMap((line, index) => [line, ...(below[index] ?? [])])]
}

function aboutAgent({ name, model, priceUsdPerMillion: price }: AgentDescription): readonly string[] {
  const prices = price === null ? ['unknown', 'unknown'] : [String(price.input), String(price.output)]
  return [plainText(name), plainText(model), ...prices]
}

function reachedAgent({ host, keys }: AgentDescription): readonly string[] {
  return [host === null ? 'none' : plainText(host), keyText(keys)]
}

/** The variables that would be used, else the first alternative. */
function keyText(keys: AgentDescription['keys']): string {
  const used = keys.find((names) => names.every(({ isSet }) => isSet)) ?? keys[0]
  if (used === undefined) return 'none'
  return used.map(({ variable, isSet }) => `${variable} ${isSet ? 'set' : 'missing'}`).join(', ')
}

function storeText({ engine, file, host }: ConfigDescription['store']): string {
  return engine === 'sqlite' ? `SQLite, ${plainText(file ?? '')}` : `PostgreSQL at ${plainText(host ?? '')}`
}

function limitsText({ maxCostUsd, debateTimeoutMs, traffic }: ConfigDescription['limits']): string {
  const cap = maxCostUsd === null ? 'no spend cap' : `at most ${maxCostUsd} US dollars`
  const seconds = (ms: number) => `${ms / 1000} s`
  const rates = Object.entries(traffic.providers).map(
    ([provider, { concurrency, requestsPerMinute, tokensPerMinute }]) => {
      const parts = [
        concurrency === undefined ? [] : `${concurrency} in flight`,
        requestsPerMinute === undefined ? [] : `${countText(requestsPerMinute)} requests a minute`,
        tokensPerMinute === undefined ? [] : `${countText(tokensPerMinute)} tokens a minute`,
      ].flat()
      return `; ${plainText(provider)}: ${parts.join(', ') || 'no own limit'}`
    },
  )
  return `${cap}, ${traffic.concurrency} calls in flight, ${traffic.attempts} attempts, ${seconds(traffic.timeoutMs)} an attempt, ${seconds(debateTimeoutMs)} a debate${rates.join('')}`
}

function claimText({ profile, budget, promise, deferGroups }: ConfigDescription): string {
  return declaredSentences({ profile, budget, promise, deferGroups }).join(' ')
}

function budgetText({ budget, profile, declaredEpsilon, promise }: ConfigDescription): string {
  if (promise !== null) return `${promiseLine(promise)}, profile ${profile}`
  const unused = budget.epsilon === declaredEpsilon ? '' : ` (the epsilon of ${declaredEpsilon} is not needed by cells)`
  const line = `${budgetLine(budget)}${unused}, profile ${profile}`
  if (budget.feasible) return `${line}. The panel acts where the bound reaches ${budget.threshold}`
  const why = budget.alpha < 0 ? '' : ': nothing is left for alpha'
  return `${line}${why}, so the panel could never act. Raise beta, or lower delta or epsilon`
}
