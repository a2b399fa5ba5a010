import { resolve } from 'node:path'
import { type ResolvedBudget, resolveProfileBudget, resolvePromise, type TotalPromise } from '@quorate/certificate'
import { modelEndpoint } from '../model/create-model.ts'
import type { SettingName } from '../model/dropped-settings.ts'
import { checkPairing, type ModelAddress, readKeys } from '../model/keys.ts'
import { ModelError } from '../model/model-error.ts'
import { ModelSetupError } from '../model/model-setup-error.ts'
import { isOwnServer, priceOf, unpricedWords } from '../model/prices.ts'
import { parseModelReference } from '../model/providers.ts'
import type { Environment } from '../model/redact-secrets.ts'
import { MICRO_USD } from '../record/money.ts'
import type { ReviewRule } from '../record/review-rules.ts'
import { type DocumentPromise, declaredField, documentPromise } from '../text/document-promise.ts'
import { droppedFor, insistProblem } from './insist.ts'
import type { LoadedConfig } from './load-config.ts'
import { postgresPlace } from './postgres-place.ts'
import { type ConfiguredAgent, callsPerQuestion, everyModel, type ResolvedConfig } from './resolve-config.ts'
import { isTrusted, type Pairing } from './trusted-pairings.ts'

/** What a config would do, found without a call and without a key. */
export interface ConfigDescription {
  readonly hash: string
  readonly panel: Pick<ResolvedConfig['panel'], 'protocol' | 'rounds' | 'sizes' | 'elicitation' | 'samples'>
  readonly agents: readonly AgentDescription[]
  /** Every host of models, webhooks and store. */
  readonly hosts: readonly string[]
  readonly callsPerQuestion: {
    readonly calls: number
    readonly withReminders: number
    /** Whether a model also compares or grades answers. */
    readonly hasJudge: boolean
  }
  readonly budget: ResolvedBudget
  /** As the config has it; profile cells does not use it. */
  readonly declaredEpsilon: number
  /** The promise of profile total; null for the others, and if each field has its own. */
  readonly promise: TotalPromise | null
  readonly profile: string
  /** Groups that always go to a person. */
  readonly deferGroups: readonly string[]
  readonly limits: ResolvedConfig['limits']
  readonly spotCheckRate: number
  readonly store: {
    readonly engine: 'sqlite' | 'postgres'
    readonly host: string | null
    /** The file of SQLite; null for PostgreSQL. */
    readonly file: string | null
  }
  /** Rules that send questions to a person, in words. */
  readonly alwaysReview: readonly string[]
  /** The fields of a document, each with its own certificate; empty if a row is one question. */
  readonly fields: readonly FieldDescription[]
  /** What the critical fields promise about documents; null if a row is one question. */
  readonly documents: DocumentPromise | null
  /** What a run would refuse, in words. */
  readonly errors: readonly string[]
  /** What a run would refuse until a flag allows it. */
  readonly stops: readonly string[]
  /** What else a run needs, in words. */
  readonly notes: readonly string[]
}

export interface FieldDescription {
  readonly name: string
  readonly isCritical: boolean
  readonly beta: number
  readonly promise: TotalPromise
}

export interface AgentDescription {
  readonly name: string
  readonly model: string
  readonly provider: string
  /** Null for a model that sends no request. */
  readonly host: string | null
  /** Alternative sets of variables, by name; empty: no key. */
  readonly keys: readonly (readonly { readonly variable: string; readonly isSet: boolean }[])[]
  /** Null: unknown. */
  readonly priceUsdPerMillion: { readonly input: number; readonly output: number } | null
  readonly temperature: number | null
  readonly maxOutputTokens: number
  /** Settings that the model is known to drop. */
  readonly drops: readonly SettingName[]
}

/** What the person allows with the flags of a run. */
export interface Allowances {
  readonly trusted: readonly Pairing[]
  readonly trustConfig: boolean
  readonly allowUnpriced: boolean
}

export function describeConfig(loaded: LoadedConfig, allowed: Allowances): ConfigDescription {
  const { config, env } = loaded
  const { panel, limits, profile, spotCheckRate, hash } = config
  const checks = everyModel(panel).map((agent) => checkAgent(agent, config, env, allowed))
  const agents = checks.map(({ agent }) => agent)
  const store = storeOf(config.store)
  const { protocol, rounds, sizes, elicitation, samples } = panel
  const fields = (loaded.fields ?? []).map(({ name, isCritical, config: own }) => {
    return { name, isCritical, beta: own.budget.beta, promise: declaredPromise(own) }
  })
  return {
    hash,
    panel: { protocol, rounds, sizes, elicitation, samples },
    agents,
    hosts: unique([
      ...agents.flatMap(({ host }) => host ?? []),
      ...config.webhooks.map(({ url }) => new URL(url).host),
      ...(store.host === null ? [] : [store.host]),
    ]),
    callsPerQuestion: {
      ...callsPerQuestion(panel),
      hasJudge: panel.judge !== undefined || panel.grader !== undefined,
    },
    budget: resolveProfileBudget('quorate.config', config.budget, profile, sizes?.length ?? rounds, config.local),
    // If each field has a certificate, there is none for the whole.
    promise: profile === 'total' && fields.length === 0 ? declaredPromise(config) : null,
    declaredEpsilon: config.budget.epsilon,
    profile,
    deferGroups: config.deferGroups,
    limits,
    spotCheckRate,
    store,
    alwaysReview: (panel.alwaysReview ?? []).map(ruleWords),
    fields,
    documents: fields.length === 0 ? null : documentPromise(criticalOf(fields)),
    errors: unique(checks.flatMap(({ errors }) => errors)),
    stops: unique([
      ...checks.flatMap(({ stops }) => stops),
      ...priceStops(
        agents.filter((_, at) => !isOwn(config, at)),
        limits.maxCostUsd,
        allowed,
      ),
    ]),
    notes: unique([
      ...checks.flatMap(({ notes }) => notes),
      ...countedNotes(
        agents.filter((_, at) => isOwn(config, at)),
        limits.maxCostUsd,
        allowed,
      ),
      ...loaded.notes,
    ]),
  }
}

/** If a model grades, its error is measured with a part of delta. */
function declaredPromise({ budget, panel }: ResolvedConfig): TotalPromise {
  return resolvePromise('quorate.config', { ...budget, ...budget.total, isJudged: panel.grader !== undefined })
}

function criticalOf(fields: readonly FieldDescription[]) {
  return fields.flatMap(({ name, isCritical, promise }) => (isCritical ? [declaredField(name, promise)] : []))
}

function ruleWords({ when }: ReviewRule): string {
  if ('group' in when) return `group ${when.group}`
  const [word, limit] = Object.entries(when).find(([name]) => name !== 'field') ?? ['', '']
  return `${when.field} ${word} ${String(limit)}`
}

interface AgentCheck {
  readonly agent: AgentDescription
  readonly errors: readonly string[]
  readonly stops: readonly string[]
  readonly notes: readonly string[]
}

function checkAgent(agent: ConfiguredAgent, config: ResolvedConfig, env: Environment, allowed: Allowances): AgentCheck {
  const price = priceOf(agent.model, config.prices)
  const endpoint = endpointOf(agent, env)
  const place = endpoint instanceof ModelSetupError ? null : endpoint
  const described: AgentDescription = {
    name: agent.name,
    model: agent.model,
    provider: parseModelReference(agent.model).provider,
    host: place?.url.host ?? null,
    keys: (place?.keyVariables ?? []).map((names) =>
      names.map((variable) => ({ variable, isSet: (env[variable]?.trim() ?? '') !== '' })),
    ),
    priceUsdPerMillion: price && { input: price.inputMicroUsd / MICRO_USD, output: price.outputMicroUsd / MICRO_USD },
    temperature: agent.temperature,
    maxOutputTokens: agent.maxOutputTokens,
    drops: droppedFor(agent, config.panel),
  }
  if (endpoint instanceof ModelSetupError) return { agent: described, errors: [endpoint.message], stops: [], notes: [] }
  const { errors, stops, notes } =
    endpoint === null ? { errors: [], stops: [], notes: [] } : keyWords(endpoint, env, allowed)
  const { errors: broken, notes: dropped } = settingWords(agent, described, config)
  return { agent: described, errors: [...errors, ...broken], stops, notes: [...notes, ...dropped] }
}

function endpointOf(
  { model, baseURL, apiKeyEnv }: ConfiguredAgent,
  env: Environment,
): ModelAddress | null | ModelSetupError {
  try {
    return modelEndpoint(model, { env, baseURL, apiKeyEnv, now: () => 0 })
  } catch (error) {
    if (error instanceof ModelSetupError) return error
    throw error
  }
}

/** A missing key is a note, because the config is valid without it. A key that may not be sent at all is an error. */
function keyWords(
  endpoint: ModelAddress,
  env: Environment,
  { trusted, trustConfig }: Allowances,
): Omit<AgentCheck, 'agent'> {
  const [errors, stops, notes]: [string[], string[], string[]] = [[], [], []]
  const collect = (list: string[], check: () => unknown) => {
    try {
      check()
    } catch (error) {
      if (!(error instanceof ModelSetupError || error instanceof ModelError)) throw error
      list.push(error.message)
    }
  }
  collect(errors, () => checkPairing(endpoint, true))
  if (errors.length === 0) collect(stops, () => checkPairing(endpoint, trustConfig || isTrusted(endpoint, trusted)))
  collect(notes, () => readKeys(endpoint, env))
  return { errors, stops, notes }
}

/** A setting that will be dropped is an error if the config insists on it, else a note. */
function settingWords(agent: ConfiguredAgent, { drops, model }: AgentDescription, { panel }: ResolvedConfig) {
  const problem = insistProblem(agent, panel)
  if (problem !== null) return { errors: [`${model}: ${problem}`], notes: [] }
  const notes = drops.length === 0 ? [] : [`${model}: drops ${drops.join(' and ')} (insist makes that an error)`]
  return { errors: [], notes }
}

function isOwn({ panel }: ResolvedConfig, at: number): boolean {
  const agent = everyModel(panel)[at]
  return agent !== undefined && isOwnServer(agent)
}

/** For the user's own servers, a cap counts calls. */
function countedNotes(
  agents: readonly AgentDescription[],
  maxCostUsd: number | null,
  { allowUnpriced }: Allowances,
): readonly string[] {
  const unpriced = unique(agents.flatMap(({ model, priceUsdPerMillion }) => (priceUsdPerMillion ? [] : [model])))
  return maxCostUsd === null || allowUnpriced || unpriced.length === 0 ? [] : [unpricedWords(unpriced, maxCostUsd)]
}

function priceStops(
  agents: readonly AgentDescription[],
  maxCostUsd: number | null,
  { allowUnpriced }: Allowances,
): readonly string[] {
  const unpriced = unique(agents.flatMap(({ model, priceUsdPerMillion }) => (priceUsdPerMillion ? [] : [model])))
  if (maxCostUsd === null || allowUnpriced || unpriced.length === 0) return []
  const none = `${unpriced.length === 1 ? 'has' : 'have'} no known price, so the cap of ${maxCostUsd} US dollars cannot cover it`
  return [`${unpriced.join(', ')} ${none}: set the price under prices, remove the cap, or pass --allow-unpriced`]
}

/** The store without user and password. */
function storeOf({ url, baseFolder }: ResolvedConfig['store']): ConfigDescription['store'] {
  if (url.startsWith('sqlite:')) {
    return { engine: 'sqlite', host: null, file: resolve(baseFolder, url.slice('sqlite:'.length)) }
  }
  const place = postgresPlace(url)
  return { engine: 'postgres', host: place.kind === 'place' ? place.host : null, file: null }
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
