import { canonicalJson } from '@quorate/certificate'
import type { Message } from '../model/model.ts'
import type { Question } from '../record/question.ts'
import type { PanelPrompts } from './panel.ts'
import { fillTemplate } from './prompt-template.ts'
import { replyText, unescapedMarkup } from './reply/reply-text.ts'
import { textDigest } from './text-digest.ts'

/** An agent's reply in the previous round, verbatim. */
export interface PriorResponse {
  readonly agent: string
  readonly text: string
}

export interface PromptContext {
  readonly question: Question
  readonly templates: PanelPrompts
  readonly agent: string
  readonly round: number
  /** The replies of all agents in the order of the panel, its own included; null if it answers alone. */
  readonly responses: readonly PriorResponse[] | null
  /** Answers are open, so the names of the classes are not shown as options. */
  readonly isOpen?: boolean
}

/** The requested form of the answer, and the code in its tags. */
export interface PromptForm {
  readonly code: string
  /** The part of the prompt that asks for the form of the answer. */
  readonly text: string
}

export function renderPrompt(context: PromptContext, form: PromptForm): readonly Message[] {
  const { templates, responses } = context
  const template = responses === null ? templates.firstRound : templates.laterRound
  return [{ role: 'user', content: fillTemplate(template, valuesOf(context, form)) }]
}

/** The prompt, the unreadable reply and the reminder. Providers refuse an empty reply, so an empty one is left out. */
export function renderReminder(
  context: PromptContext,
  form: PromptForm,
  { prompt, reply }: { readonly prompt: readonly Message[]; readonly reply: string },
): readonly Message[] {
  const reminder: Message = { role: 'user', content: fillTemplate(context.templates.reminder, valuesOf(context, form)) }
  if (reply.trim() !== '') return [...prompt, { role: 'assistant', content: reply }, reminder]
  const last = prompt.at(-1)
  return [...prompt.slice(0, -1), { role: 'user', content: `${last?.content ?? ''}\n\n${reminder.content}` }]
}

function valuesOf(context: PromptContext, form: PromptForm): ReadonlyMap<string, string> {
  const { question, agent, round, responses, templates, isOpen = false } = context
  const shown = isOpen ? [] : question.options
  return new Map([
    ['instruction', templates.instruction ?? ''],
    ['question', question.question],
    ['options', shown.map(({ name, text }) => (name === text ? name : `${name}: ${text}`)).join('\n')],
    ['names', shown.map(({ name }) => name).join('|')],
    ['agent', agent],
    ['round', String(round)],
    ['code', form.code],
    ['form', form.text],
    ['responses', (responses ?? []).map((response) => fenced(response, agent, form.code)).join('\n')],
  ])
}

/**
 * Eight hex digits that occur in nothing that the agent is shown, neither as written nor as the reply reader would
 * normalise it. So no text can close its own tag, open another's or contain an answer. The code follows from the texts
 * alone, so equal prompts stay equal.
 */
export function promptCode({ question, templates, agent, responses }: PromptContext): string {
  const replies = (responses ?? []).map((response) => [response.agent, response.text] as const)
  const options = question.options.map(({ name, text }) => [name, text] as const)
  const seed = canonicalJson([question.question, options, replies])
  const shown = [question.question, ...options.flat(), ...replies.flat(), agent, ...Object.values(templates)]
  // Most texts are the same in all three forms.
  const texts = new Set(shown.flatMap((text) => [text, replyText(text), unescapedMarkup(replyText(text))]))
  const shownText = [...texts].join('\n').toLowerCase()
  for (let attempt = 0; ; attempt++) {
    const code = textDigest(`${attempt}:${seed}`).slice(0, 8)
    if (!shownText.includes(code)) return code
  }
}

function fenced({ agent, text }: PriorResponse, self: string, code: string): string {
  const own = agent === self ? ' own="yes"' : ''
  return `<response-${code} agent="${attribute(agent)}"${own}>\n${text}\n</response-${code}>`
}

function attribute(name: string): string {
  return name.replace(/[&<>"\s]/gu, (character) => (/\s/u.test(character) ? ' ' : `&#${character.codePointAt(0)};`))
}
