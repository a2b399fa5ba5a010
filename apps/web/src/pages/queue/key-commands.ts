import { optionKeys, optionOfKey } from './option-keys.ts'

export type Command =
  | { readonly kind: 'option'; readonly index: number }
  | { readonly kind: 'cannot-tell' }
  | { readonly kind: 'bad-question' }
  | { readonly kind: 'submit' }
  | { readonly kind: 'next-option' }
  | { readonly kind: 'previous-option' }
  | { readonly kind: LetterCommand }
  | { readonly kind: 'help' }

const LETTERS = { s: 'skip', r: 'release', u: 'undo', n: 'note', l: 'last' } as const
const MOVES = { j: 'next-option', k: 'previous-option' } as const
export type LetterCommand = (typeof LETTERS)[keyof typeof LETTERS]

export interface PressedKey {
  readonly key: string
  readonly shiftKey: boolean
}

/** What a key means while an item with these options is shown. A letter of an option is the option's. */
export function commandOf({ key, shiftKey }: PressedKey, options: readonly string[]): Command | null {
  if (key === '?') return { kind: 'help' }
  if (key === 'Enter') return shiftKey ? null : { kind: 'submit' }
  if (key === 'ArrowDown' || key === 'ArrowRight') return { kind: 'next-option' }
  if (key === 'ArrowUp' || key === 'ArrowLeft') return { kind: 'previous-option' }
  const letter = key.toLowerCase()
  if (shiftKey && letter === 'c') return { kind: 'cannot-tell' }
  if (shiftKey && letter === 'b') return { kind: 'bad-question' }
  const index = shiftKey ? null : optionOfKey(options, key)
  if (index !== null) return { kind: 'option', index }
  return commandOfLetter(letter)
}

/** How the key of a command is written beside it: with Shift where an option has its letter. */
export function commandKey(command: LetterCommand, options: readonly string[]): string {
  const letter = Object.entries(LETTERS).find(([, kind]) => kind === command)?.[0] ?? ''
  return isTaken(letter, options) ? `Shift+${letter.toUpperCase()}` : letter.toUpperCase()
}

/** J and K, with Shift where an option has one of them. */
export function moveKeys(options: readonly string[]): string {
  return Object.keys(MOVES)
    .map((letter) => (isTaken(letter, options) ? `Shift+${letter.toUpperCase()}` : letter.toUpperCase()))
    .join(' / ')
}

function isTaken(letter: string, options: readonly string[]): boolean {
  return optionKeys(options).includes(letter)
}

function commandOfLetter(letter: string): Command | null {
  for (const [own, kind] of [...Object.entries(LETTERS), ...Object.entries(MOVES)]) {
    if (own === letter) return { kind }
  }
  return null
}
