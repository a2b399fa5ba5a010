import { optionOfKey } from './option-keys.ts'

export type Command =
  | { readonly kind: 'option'; readonly index: number }
  | { readonly kind: 'submit' }
  | { readonly kind: 'next-option' }
  | { readonly kind: 'previous-option' }
  | { readonly kind: LetterCommand }
  | { readonly kind: 'help' }

const LETTERS = {
  c: 'cannot-tell',
  b: 'bad-question',
  s: 'skip',
  p: 'release',
  u: 'undo',
  n: 'note',
  h: 'last',
  l: 'list',
  t: 'type',
} as const
const MOVES = { j: 'next-option', k: 'previous-option' } as const
export type LetterCommand = (typeof LETTERS)[keyof typeof LETTERS]

export interface PressedKey {
  readonly key: string
  readonly shiftKey: boolean
}

/** The command of a key while an item with these options is shown. Digits are labels and letters are commands. */
export function commandOf({ key, shiftKey }: PressedKey, options: readonly string[]): Command | null {
  if (key === '?') return { kind: 'help' }
  if (key === 'Enter') return shiftKey ? null : { kind: 'submit' }
  if (key === 'ArrowDown' || key === 'ArrowRight') return { kind: 'next-option' }
  if (key === 'ArrowUp' || key === 'ArrowLeft') return { kind: 'previous-option' }
  if (shiftKey) return null
  const index = optionOfKey(options, key)
  if (index !== null) return { kind: 'option', index }
  return commandOfLetter(key.toLowerCase())
}

/** The key of a command, as it is displayed. */
export function commandKey(command: LetterCommand): string {
  const letter = Object.entries(LETTERS).find(([, kind]) => kind === command)?.[0] ?? ''
  return letter.toUpperCase()
}

function commandOfLetter(letter: string): Command | null {
  for (const [own, kind] of [...Object.entries(LETTERS), ...Object.entries(MOVES)]) {
    if (own === letter) return { kind }
  }
  return null
}
