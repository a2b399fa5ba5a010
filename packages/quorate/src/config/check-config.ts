import { ModelSetupError } from '../model/model-setup-error.ts'
import { type ProviderName, parseModelReference } from '../model/providers.ts'
import { simulatedModel } from '../model/simulated-model.ts'
import { openAnswers } from '../record/task.ts'
import { closestName } from '../text/closest-name.ts'
import { plainText } from '../text/plain-text.ts'
import type { Config } from './config.ts'
import { type KeyPath, receivedText } from './config-error.ts'
import { hasPassword, NOT_REPEATED } from './find-secret.ts'
import { postgresPlace } from './postgres-place.ts'
import type { Finding } from './schema-problems.ts'

/** What the keys of a config mean for each other. `isStoreSecret`: the store came from the environment, with a password. */
export function crossFindings(
  config: Config,
  { isStoreSecret }: { readonly isStoreSecret: boolean },
): readonly Finding[] {
  return [
    ...panelFindings(config),
    ...config.panel.agents.flatMap((agent, index) => agentFindings(agent, ['panel', 'agents', index])),
    ...nameFindings(config),
    ...promiseFindings(config),
    ...openFindings(config),
    ...deferredGroupFindings(config),
    ...limitFindings(config),
    ...priceFindings(config),
    ...storeFindings(config, isStoreSecret),
  ]
}

type Agent = Config['panel']['agents'][number]

function found(path: KeyPath, expected: string, received: string): Finding {
  return { path, at: 'value', expected, received }
}

function panelFindings({ panel: { protocol, rounds, sizes, samples, beliefs, agents } }: Config): readonly Finding[] {
  const findings: Finding[] = []
  if (protocol === 'debate' && sizes !== undefined) {
    findings.push(found(['panel', 'sizes'], 'left out, or used with protocol: growing-panel', 'a list'))
  }
  if (samples !== undefined && beliefs !== 'samples') {
    findings.push(found(['panel', 'samples'], 'left out, or used with beliefs: samples', String(samples)))
  }
  if (protocol !== 'growing-panel') return findings
  const isGrowing = sizes?.every((size, index) => size > (sizes[index - 1] ?? 0)) ?? false
  const received = sizes === undefined ? 'nothing' : `[${sizes.join(', ')}]`
  if (!isGrowing) findings.push(found(['panel', 'sizes'], 'a list of sizes that grow, such as [3, 6, 9, 12]', received))
  if ((sizes?.at(-1) ?? 0) > agents.length) {
    findings.push(found(['panel', 'sizes'], `at most ${agents.length}, the number of agents`, received))
  }
  if (rounds !== undefined && sizes !== undefined && rounds !== sizes.length) {
    findings.push(found(['panel', 'rounds'], `left out, or ${sizes.length}, the number of sizes`, String(rounds)))
  }
  return findings
}

function agentFindings({ model, baseURL, apiKeyEnv, name }: Agent, path: KeyPath): readonly Finding[] {
  const findings: Finding[] = []
  if (plainText(name) !== name) {
    findings.push(found([...path, 'name'], 'plain text on one line', receivedText(name)))
  }
  const provider = providerOf(model)
  if (provider === null) return [...findings, found([...path, 'model'], expectedModel(model), receivedText(model))]
  // A replay asks nobody, but its answers are found under the address that gave them.
  const original = provider === 'replay' ? parseModelReference(parseModelReference(model).name).provider : provider
  const needless = [...(LOCAL.has(original) ? ['baseURL'] : []), ...(LOCAL.has(provider) ? ['apiKeyEnv'] : [])]
  for (const [key, value] of Object.entries({ baseURL, apiKeyEnv })) {
    if (needless.includes(key) && value !== undefined) {
      findings.push(found([...path, key], `left out: ${provider} models go nowhere`, NOT_REPEATED))
    }
  }
  if (original === 'openai-compatible' && baseURL === undefined) {
    findings.push(found([...path, 'baseURL'], 'an http or https address, such as http://127.0.0.1:8000/v1', 'nothing'))
  }
  if (baseURL !== undefined && !isPlainAddress(baseURL)) {
    const expected = 'an http or https address without user, password, ? or #, such as http://127.0.0.1:8000/v1'
    findings.push(found([...path, 'baseURL'], expected, NOT_REPEATED))
  }
  return findings
}

const LOCAL: ReadonlySet<ProviderName> = new Set(['simulated', 'scripted', 'manual', 'replay', 'function'])

/** Null for a model that there cannot be. */
function providerOf(model: string): ProviderName | null {
  return expectedModel(model) === '' ? parseModelReference(model).provider : null
}

/** What the model must be, empty where it is. */
function expectedModel(model: string): string {
  try {
    const { provider, name } = parseModelReference(model)
    if (provider === 'simulated') simulatedModel({ agent: name, seed: 0 })
    if (provider === 'replay') return replayed(name)
    return plainText(model) === model ? '' : 'plain text on one line'
  } catch (error) {
    if (!(error instanceof ModelSetupError)) throw error
    // The sentence begins with the model, which `received` shows.
    return `provider/name of a model (${error.message.slice(model.length + 2)})`
  }
}

/** What the model that is replayed must be. */
function replayed(original: string): string {
  return original.startsWith('replay/') ? 'replay/ once, before the model that answered' : expectedModel(original)
}

function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ''
}

function nameFindings({ panel: { agents } }: Config): readonly Finding[] {
  return agents.flatMap(({ name }, index) => {
    const first = agents.findIndex((agent) => agent.name === name)
    if (first === index) return []
    return [
      found(['panel', 'agents', index, 'name'], `a name of its own: agents[${first}] has the same`, receivedText(name)),
    ]
  })
}

function promiseFindings({ budget, certificate: { profile }, answers: set }: Config): readonly Finding[] {
  const { floor, promise, answers } = budget
  const findings: Finding[] = []
  for (const [name, value] of Object.entries({ floor, promise, answers })) {
    if (value !== undefined && profile !== 'total') {
      findings.push(found(['budget', name], 'left out, or used with certificate: { profile: total }', String(value)))
    }
  }
  if (promise === 'selective' && floor !== undefined && floor !== 'none') {
    findings.push(
      found(['budget', 'floor'], 'left out beside promise: selective, which no floor can be added to', String(floor)),
    )
  }
  if (answers !== undefined && promise !== undefined && promise !== 'pac') {
    findings.push(found(['budget', 'answers'], 'left out, or used with promise: pac', `promise: ${promise}`))
  }
  return [...findings, ...unknownAnswers(answers ?? {}, set)]
}

/** Classes have names only once answers are compared, so that samples and tokens cannot name them. */
function openFindings({ answers, panel: { beliefs } }: Config): readonly Finding[] {
  if (openAnswers(answers) === null || beliefs === 'vote' || beliefs === 'stated') return []
  return [found(['panel', 'beliefs'], `vote or stated with answers: { kind: ${answers?.kind} }`, beliefs)]
}

/** A budget for an answer that nobody can give would be kept by nobody. */
function unknownAnswers(budgets: Readonly<Record<string, number>>, set: Config['answers']): readonly Finding[] {
  if (set?.kind !== 'labels') return []
  return Object.keys(budgets)
    .filter((answer) => !Object.hasOwn(set.labels, answer))
    .map((answer) => found(['budget', 'answers', answer], 'a label of answers.labels', receivedText(answer)))
}

/** No other profile would obey it. */
function deferredGroupFindings({ certificate: { profile, deferGroups = [] } }: Config): readonly Finding[] {
  if (deferGroups.length === 0 || profile === 'total') return []
  const expected = 'left out, or used with certificate: { profile: total }'
  return [found(['certificate', 'deferGroups'], expected, deferGroups.join(', '))]
}

function limitFindings({ limits, panel: { agents } }: Config): readonly Finding[] {
  const findings: Finding[] = []
  if (limits.debateTimeoutMs < limits.timeoutMs) {
    const expected = `at least timeoutMs, ${limits.timeoutMs}`
    findings.push(found(['limits', 'debateTimeoutMs'], expected, String(limits.debateTimeoutMs)))
  }
  const providers = [...new Set(agents.flatMap((agent) => laneOf(agent) ?? []))]
  for (const provider of Object.keys(limits.perProvider ?? {})) {
    if (providers.includes(provider)) continue
    const closest = closestName(provider, providers)
    const received = `${receivedText(provider)}${closest === undefined ? '' : `, did you mean ${plainText(closest)}?`}`
    const expected = `the provider of an agent: ${providers.map(plainText).join(', ')}`
    findings.push({ path: ['limits', 'perProvider', provider], at: 'key', expected, received })
  }
  return findings
}

/** The name that the model gives as its provider, whose limits it shares. */
function laneOf({ model, baseURL = '' }: Agent): string | null {
  const provider = providerOf(model)
  if (provider !== 'openai-compatible') return provider
  return URL.canParse(baseURL) ? new URL(baseURL).host : null
}

function priceFindings({ prices = {} }: Config): readonly Finding[] {
  return Object.keys(prices).flatMap((model): readonly Finding[] => {
    if (/^[\w-]+\/\S/.test(model)) return []
    const expected = 'under provider/name of a model'
    return [{ path: ['prices', model], at: 'key', expected, received: receivedText(model) }]
  })
}

function storeFindings({ store }: Config, isStoreSecret: boolean): readonly Finding[] {
  const isPostgres = /^postgres(ql)?:\/\//.test(store)
  if (!/^sqlite:./.test(store) && !(isPostgres && URL.canParse(store))) {
    return [found(['store'], 'sqlite:PATH, or postgres://USER@HOST/DATABASE', NOT_REPEATED)]
  }
  const place = isPostgres ? postgresPlace(store) : null
  if (place?.kind === 'refused') return [found(['store'], place.expected, NOT_REPEATED)]
  const holdsPassword = hasPassword(store) || (isPostgres && new URL(store).password !== '')
  if (!holdsPassword || isStoreSecret) return []
  return [found(['store'], 'without a password: set QUORATE_STORE in the environment instead', NOT_REPEATED)]
}
