import { equivalenceOf } from '../../answers/equivalence.ts'
import { byName } from '../../debate/debate-record.ts'
import type { AgentPlan, JudgePlan, PanelPlan } from '../../debate/panel.ts'
import { textDigest } from '../../debate/text-digest.ts'
import { reviewRulesWords } from '../../record/review-rules.ts'
import { type Answers, answersWords, openAnswers } from '../../record/task.ts'

/**
 * What affects beliefs besides models and prompts, in words, so that a difference can be shown. The keys are the agents,
 * `panel`, `answers`, `judge` and `alwaysReview`.
 */
export type PanelSettings = Readonly<Record<string, string>>

export interface SetPanel extends Pick<PanelPlan, 'protocol' | 'samples' | 'sizes' | 'answers' | 'alwaysReview'> {
  readonly agents: readonly (Pick<AgentPlan, 'name' | 'temperature' | 'maxOutputTokens'> & {
    readonly baseURL?: string | null | undefined
  })[]
  readonly judge?: (JudgePlan & { readonly baseURL?: string | null | undefined }) | undefined
}

/** Key of the rules that always send questions to a person. */
const RULES = 'alwaysReview'

/**
 * The settings of a panel for comparison with a certificate. Additional rules that send questions to a person only remove
 * actions, so they are no difference. Missing rules are one, because the certificate never saw such questions. A selective
 * promise, which is about the questions acted on, changes with every rule.
 */
export function comparedSettings(
  here: PanelSettings,
  calibrated: PanelSettings | null,
  isSelective: boolean,
): PanelSettings {
  if (calibrated === null || isSelective) return here
  const lines = (settings: PanelSettings) => settings[RULES]?.split('\n') ?? []
  const [before, now] = [lines(calibrated), new Set(lines(here))]
  if (!before.every((rule) => now.has(rule))) return here
  const others = Object.entries(here).filter(([name]) => name !== RULES)
  return byName([...others, ...(before.length === 0 ? [] : [[RULES, before.join('\n')] as const])])
}

/** Whether rules send kinds of questions to a person that the certificate was calibrated on. */
export function hasNewRules(here: PanelSettings, calibrated: PanelSettings | null): boolean {
  return here[RULES] !== undefined && here[RULES] !== calibrated?.[RULES]
}

export function settingsOf({
  protocol,
  samples,
  sizes,
  agents,
  answers,
  judge,
  alwaysReview = [],
}: SetPanel): PanelSettings {
  const polled = sizes === null ? '' : `, sizes ${sizes.join(', ')}`
  const panel = `protocol ${protocol}, samples ${samples}${polled}`
  const ofAgents = agents.map((agent) => [`agent ${agent.name}`, askedWords(agent)] as const)
  const ofAnswers = answers === undefined ? [] : [['answers', wordsOf(answers)] as const]
  const ofJudge = judge === undefined ? [] : [['judge', judgeWords(judge)] as const]
  const ofRules = alwaysReview.length === 0 ? [] : [[RULES, reviewRulesWords(alwaysReview)] as const]
  return byName([...ofAgents, ['panel', panel], ...ofAnswers, ...ofJudge, ...ofRules])
}

function askedWords({ temperature, maxOutputTokens, baseURL }: SetPanel['agents'][number]): string {
  const place = baseURL === undefined || baseURL === null ? 'usual' : placeDigest(baseURL)
  return `temperature ${temperature ?? 'default'}, maxOutputTokens ${maxOutputTokens}, address ${place}`
}

/** Another judge sorts answers into other classes, so its model and prompt count like those of an agent. */
function judgeWords(judge: NonNullable<SetPanel['judge']>): string {
  const model = judge.model.replace(/^replay\//u, '')
  return `${model}, ${askedWords(judge)}, prompt ${textDigest(judge.prompt).slice(0, DIGITS)}`
}

/** For open answers this includes the rules that decide when two of them are the same. */
function wordsOf(answers: Answers): string {
  const open = openAnswers(answers)
  return open === null ? answersWords(answers) : `${answersWords(answers)}, ${equivalenceOf(open).words}`
}

const DIGITS = 12

/** A digest of host and path: a certificate is passed on, and should not name internal machines. */
function placeDigest(baseURL: string): string {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : null
  const place = url === null ? baseURL : `${url.host}${url.pathname.replace(/(?<!\/)\/+$/, '')}`
  return textDigest(place).slice(0, DIGITS)
}
