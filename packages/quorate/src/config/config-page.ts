import { budgetSentences } from '@quorate/certificate'
import { budgetLine } from '../report/budget-line.ts'
import { countText } from '../report/number-text.ts'
import { heading, marginText, type PageFrame } from '../report/page-frame.ts'
import { plainText } from '../report/plain-text.ts'
import { tableLines } from '../report/table.ts'
import type { AgentDescription, ConfigDescription } from './describe-config.ts'

/** What `quorate validate` prints about a config that can be read. */
export function configPage(file: string, found: ConfigDescription, frame: PageFrame): string {
  const { panel, hosts, callsPerQuestion: calls, budget, limits, errors, notes, store } = found
  const margin = (word: string, text: string) => marginText(word, text, frame)
  const verdict = errors.length === 0 ? 'is valid' : 'cannot run as it is'
  const rounds = panel.sizes === null ? `${panel.rounds} rounds` : `sizes ${panel.sizes.join(', ')}`
  const samples = panel.samples > 1 ? `, ${panel.samples} samples` : ''
  return [
    heading(`${plainText(file)} ${verdict}`, frame),
    '',
    ...margin('Panel', `${panel.protocol}, ${rounds}, beliefs ${panel.elicitation}${samples}`),
    ...margin(
      'Calls',
      `${countText(calls.calls)} per question, at most ${countText(calls.withReminders)} where every answer needs its reminder`,
    ),
    ...margin('Hosts', hosts.length === 0 ? 'none: nothing leaves this machine' : hosts.map(plainText).join(', ')),
    ...margin('Budget', budgetText(found)),
    ...margin('Claim', budgetSentences({ kind: found.profile === 'cells' ? 'cells' : 'knn', budget }).join(' ')),
    ...margin('Limits', limitsText(limits)),
    ...margin('Store', store.engine === 'sqlite' ? 'SQLite, a file' : `PostgreSQL at ${plainText(store.host ?? '')}`),
    ...margin('Hash', `${found.hash.slice(0, 16)}, of all that could change an answer or a decision`),
    '',
    ...tableLines([HEADER, ...found.agents.map(agentRow)], ['left', 'left', 'left', 'left', 'right', 'right']),
    ...(errors.length + notes.length === 0 ? [] : ['']),
    ...errors.flatMap((error) => margin('Error', plainText(error))),
    ...notes.flatMap((note) => margin('Note', plainText(note))),
    '',
  ].join('\n')
}

const HEADER = ['agent', 'model', 'host', 'key', '$/M in', '$/M out']

function agentRow({ name, model, host, keys, priceUsdPerMillion: price }: AgentDescription): readonly string[] {
  return [
    plainText(name),
    plainText(model),
    host === null ? 'none' : plainText(host),
    keyText(keys),
    price === null ? 'unknown' : String(price.input),
    price === null ? 'unknown' : String(price.output),
  ]
}

/** The variables that would be used, else the first that would do. */
function keyText(keys: AgentDescription['keys']): string {
  const used = keys.find((names) => names.every(({ isSet }) => isSet)) ?? keys[0]
  if (used === undefined) return 'none'
  return used.map(({ variable, isSet }) => `${variable} ${isSet ? 'set' : 'missing'}`).join(', ')
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

function budgetText({ budget, profile }: ConfigDescription): string {
  const line = `${budgetLine(budget)}, profile ${profile}`
  if (budget.feasible) return `${line}; act where the bound reaches ${budget.threshold}`
  return `${line}: nothing is left for alpha, so the panel could never act; raise beta, or lower delta or epsilon`
}
