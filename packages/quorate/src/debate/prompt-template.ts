import { FileError } from '../files/file-error.ts'
import type { PromptTemplates } from './panel.ts'

/** The placeholders that a template may have, and those that it must have. Other braces are literal text. */
const PLACEHOLDERS: Readonly<
  Record<keyof PromptTemplates | 'judge', { readonly known: readonly string[]; readonly needed: readonly string[] }>
> = {
  firstRound: {
    known: ['instruction', 'question', 'options', 'names', 'agent', 'round', 'form'],
    needed: ['question', 'options', 'form'],
  },
  laterRound: {
    known: ['instruction', 'question', 'options', 'names', 'agent', 'round', 'code', 'responses', 'form'],
    needed: ['question', 'options', 'responses', 'form'],
  },
  judge: {
    known: ['instruction', 'question', 'code', 'responses', 'form'],
    needed: ['question', 'responses', 'form'],
  },
  reminder: {
    known: ['instruction', 'question', 'options', 'names', 'agent', 'round', 'form'],
    needed: ['form'],
  },
}

const PLACEHOLDER = /\{([A-Za-z][\w-]*)\}/gu

/**
 * Throws if a placeholder is unknown or missing. `file` is the name of the template in the message. Open answers need
 * no {options}.
 */
export function checkTemplate(kind: keyof typeof PLACEHOLDERS, template: string, file: string, isOpen = false): void {
  const { known, needed } = PLACEHOLDERS[kind]
  const listed = known.map((placeholder) => `{${placeholder}}`).join(', ')
  for (const found of template.matchAll(PLACEHOLDER)) {
    if (known.includes(found[1] ?? '')) continue
    const line = template.slice(0, found.index).split('\n').length
    throw new FileError(`${file}: line ${line}: a placeholder must be one of ${listed}, got ${found[0].slice(0, 60)}`)
  }
  for (const placeholder of needed.filter((each) => !(isOpen && each === 'options'))) {
    if (template.includes(`{${placeholder}}`)) continue
    throw new FileError(`${file}: expected the placeholder {${placeholder}}, got none`)
  }
}

/** A line with only the placeholder {instruction}. */
const EMPTY_LINE = /^\{instruction\}\n/gmu

/**
 * Fills the placeholders in one pass, so that a question that contains `{responses}` stays unchanged. Without an
 * instruction, its line is left out.
 */
export function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  const lines = values.get('instruction') === '' ? template.replace(EMPTY_LINE, '') : template
  return lines.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole)
}
