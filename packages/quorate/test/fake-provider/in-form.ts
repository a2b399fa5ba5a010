import { inAskedForm, readAskedForm } from '../../src/model/prompted-question.ts'

export interface Given {
  readonly answer: string | undefined
  readonly reasoning?: string
  /** In percent. */
  readonly confidence?: number
}

/** A reply in the form that these words of a prompt ask for, or as JSON where a schema came with them. */
export function inForm(asked: string, given: Given, isStructured = false): string {
  const { answer = '', reasoning = 'It follows.', confidence = 80 } = given
  if (isStructured) return JSON.stringify({ reasoning, answer, confidence })
  const form = readAskedForm([{ role: 'user', content: asked }])
  if (form === null) return answer
  return `<reasoning>${reasoning}</reasoning>\n${inAskedForm(form, answer, String(confidence))}`
}
