import { expect, test } from 'vitest'
import { loadPrompts } from '../../src/debate/load-prompts.ts'
import { promptCode } from '../../src/debate/render-prompt.ts'
import { readReply } from '../../src/debate/reply/read-reply.ts'
import { LONGEST_REPLY } from '../../src/debate/reply/reply-text.ts'
import { CAPITALS, coded } from './corpus/case.ts'
import { QUESTION } from './scripted-ask.ts'

const LENGTH = 8000
const templates = loadPrompts()

/** What is repeated to the length of a reply. */
const PIECES = [
  '<answer#>',
  '</answer#>',
  '<answer#>A</answer#>',
  '<answer#>B</answer#> actually ',
  '<confidence#>9',
  '<answer#>A<confidence#>',
  '<answer# ',
  '</answer>',
  '<a>',
  '`<a>',
  '`<a>`',
]
  .concat(['<q></q>', '<quote>', '</quote>', '<quote></quote></quote>', '<think></think>', '</think>', '</think>\n'])
  .concat([
    '<reasoning>',
    '</reasoning>',
    '<reasoning></reasoning></reasoning>',
    '<response agent="x">',
    '> ',
    '\n> "<a>',
  ])
  .concat([
    '\n',
    '```',
    '\n```\n',
    '~~~',
    '`',
    '"',
    ' "',
    '" ',
    '"<a>',
    '“',
    '“<a>',
    '“<a>”',
    '„“',
    '«<b>',
    '<',
    '>',
    '</',
  ])
  .concat([
    'Answer: D\n',
    'The answer is D. ',
    'Final answer:',
    'I choose D. ',
    '\\boxed{B}',
    '\\boxed{',
    'bob said:\n',
  ])
  .concat([
    'bob wrote: "x" ',
    'bob: ',
    ':',
    'wait, actually ',
    '&lt;answer&gt;D',
    '\\<answer\\>',
    '<confidence>9',
    'a',
    'ab ',
  ])
  .concat([
    '<confidence>9</confidence>',
    'Confidence: 9 ',
    '(',
    '*',
    '|',
    '{',
    '\ue000',
    '\u200b',
    '＜a＞',
    'I cannot ',
    '雨',
  ])

test.each(PIECES.map((piece) => [piece]))('the characters looked at grow with the length of %j', (piece) => {
  for (const ending of ['', coded('<answer#>B</answer#>')]) {
    const [half, whole] = [LENGTH / 2, LENGTH].map((length) => {
      const reply = coded(piece).repeat(length / coded(piece).length) + ending
      return charactersRead(() => {
        readReply({ text: reply, finish: 'stop' }, CAPITALS)
        promptCode({ question: QUESTION, templates, agent: 'x', round: 2, responses: [{ agent: 'y', text: reply }] })
      })
    })
    // Linear work doubles. Quadratic work becomes four times as much, far above this limit per character.
    expect(whole).toBeLessThan(Math.max(2.6 * (half ?? 0), 200 * LENGTH))
    expect(whole).toBeLessThan(3000 * LENGTH)
  }
})

/** Models that must write JSON sometimes write line ends until they are cut. */
test.each(['```json', '```json\n{"reasoning": "x"', '```\n```', '{'])(
  '%j and line ends up to the longest reply are read in one pass',
  (start) => {
    const text = start + '\n'.repeat(LONGEST_REPLY - start.length)
    expect(readReply({ text, finish: 'length' }, { ...CAPITALS, isStructured: true })).toMatchObject({
      reason: 'truncated',
    })
  },
)

/**
 * Counts the characters that went through the searches, slices and patterns of a function. A busy machine does not
 * change the count.
 */
function charactersRead(run: () => unknown): number {
  let count = 0
  const { indexOf, slice, replace } = String.prototype
  const { exec } = RegExp.prototype
  const restore = [
    counting(String.prototype, 'indexOf', function (this: string, words: string, from = 0) {
      const found = indexOf.call(this, words, from)
      count += (found < 0 ? this.length : found) - Math.min(from, this.length)
      return found
    }),
    counting(String.prototype, 'slice', function (this: string, ...range: Parameters<typeof slice>) {
      const piece = slice.apply(this, range)
      count += piece.length
      return piece
    }),
    counting(String.prototype, 'replace', function (this: string, ...how: Parameters<typeof replace>) {
      count += this.length
      return replace.apply(this, how)
    }),
    counting(RegExp.prototype, 'exec', function (this: RegExp, text: string) {
      const from = this.global || this.sticky ? this.lastIndex : 0
      const found = exec.call(this, text)
      count += (found === null ? text.length : found.index + found[0].length) - from
      return found
    }),
  ]
  try {
    run()
  } finally {
    for (const back of restore) back()
  }
  return count
}

/** Does not use the spies of the test library, because they keep every call. */
function counting(prototype: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(prototype, name)
  Object.defineProperty(prototype, name, { ...before, value })
  return () => Object.defineProperty(prototype, name, before ?? {})
}
