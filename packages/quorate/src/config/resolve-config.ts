import { type Budget, canonicalJson, sha256 } from '@quorate/certificate'
import { ELICITATIONS } from '../debate/elicit/elicitations.ts'
import type { AgentPlan, PanelPlan, PanelPrompts } from '../debate/panel.ts'
import { READER_VERSION } from '../debate/reader-version.ts'
import type { Insistence } from '../model/dropped-settings.ts'
import type { PriceTable } from '../model/price-table.ts'
import type { ScriptRule } from '../model/scripted-model.ts'
import { commonAnswers } from '../questions/read-question.ts'
import type { QuestionFileOptions } from '../questions/read-questions.ts'
import type { QuestionFields } from '../record/task.ts'
import { resolveLimits, type TrafficLimits } from '../traffic/limits.ts'
import type { Config } from './config.ts'
import { CONFIG_DEFAULTS } from './defaults.ts'
import { publicOrigin } from './public-url.ts'
import type { Notice, Webhook } from './webhooks.ts'

/** An agent, and how its model is reached. Holds the name of a key, never a key. */
export interface ConfiguredAgent extends AgentPlan {
  readonly baseURL: string | undefined
  readonly apiKeyEnv: string | undefined
  /** Settings that must be honoured: one that the provider drops is an error. */
  readonly insist: Insistence
  /** Of `scripted/...`. */
  readonly script?: readonly ScriptRule[]
}

export interface ConfiguredPanel extends PanelPlan {
  readonly agents: readonly ConfiguredAgent[]
}

export interface ConfiguredLimits {
  /** Null: no cap. */
  readonly maxCostUsd: number | null
  readonly debateTimeoutMs: number
  readonly traffic: TrafficLimits
}

/** A config that can be run: defaults in place, prompts read, flags and environment over the file. */
export interface ResolvedConfig {
  readonly file: string
  readonly panel: ConfiguredPanel
  /** Which columns of a file of questions hold what. */
  readonly questions: QuestionFields
  /** What reviewers see beside every item; null: nothing. */
  readonly guideline: string | null
  readonly budget: Budget
  readonly profile: Config['certificate']['profile']
  /** Groups whose questions always go to a person. */
  readonly deferGroups: readonly string[]
  readonly limits: ConfiguredLimits
  readonly store: StorePlace
  /** In [0, 1]. */
  readonly spotCheckRate: number
  /** Items of the review queue that one person may hold at once. */
  readonly maxClaims: number
  readonly prices: PriceTable
  readonly webhooks: readonly Webhook[]
  readonly notices: readonly Notice[]
  readonly server: ConfiguredServer
  readonly seed: number
  /** What spans are to hold; undefined: none are made. */
  readonly telemetry: { readonly includeText: boolean } | undefined
  /** Canonical JSON of all that could change an answer or a decision: no limits, no store, no keys. */
  readonly identity: string
  /** SHA-256 of the identity, 64 hex digits. */
  readonly hash: string
}

/** How `quorate serve` is reached. */
export interface ConfiguredServer {
  /** The origin of the proxy in front of it; null: clients connect to the server itself. */
  readonly publicOrigin: string | null
  /** Open connections that one client address may have. */
  readonly connectionsPerAddress: number
}

export interface StorePlace {
  /** May hold a password where it came from the environment: never print it. */
  readonly url: string
  /** Folder that a relative path starts from. */
  readonly baseFolder: string
  /** False: it stands in the config or in `.env` beside it, which somebody else may have written. */
  readonly isOwnUrl: boolean
}

export interface Surroundings {
  readonly file: string
  readonly prompts: PanelPrompts
  /** Text of the guideline that reviewers see; null: there is none. */
  readonly guideline: string | null
  /** By model. */
  readonly scripts: ReadonlyMap<string, readonly ScriptRule[]>
  readonly store: Omit<StorePlace, 'url'>
}

export function resolveConfig(config: Config, surroundings: Surroundings): ResolvedConfig {
  const { file, store } = surroundings
  const panel = resolvePanel(config, surroundings)
  const { limits, seed, certificate } = config
  const budget = declaredBudget(config)
  const { concurrency, attempts, timeoutMs, perProvider = {} } = limits
  const { profile, deferGroups = [] } = certificate
  const identity = identityOf(panel, { budget, profile, ...(deferGroups.length > 0 && { deferGroups }), seed })
  return Object.freeze({
    file,
    panel,
    questions: config.questions ?? {},
    guideline: surroundings.guideline,
    budget,
    profile,
    deferGroups,
    limits: {
      maxCostUsd: limits.maxCostUsd,
      debateTimeoutMs: limits.debateTimeoutMs,
      traffic: resolveLimits({ concurrency, attempts, timeoutMs, providers: perProvider }),
    },
    store: { url: config.store, ...store },
    spotCheckRate: config.review.spotCheckRate,
    maxClaims: config.review.maxClaims,
    prices: resolvePrices(config.prices ?? {}),
    webhooks: config.webhooks,
    notices: config.notices,
    server: resolveServer(config.server),
    seed,
    telemetry: config.telemetry.spans ? { includeText: config.telemetry.includeText } : undefined,
    identity,
    hash: sha256(identity),
  })
}

/** How the questions of a config are read from a file. */
export function questionFormat({
  panel,
  questions: { text, ...fields },
  seed,
}: Pick<ResolvedConfig, 'panel' | 'questions' | 'seed'>): Pick<QuestionFileOptions, 'fields' | 'common'> {
  return {
    fields: { ...withoutUndefined(fields), ...(text === undefined ? {} : { question: text }) },
    common: commonAnswers({ panel, seed }),
  }
}

function withoutUndefined(fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, column]) => (column === undefined ? [] : [[name, column]])),
  )
}

/** Calls that a question takes through all rounds; an unreadable answer is asked once more. */
export function callsPerQuestion({ protocol, rounds, sizes, samples, agents }: PanelPlan): {
  readonly calls: number
  readonly withReminders: number
} {
  const turns = protocol === 'growing-panel' ? (sizes?.at(-1) ?? 0) : agents.length * rounds
  const calls = turns * samples
  return { calls, withReminders: 2 * calls }
}

function resolvePanel({ panel, answers }: Config, { prompts, scripts }: Surroundings): ConfiguredPanel {
  const { protocol, beliefs, sizes = null, rounds = CONFIG_DEFAULTS.panel.rounds } = panel
  return {
    protocol,
    rounds: sizes === null ? rounds : sizes.length,
    sizes,
    elicitation: beliefs,
    samples: ELICITATIONS[beliefs].isRepeated ? (panel.samples ?? CONFIG_DEFAULTS.panel.samples) : 1,
    agents: panel.agents.map(({ baseURL, apiKeyEnv, ...agent }) => {
      const script = scripts.get(agent.model)
      return { ...agent, baseURL, apiKeyEnv, ...(script === undefined ? {} : { script }) }
    }),
    prompts,
    ...(answers === undefined ? {} : { answers }),
  }
}

/** What `calibrate` is asked for. Only `total` knows a promise and a floor. */
function declaredBudget({ budget, certificate: { profile } }: Config): Budget {
  const { beta, delta, epsilon, floor, answers, promise = 'pac' } = budget
  if (profile !== 'total') return { beta, delta, epsilon }
  const total = {
    kind: promise,
    delta,
    ...(floor === undefined ? {} : { floor }),
    ...(answers === undefined ? {} : { answers }),
  }
  return { beta, delta, epsilon, total }
}

function resolveServer({ publicUrl, connectionsPerAddress }: Config['server']): ConfiguredServer {
  return { publicOrigin: publicUrl === undefined ? null : publicOrigin(publicUrl), connectionsPerAddress }
}

function resolvePrices(prices: NonNullable<Config['prices']>): PriceTable {
  const micro = (usd: number) => Math.round(usd * 1e6)
  const rows = Object.entries(prices).map(([model, { inputUsdPerMillion, outputUsdPerMillion }]) => {
    return [model, { inputMicroUsd: micro(inputUsdPerMillion), outputMicroUsd: micro(outputUsdPerMillion) }] as const
  })
  return Object.freeze(Object.fromEntries(rows))
}

/** `insist` counts: it turns an answer into a failure. Where a key is found does not, nor who is spot-checked. */
function identityOf({ agents, ...panel }: ConfiguredPanel, rest: Readonly<Record<string, unknown>>): string {
  const answering = agents.map(({ apiKeyEnv: _, baseURL, ...agent }) => ({ ...agent, baseURL: baseURL ?? null }))
  return canonicalJson({ ...rest, reader: READER_VERSION, panel: { ...panel, agents: answering } })
}
