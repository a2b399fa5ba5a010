import { canonicalJson } from '@quorate/certificate'
import type { Message } from '../model/model.ts'
import type { Question } from '../record/question.ts'
import type { PromptTemplates } from './panel.ts'
import { fillTemplate } from './prompt-places.ts'
import { textDigest } from './text-digest.ts'

/** What an agent said in the round before, word for word. */
export interface PriorResponse {
  readonly agent: string
  readonly text: string
}

export interface PromptContext {
  readonly question: Question
  readonly templates: PromptTemplates
  readonly agent: string
  readonly round: number
  /** Of all agents in the order of the panel, its own included; null where it answers alone. */
  readonly responses: readonly PriorResponse[] | null
}

export function renderPrompt(context: PromptContext): readonly Message[] {
  const { templates, responses } = context
  const template = responses === null ? templates.firstRound : templates.laterRound
  return [{ role: 'user', content: fillTemplate(template, valuesOf(context)) }]
}

/** The prompt, the reply that could not be read, and the reminder. Providers refuse a blank reply, so that is left out. */
export function renderReminder(context: PromptContext, prompt: readonly Message[], reply: string): readonly Message[] {
  const reminder: Message = { role: 'user', content: fillTemplate(context.templates.reminder, valuesOf(context)) }
  if (reply.trim() !== '') return [...prompt, { role: 'assistant', content: reply }, reminder]
  const last = prompt.at(-1)
  return [...prompt.slice(0, -1), { role: 'user', content: `${last?.content ?? ''}\n\n${reminder.content}` }]
}

function valuesOf({ question, agent, round, responses }: PromptContext): ReadonlyMap<string, string> {
  const code = codeFor(responses ?? [])
  return new Map([
    ['question', question.question],
    ['options', question.options.map(({ name, text }) => (name === text ? name : `${name}: ${text}`)).join('\n')],
    ['names', question.options.map(({ name }) => name).join('|')],
    ['agent', agent],
    ['round', String(round)],
    ['code', code],
    ['responses', (responses ?? []).map((response) => fenced(response, agent, code)).join('\n')],
  ])
}

/**
 * Eight hex digits that stand in none of the texts: whatever a response says, it cannot close its own mark or open
 * another's. They follow from the texts alone, so that equal prompts stay equal.
 */
function codeFor(responses: readonly PriorResponse[]): string {
  const content = canonicalJson(responses.map(({ agent, text }) => [agent, text]))
  for (let attempt = 0; ; attempt++) {
    const code = textDigest(`${attempt}:${content}`).slice(0, 8)
    if (!content.toLowerCase().includes(code)) return code
  }
}

function fenced({ agent, text }: PriorResponse, self: string, code: string): string {
  const own = agent === self ? ' own="yes"' : ''
  return `<response-${code} agent="${attribute(agent)}"${own}>\n${text}\n</response-${code}>`
}

function attribute(name: string): string {
  return name.replace(/[&<>"\s]/gu, (character) => (/\s/u.test(character) ? ' ' : `&#${character.codePointAt(0)};`))
}
