import { FileError } from '../files/file-error.ts'
import type { PromptTemplates } from './panel.ts'

/** What a template may hold between braces, and what it must. Other braces stand for themselves. */
const PLACES: Readonly<
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

const PLACE = /\{([A-Za-z][\w-]*)\}/gu

/** Throws where a place is unknown or missing; `file` is what the message calls the template. Open answers have no options to show. */
export function checkTemplate(name: keyof typeof PLACES, template: string, file: string, isOpen = false): void {
  const { known, needed } = PLACES[name]
  const listed = known.map((place) => `{${place}}`).join(', ')
  for (const found of template.matchAll(PLACE)) {
    if (known.includes(found[1] ?? '')) continue
    const line = template.slice(0, found.index).split('\n').length
    throw new FileError(`${file}: line ${line}: a placeholder must be one of ${listed}, got ${found[0].slice(0, 60)}`)
  }
  for (const place of needed.filter((each) => !(isOpen && each === 'options'))) {
    if (!template.includes(`{${place}}`)) throw new FileError(`${file}: expected the placeholder {${place}}, got none`)
  }
}

/** A line that holds nothing but a place whose value is empty. */
const EMPTY_LINE = /^\{instruction\}\n/gmu

/** In one pass, so that a question that holds `{responses}` stays as it is. Without an instruction its line is left out. */
export function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  const lines = values.get('instruction') === '' ? template.replace(EMPTY_LINE, '') : template
  return lines.replace(PLACE, (whole, place: string) => values.get(place) ?? whole)
}
