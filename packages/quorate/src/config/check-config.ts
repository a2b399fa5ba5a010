import { LOCAL_OPTION_NAMES } from '@quorate/certificate'
import { ELICITATIONS, OPEN_ELICITATIONS } from '../debate/elicit/elicitations.ts'
import { ModelSetupError } from '../model/model-setup-error.ts'
import { type ProviderName, parseModelReference } from '../model/providers.ts'
import { simulatedModel } from '../model/simulated-model.ts'
import { GRADER, JUDGE } from '../record/judge-settings.ts'
import { openAnswers } from '../record/task.ts'
import { localOptionsText } from '../text/local-options.ts'
import { closestName } from '../text/nearest-name.ts'
import { plainText } from '../text/plain-text.ts'
import type { Config } from './config.ts'
import { type KeyPath, receivedText } from './config-error.ts'
import { hasPassword, NOT_REPEATED } from './find-secret.ts'
import { localOptionsOf } from './local-options.ts'
import { postgresPlace } from './postgres-place.ts'
import type { Finding } from './schema-problems.ts'

/**
 * Findings about keys that do not fit together. `isStoreSecret`: the store came from the environment and may have a password.
 */
export function crossFindings(
  config: Config,
  { isStoreSecret }: { readonly isStoreSecret: boolean },
): readonly Finding[] {
  return [
    ...panelFindings(config),
    ...config.panel.agents.flatMap((agent, index) => agentFindings(agent, ['panel', 'agents', index])),
    ...graderFindings(config),
    ...judgeFindings(config),
    ...fieldFindings(config),
    ...nameFindings(config),
    ...promiseFindings(config),
    ...openFindings(config),
    ...deferredGroupFindings(config),
    ...localFindings(config),
    ...limitFindings(config),
    ...priceFindings(config),
    ...storeFindings(config, isStoreSecret),
  ]
}

function found(path: KeyPath, expected: string, received: string): Finding {
  return { path, at: 'value', expected, received }
}

function panelFindings({ panel: { protocol, rounds, sizes, samples, beliefs, agents } }: Config): readonly Finding[] {
  const findings: Finding[] = []
  if (protocol === 'debate' && sizes !== undefined) {
    findings.push(found(['panel', 'sizes'], 'left out, or used with protocol: growing-panel', 'a list'))
  }
  if (samples !== undefined && !ELICITATIONS[beliefs].isRepeated) {
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

/** The error of a document is at most the sum over its critical fields, and only the promise about all questions bounds it. */
function fieldFindings({ fields, answers, budget, certificate, panel: { beliefs } }: Config): readonly Finding[] {
  if (fields === undefined) return []
  const findings: Finding[] = []
  if (answers !== undefined) findings.push(found(['answers'], 'left out beside fields, which have their own', 'a map'))
  if (certificate.profile !== 'total' || (budget.promise ?? 'pac') !== 'pac') {
    findings.push(found(['fields'], 'left out, or used with profile total and promise pac', 'a map'))
  }
  if (budget.answers !== undefined) findings.push(found(['budget', 'answers'], 'left out beside fields', 'a map'))
  const all = Object.entries(fields)
  const critical = all.filter(([, field]) => field.critical)
  if (critical.length === 0) findings.push(found(['fields'], 'at least one critical field', 'none'))
  for (const [name, field] of all) {
    if (openAnswers(field.answers) !== null && !ELICITATIONS[beliefs].readsOpenAnswers) {
      findings.push(found(['panel', 'beliefs'], `${OPEN_ELICITATIONS} with fields.${name}.answers`, beliefs))
    }
    if (!field.critical && field.beta === undefined) {
      findings.push(
        found(['fields', name, 'beta'], 'a number above 0 and below 1 for a field that is not critical', 'nothing'),
      )
    }
  }
  const stated = critical.reduce((sum, [, field]) => sum + (field.beta ?? 0), 0)
  const isShared = critical.some(([, field]) => field.beta === undefined)
  if (isShared ? stated >= budget.beta : stated > budget.beta + 1e-12) {
    const expected = `${isShared ? 'above' : 'at least'} ${Number(stated.toFixed(12))}, the sum of its critical fields`
    findings.push(found(['budget', 'beta'], expected, String(budget.beta)))
  }
  return findings
}

/** The error of a grading model is bounded as a share of all questions, which only profile total can add. */
function graderFindings({ grader, budget, certificate }: Config): readonly Finding[] {
  if (grader === undefined) return []
  if (certificate.profile === 'total' && budget.promise !== 'selective' && budget.answers === undefined) return []
  const expected = 'left out, or used with profile total and without budget.wrongOfActed and budget.answers'
  return [found(['grader'], expected, 'a map')]
}

/** A judge or a grader is reached like an agent, and no agent may have the name of its calls. */
function judgeFindings({ answers, grader, panel: { agents } }: Config): readonly Finding[] {
  const judges = [
    ...(answers?.kind === 'judged' ? [{ name: JUDGE, settings: answers, path: ['answers'] }] : []),
    ...(grader === undefined ? [] : [{ name: GRADER, settings: grader, path: ['grader'] }]),
  ]
  return judges.flatMap(({ name, settings, path }) => {
    const { model, baseURL, apiKeyEnv } = settings
    const taken = agents.flatMap((agent, index) =>
      agent.name === name
        ? [found(['panel', 'agents', index, 'name'], `another name: calls of the ${name} have this one`, name)]
        : [],
    )
    return [...agentFindings({ name, model, baseURL, apiKeyEnv }, path), ...taken]
  })
}

interface ConfiguredAddress {
  readonly model: string
  readonly baseURL?: string | undefined
}

/** An agent, a judge or a grader, and how its model is reached. */
interface Reached extends ConfiguredAddress {
  readonly name: string
  readonly apiKeyEnv?: string | undefined
}

function agentFindings({ model, baseURL, apiKeyEnv, name }: Reached, path: KeyPath): readonly Finding[] {
  const findings: Finding[] = []
  if (plainText(name) !== name) {
    findings.push(found([...path, 'name'], 'plain text on one line', receivedText(name)))
  }
  const provider = providerOf(model)
  if (provider === null) return [...findings, found([...path, 'model'], expectedModel(model), receivedText(model))]
  // A replay sends no request, but its answers are stored under the address that gave them.
  const original = provider === 'replay' ? parseModelReference(parseModelReference(model).name).provider : provider
  const needless = [...(LOCAL.has(original) ? ['baseURL'] : []), ...(LOCAL.has(provider) ? ['apiKeyEnv'] : [])]
  for (const [key, value] of Object.entries({ baseURL, apiKeyEnv })) {
    if (needless.includes(key) && value !== undefined) {
      findings.push(found([...path, key], `left out: ${provider} models send no request`, NOT_REPEATED))
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

/** Null for an invalid model. */
function providerOf(model: string): ProviderName | null {
  return expectedModel(model) === '' ? parseModelReference(model).provider : null
}

/** What the model must be; empty if it is valid. */
function expectedModel(model: string): string {
  try {
    const { provider, name } = parseModelReference(model)
    if (provider === 'simulated') simulatedModel({ agent: name, seed: 0 })
    if (provider === 'replay') return replayed(name)
    return plainText(model) === model ? '' : 'plain text on one line'
  } catch (error) {
    if (!(error instanceof ModelSetupError)) throw error
    // The message begins with the model, which `received` shows.
    return `provider/name of a model (${error.message.slice(model.length + 2)})`
  }
}

/** What a replayed model must be; empty if it is valid. */
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
      found(['panel', 'agents', index, 'name'], `a unique name: agents[${first}] has the same`, receivedText(name)),
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
  if (promise === 'selective' && budget.relative !== undefined) {
    const expected =
      "left out beside promise: selective, because a multiple of the panel's error is a share of all questions"
    findings.push(found(['budget', 'relative'], expected, String(budget.relative)))
  }
  if (answers !== undefined && promise !== undefined && promise !== 'pac') {
    findings.push(found(['budget', 'answers'], 'left out, or used with promise: pac', `promise: ${promise}`))
  }
  return [...findings, ...unknownAnswers(answers ?? {}, set)]
}

/** Classes get their names only when answers are compared, so samples and tokens cannot name them. */
function openFindings({ answers, panel: { beliefs } }: Config): readonly Finding[] {
  if (openAnswers(answers) === null || ELICITATIONS[beliefs].readsOpenAnswers) return []
  return [found(['panel', 'beliefs'], `${OPEN_ELICITATIONS} with answers: { kind: ${answers?.kind} }`, beliefs)]
}

/** A budget for an answer that cannot be given would have no effect. */
function unknownAnswers(budgets: Readonly<Record<string, number>>, set: Config['answers']): readonly Finding[] {
  if (set?.kind !== 'labels') return []
  return Object.keys(budgets)
    .filter((answer) => !Object.hasOwn(set.labels, answer))
    .map((answer) => found(['budget', 'answers', answer], 'a label of answers.labels', receivedText(answer)))
}

/** Other profiles would ignore it. */
function deferredGroupFindings({ certificate: { profile, deferGroups = [] } }: Config): readonly Finding[] {
  if (deferGroups.length === 0 || profile === 'total') return []
  const expected = 'left out, or used with certificate: { profile: total }'
  return [found(['certificate', 'deferGroups'], expected, deferGroups.join(', '))]
}

/** A user would rely on an envelope that nothing uses. */
function localFindings({
  budget: { delta, deltaOmega },
  certificate: { profile, ...given },
}: Config): readonly Finding[] {
  if (profile === 'tight' || profile === 'paper') {
    if (deltaOmega === undefined || deltaOmega < delta) return []
    return [found(['budget', 'deltaOmega'], `below delta, ${delta}, which it is a part of`, String(deltaOmega))]
  }
  const expected = 'left out, or used with certificate: { profile: tight } or paper'
  const local = localOptionsOf(given)
  return [
    ...(deltaOmega === undefined ? [] : [found(['budget', 'deltaOmega'], expected, String(deltaOmega))]),
    ...LOCAL_OPTION_NAMES.filter((name) => local[name] !== undefined).map((name) =>
      found(['certificate', name], expected, localOptionsText({ [name]: local[name] })),
    ),
  ]
}

function limitFindings({ limits, panel, answers, grader }: Config): readonly Finding[] {
  const agents: readonly ConfiguredAddress[] = [
    ...panel.agents,
    ...(answers?.kind === 'judged' ? [answers] : []),
    ...(grader === undefined ? [] : [grader]),
  ]
  const findings: Finding[] = []
  if (limits.debateTimeoutMs < limits.timeoutMs) {
    const expected = `at least timeoutMs, ${limits.timeoutMs}`
    findings.push(found(['limits', 'debateTimeoutMs'], expected, String(limits.debateTimeoutMs)))
  }
  const providers = [...new Set(agents.flatMap((agent) => limitedProvider(agent) ?? []))]
  for (const provider of Object.keys(limits.perProvider ?? {})) {
    if (providers.includes(provider)) continue
    const closest = closestName(provider, providers)
    const received = `${receivedText(provider)}${closest === undefined ? '' : `. Did you mean ${plainText(closest)}?`}`
    const expected = `the provider of an agent: ${providers.map(plainText).join(', ')}`
    findings.push({ path: ['limits', 'perProvider', provider], at: 'key', expected, received })
  }
  return findings
}

/** The provider whose limits the model shares. */
function limitedProvider({ model, baseURL = '' }: ConfiguredAddress): string | null {
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
  if (!hasPassword(store) || isStoreSecret) return []
  return [found(['store'], 'without a password: set QUORATE_STORE in the environment instead', NOT_REPEATED)]
}
