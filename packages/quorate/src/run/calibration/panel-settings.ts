import { equivalenceOf } from '../../answers/equivalence.ts'
import { byName } from '../../debate/debate-record.ts'
import type { AgentPlan, JudgePlan, PanelPlan } from '../../debate/panel.ts'
import { textDigest } from '../../debate/text-digest.ts'
import { reviewRulesWords } from '../../record/review-rules.ts'
import { type Answers, answersWords, openAnswers } from '../../record/task.ts'

/** What changes beliefs beside models and prompts, in words, so that a difference can be named: by agent, `panel`, and `answers`. */
export type PanelSettings = Readonly<Record<string, string>>

export interface SetPanel extends Pick<PanelPlan, 'protocol' | 'samples' | 'sizes' | 'answers' | 'alwaysReview'> {
  readonly agents: readonly (Pick<AgentPlan, 'name' | 'temperature' | 'maxOutputTokens'> & {
    readonly baseURL?: string | null | undefined
  })[]
  readonly judge?: (JudgePlan & { readonly baseURL?: string | null | undefined }) | undefined
}

/** Name of the rules by which questions go to a person. */
const RULES = 'alwaysReview'

/**
 * The settings of a panel as a certificate is compared with them. Rules that send more questions to a person than when it
 * was calibrated only take actions away, and are no difference; fewer are, since it never saw such questions. A promise
 * about the questions acted on, and no other, changes with every rule.
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

/** Whether rules send questions to a person that the certificate was calibrated on. */
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

/** Another judge puts answers into other classes: its model and its prompt count like an agent's. */
function judgeWords(judge: NonNullable<SetPanel['judge']>): string {
  const model = judge.model.replace(/^replay\//u, '')
  return `${model}, ${askedWords(judge)}, prompt ${textDigest(judge.prompt).slice(0, DIGITS)}`
}

/** Of open answers also the rules that say when two of them are the same. */
function wordsOf(answers: Answers): string {
  const open = openAnswers(answers)
  return open === null ? answersWords(answers) : `${answersWords(answers)}, ${equivalenceOf(open).words}`
}

const DIGITS = 12

/** Of host and path: a certificate is handed on, and need not name the machines of a house. */
function placeDigest(baseURL: string): string {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : null
  const place = url === null ? baseURL : `${url.host}${url.pathname.replace(/\/+$/, '')}`
  return textDigest(place).slice(0, DIGITS)
}
