import { withoutMarks } from './reply-text.ts'

/** One line as it stands: invisible characters gone, white space single. */
export function plainForm(text: string): string {
  return withoutMarks(text).normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** The same without case and without compatibility forms: full-width, circled and mathematical letters become plain. */
export function foldedForm(text: string): string {
  return plainForm(text.normalize('NFKC'))
    .replace(/[−‐‑‒–—]/gu, '-')
    .replace(/[‘’ʼ]/gu, "'")
    .replace(/[“”]/gu, '"')
    .toLowerCase()
}

/** The folded form with Cyrillic and Greek letters replaced by the Latin ones that they look like. */
export function skeletonForm(text: string): string {
  return foldedForm(text.normalize('NFKC').replace(LOOK_ALIKE, (letter) => LATIN.get(letter) ?? letter))
}

/** After Unicode's confusables (UTS 39): only pairs that are the same shape in common fonts. */
const SHAPES: readonly (readonly [string, string])[] = [
  ['АВЕЅЗІЈКМНОРСТУХԌԚԜ', 'ABES3IJKMHOPCTYXGQW'],
  ['аеѕіјорсухԁԛԝһ', 'aesijopcyxdqwh'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['αορν', 'aopv'],
]
const LATIN: ReadonlyMap<string, string> = new Map(
  SHAPES.flatMap(([foreign, latin]) => [...foreign].map((letter, index) => [letter, [...latin][index] ?? ''] as const)),
)
const LOOK_ALIKE = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'gu')
