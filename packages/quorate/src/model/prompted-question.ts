import type { Message } from './model.ts'

/** A question as its prompt shows it. */
export interface PromptedQuestion {
  readonly text: string
  readonly options: readonly { readonly name: string; readonly text: string }[]
}

/** `A. text`, `A) text`, `(A) text`, `A: text`, also as an item of a list. */
const OPTION_LINE = /^\s*(?:[-*]\s+)?\(?([A-Z])[.):]\s+(\S(?:.*\S)?)\s*$/

/** The question between its tags in the first message that has them, and the options in that message; null if there is none. */
export function readAskedQuestion(messages: readonly Message[]): PromptedQuestion | null {
  for (const { role, content } of messages) {
    const tagged = role === 'assistant' ? null : /<question>([\s\S]*?)<\/question>/i.exec(content)
    if (tagged === null) continue
    const [whole, inside = ''] = tagged
    const words = inside
      .split('\n')
      .filter((line) => !OPTION_LINE.test(line) && !/^\s*(<\/?options>|options:?)\s*$/i.test(line))
    const after = content.slice(tagged.index + whole.length)
    return { text: words.join(' ').replace(/\s+/g, ' ').trim(), options: optionsIn(`${inside}\n${after}`) }
  }
  return null
}

/** The options of a text. The first line of each name counts. */
function optionsIn(text: string): PromptedQuestion['options'] {
  const options = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name, value] = OPTION_LINE.exec(line) ?? []
    if (name !== undefined && value !== undefined && !options.has(name)) options.set(name, value)
  }
  return [...options].map(([name, value]) => ({ name, text: value }))
}

/** The form of the answer that a prompt asks for. */
export interface AskedForm {
  /** The code in the tags of the answer. */
  readonly code: string
  readonly hasConfidence: boolean
}

/** The form that the last message with one asks for; null if the answer stands alone. */
export function readAskedForm(messages: readonly Message[]): AskedForm | null {
  for (const { role, content } of messages.toReversed()) {
    const code = role === 'user' ? [...content.matchAll(/<answer-([0-9a-f]{8})>/g)].at(-1)?.[1] : undefined
    if (code !== undefined) return { code, hasConfidence: content.includes(`<confidence-${code}>`) }
  }
  return null
}

/** An answer in the requested form, with its confidence in percent. */
export function inAskedForm(form: AskedForm | null, answer: string, confidence: string): string {
  if (form === null) return answer
  const { code, hasConfidence } = form
  const stated = hasConfidence ? `\n<confidence-${code}>${confidence}</confidence-${code}>` : ''
  return `<answer-${code}>${answer}</answer-${code}>${stated}`
}
