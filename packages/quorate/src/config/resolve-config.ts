import { type Budget, canonicalJson, type LocalOptions, type RelativeChoice, sha256 } from '@quorate/certificate'
import { ELICITATIONS } from '../debate/elicit/elicitations.ts'
import type { AgentPlan, JudgePlan, PanelPlan, PanelPrompts } from '../debate/panel.ts'
import { READER_VERSION } from '../debate/reader-version.ts'
import type { Insistence } from '../model/dropped-settings.ts'
import type { PriceTable } from '../model/price-table.ts'
import type { ScriptRule } from '../model/scripted-model.ts'
import { commonAnswers } from '../questions/read-question.ts'
import { GRADER, type GraderSettings, JUDGE } from '../record/judge-settings.ts'
import { MICRO_USD } from '../record/money.ts'
import { openAnswers, type QuestionFields } from '../record/task.ts'
import { resolveLimits, type TrafficLimits } from '../traffic/traffic-limits.ts'
import type { Config } from './config.ts'
import { CONFIG_DEFAULTS } from './defaults.ts'
import { localOptionsOf } from './local-options.ts'
import { publicOrigin } from './public-url.ts'
import type { Notice, Webhook } from './webhooks.ts'

/** An agent and how its model is reached. It has the name of a key variable, never a key. */
export interface ConfiguredAgent extends AgentPlan {
  readonly baseURL: string | undefined
  readonly apiKeyEnv: string | undefined
  /** Settings that must be honoured. It is an error if the provider drops one. */
  readonly insist: Insistence
  /** The script of a `scripted/...` model. */
  readonly script?: readonly ScriptRule[]
}

export interface ConfiguredPanel extends PanelPlan {
  readonly agents: readonly ConfiguredAgent[]
  readonly judge?: ConfiguredJudge | undefined
  readonly grader?: ConfiguredJudge | undefined
}

type ConfiguredJudge = ConfiguredAgent & JudgePlan

/** Every model that a run may pay for: the agents, and the models that compare or grade their answers. */
export function everyModel({ agents, judge, grader }: ConfiguredPanel): readonly ConfiguredAgent[] {
  return [...agents, ...(judge === undefined ? [] : [judge]), ...(grader === undefined ? [] : [grader])]
}

export interface ConfiguredLimits {
  /** Null: no cap. */
  readonly maxCostUsd: number | null
  readonly debateTimeoutMs: number
  readonly traffic: TrafficLimits
}

/** A config that is ready to run: defaults applied, prompts read, and the file overridden by flags and environment. */
export interface ResolvedConfig {
  readonly file: string
  readonly panel: ConfiguredPanel
  /** Names of the columns of a question file. */
  readonly questions: QuestionFields
  /** What reviewers see beside every item; null: nothing. */
  readonly guideline: string | null
  readonly budget: Budget
  readonly profile: Config['certificate']['profile']
  /** Beta is this multiple of the panel's own error, at most the one of `budget`; undefined: beta is the one of `budget`. */
  readonly relative: RelativeChoice | undefined
  /** Options of the profiles tight and paper that differ from the usual ones. */
  readonly local: LocalOptions
  /** Groups whose questions always go to a person. */
  readonly deferGroups: readonly string[]
  readonly limits: ConfiguredLimits
  readonly store: StorePlace
  /** In [0, 1]. */
  readonly spotCheckRate: number
  /** Items of the review queue that one person may claim at once. */
  readonly maxClaims: number
  /** Share of reviewed items that a second person answers too. */
  readonly secondShare: number
  readonly prices: PriceTable
  readonly webhooks: readonly Webhook[]
  readonly notices: readonly Notice[]
  readonly server: ConfiguredServer
  readonly seed: number
  /** The content of spans; undefined: none are created. */
  readonly telemetry: { readonly includeText: boolean } | undefined
  /** Canonical JSON of everything that could change an answer or a decision: no limits, no store, no keys. */
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
  /** May contain a password if it came from the environment, so it must never be printed. */
  readonly url: string
  /** Folder that a relative path starts from. */
  readonly baseFolder: string
  /** False: it comes from the config or from `.env` beside it, which another person may have written. */
  readonly isOwnUrl: boolean
}

export interface ConfigContext {
  readonly file: string
  readonly prompts: PanelPrompts
  readonly judgePrompts: { readonly judge: string; readonly grader: string }
  /** Text of the guideline that reviewers see; null: there is none. */
  readonly guideline: string | null
  /** Scripts by model. */
  readonly scripts: ReadonlyMap<string, readonly ScriptRule[]>
  readonly store: Omit<StorePlace, 'url'>
}

export function resolveConfig(config: Config, context: ConfigContext): ResolvedConfig {
  const { file, store } = context
  const panel = resolvePanel(config, context)
  const { limits, seed, certificate } = config
  const budget = declaredBudget(config)
  const { concurrency, attempts, timeoutMs, perProvider = {} } = limits
  const { profile, deferGroups = [] } = certificate
  const local = localOptionsOf(certificate)
  const { relative } = config.budget
  const identity = identityOf(panel, {
    budget,
    profile,
    ...(deferGroups.length > 0 && { deferGroups }),
    ...(Object.keys(local).length > 0 && { local }),
    ...(relative !== undefined && { relative }),
    seed,
  })
  return Object.freeze({
    file,
    panel,
    questions: config.questions ?? {},
    guideline: context.guideline,
    budget,
    profile,
    local,
    relative,
    deferGroups,
    limits: {
      maxCostUsd: limits.maxCostUsd,
      debateTimeoutMs: limits.debateTimeoutMs,
      traffic: resolveLimits({ concurrency, attempts, timeoutMs, providers: perProvider }),
    },
    store: { url: config.store, ...store },
    spotCheckRate: config.review.spotCheckRate,
    maxClaims: config.review.maxClaims,
    secondShare: config.review.second,
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

/** How a question file is read with this config. */
export function questionFormat({ panel, questions: { text, ...fields }, seed }: ResolvedConfig) {
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

/**
 * Calls that a question takes through all rounds. `withReminders` is the maximum: every answer is unreadable at first
 * and asked again, a judge compares as often as the answers could require, and a grader grades every round.
 */
export function callsPerQuestion(panel: PanelPlan): {
  readonly calls: number
  readonly withReminders: number
} {
  const { protocol, rounds, sizes, samples, agents } = panel
  const turns = protocol === 'growing-panel' ? (sizes?.at(-1) ?? 0) : agents.length * rounds
  const calls = turns * samples
  return {
    calls,
    withReminders: 2 * (calls + mostComparisons(panel, turns) + (panel.grader === undefined ? 0 : rounds)),
  }
}

/** The most comparisons: each answer with every class that may exist by then. */
export function mostComparisons({ judge, answers }: PanelPlan, turns: number): number {
  const open = judge === undefined ? null : openAnswers(answers)
  if (open === null) return 0
  return Array.from({ length: turns }, (_, at) => Math.min(at, open.classes)).reduce((sum, count) => sum + count, 0)
}

function resolvePanel(
  { panel, answers, grader, alwaysReview = [] }: Config,
  { prompts, judgePrompts, scripts }: ConfigContext,
): ConfiguredPanel {
  const asked = (name: string, settings: JudgedAnswers | GraderSettings, prompt: string): ConfiguredJudge => {
    const { model, baseURL, apiKeyEnv, temperature, maxOutputTokens } = settings
    const script = scripts.get(model)
    const own = script === undefined ? {} : { script }
    return { name, model, baseURL, apiKeyEnv, temperature, maxOutputTokens, insist: false, prompt, ...own }
  }
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
    ...(answers === undefined ? {} : { answers: answers.kind === 'judged' ? bareJudged(answers) : answers }),
    ...(alwaysReview.length === 0 ? {} : { alwaysReview }),
    ...(answers?.kind === 'judged' ? { judge: asked(JUDGE, answers, judgePrompts.judge) } : {}),
    ...(grader === undefined ? {} : { grader: asked(GRADER, grader, judgePrompts.grader) }),
  }
}

type JudgedAnswers = Extract<Config['answers'], { kind: 'judged' }>

/** The settings without the address and the prompt of the judge, which are in the plan of the judge. */
function bareJudged({ kind, model, temperature, maxOutputTokens, classes }: JudgedAnswers): JudgedAnswers {
  return { kind, model, temperature, maxOutputTokens, classes }
}

/** The budget that `calibrate` receives. Only `total` has a promise and a floor. */
function declaredBudget({ budget, certificate: { profile } }: Config): Budget {
  const { beta, delta, epsilon, deltaOmega, floor, answers, promise = 'pac' } = budget
  if (profile !== 'total') return { beta, delta, epsilon, ...(deltaOmega === undefined ? {} : { deltaOmega }) }
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
  const micro = (usd: number) => Math.round(usd * MICRO_USD)
  const rows = Object.entries(prices).map(([model, { inputUsdPerMillion, outputUsdPerMillion }]) => {
    return [model, { inputMicroUsd: micro(inputUsdPerMillion), outputMicroUsd: micro(outputUsdPerMillion) }] as const
  })
  return Object.freeze(Object.fromEntries(rows))
}

/**
 * The config without what cannot change an answer. `insist` is included, because it turns an answer into a failure. The
 * variable of a key is not, nor is the spot-check rate.
 */
function identityOf(
  { agents, judge, grader, ...panel }: ConfiguredPanel,
  rest: Readonly<Record<string, unknown>>,
): string {
  const asked = ({ apiKeyEnv: _, baseURL, ...agent }: ConfiguredAgent) => ({ ...agent, baseURL: baseURL ?? null })
  const judges = { ...(judge && { judge: asked(judge) }), ...(grader && { grader: asked(grader) }) }
  return canonicalJson({
    ...rest,
    reader: READER_VERSION,
    panel: { ...panel, agents: agents.map(asked), ...judges },
  })
}
