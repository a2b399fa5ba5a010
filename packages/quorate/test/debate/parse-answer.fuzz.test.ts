import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadPrompts } from '../../src/debate/load-prompts.ts'
import { parseAnswer } from '../../src/debate/parse-answer.ts'
import { renderPrompt } from '../../src/debate/render-prompt.ts'
import { CAPITALS } from './corpus/case.ts'

const RUNS = { numRuns: 400, seed: 20260729 }

/** Pieces that steer a parser, good and bad. */
const PIECES = [
  '<answer>',
  '</answer>',
  '<answer>A</answer>',
  '<answer>D</answer>',
  'Answer: D',
  '\n',
  '\n\n',
  '> ',
  '```',
]
  .concat(['~~~', '`', '<quote>', '</quote>', '<response agent="x">', '</response>', '<reasoning>', '</reasoning>'])
  .concat(['<think>', '</think>', '<confidence>', '9', 'D', '(D)', 'The answer is D.', 'Final answer:', 'I choose D'])
  .concat([
    'Agent bob said:',
    'wait, actually',
    '&lt;answer&gt;D',
    '\\<answer\\>',
    '\u2028',
    '\r',
    '\u200b',
    '\ue000',
    '"',
  ])
  .concat(['<', '>', '</', '<b', '|', '{', '**', '\\boxed{', 'I cannot', 'А', 'В', ' ', '.', 'bob', '\ud800'])
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 40 })
  .map((pieces) => pieces.join(''))

/** Replies whose own answer can be read, and whose words around it say nothing else. */
const own = fc
  .record({
    option: fc.constantFrom('A', 'B', 'C', 'D'),
    form: fc.constantFrom(
      (name: string) => `<reasoning>It follows.</reasoning><answer>${name}</answer>`,
      (name: string) => `<answer>${name.toLowerCase()}</answer>`,
      (name: string) => `<ANSWER> (${name}) </ANSWER>`,
      (name: string) => `<answer>**${name}**</answer>`,
      (name: string) => `It follows.\n\nFinal answer: ${name}`,
      (name: string) => `**Answer:** (${name})`,
      (name: string) => `It follows.\n\n<answer>Option ${name}.</answer>`,
    ),
  })
  .map(({ option, form }) => ({ option, text: form(option) }))

const templates = loadPrompts('vote')
const question = { id: 'q', question: 'Which?', options: CAPITALS.options, gold: null, group: null }

/** How agents quote another reply in full. */
const QUOTING: Readonly<Record<string, (text: string) => string>> = {
  'a block quote': (text) =>
    text
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  'a code fence': (text) => fenced(text, '`'),
  'a fence of tildes': (text) => fenced(text, '~'),
  'a quote element': (text) => `<quote>${text.replaceAll('quote', 'q_')}</quote>`,
  'a response element': (text) => `<response agent="bob">\n${text.replaceAll('response', 'r_')}\n</response>`,
  'the whole prompt that it was sent': (text) => {
    const responses = [{ agent: 'bob', text }]
    return renderPrompt({ question, templates, agent: 'alice', round: 2, responses })[0]?.content ?? ''
  },
}

describe.each(Object.entries(QUOTING))('another reply quoted as %s', (_, quoted) => {
  test('never changes what is read, before or after', () => {
    fc.assert(
      fc.property(own, hostile, fc.boolean(), ({ option, text }, other, isBefore) => {
        const reply = isBefore ? `${quoted(other)}\n\n${text}` : `${text}\n\n${quoted(other)}`
        expect(read(reply), JSON.stringify(reply)).toBe(option)
      }),
      RUNS,
    )
  })

  test('is never read itself', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom('They wrote:', 'Hm.', 'I have read this.'), (other, words) => {
        const reply = `${words}\n\n${quoted(other)}\n\n${words}`
        expect(read(reply), JSON.stringify(reply)).toBeNull()
      }),
      RUNS,
    )
  })
})

test('a reply in the form that was asked for, told after the name of another agent, is never read', () => {
  const form = fc.constantFrom(...['Agent bob said:', 'bob:', '**carol**:', '### Agent bob\n', "bob's answer:"])
  fc.assert(
    fc.property(own, form, fc.constantFrom('A', 'B', 'C', 'D'), ({ option, text }, header, other) => {
      const reply = `${header} <reasoning>No.</reasoning><answer>${other}</answer>\n\nMine.\n\n${text}`
      const isInWords = !/<answer>/iu.test(text)
      expect([option, ...(isInWords ? [null] : [])], JSON.stringify(reply)).toContain(read(reply))
    }),
    RUNS,
  )
})

test('noise around an answer does not change it', () => {
  const words = fc.constantFrom(
    'rain',
    'the',
    'Perhaps',
    'river',
    '42',
    'so',
    'very',
    'élan',
    '雨',
    '🙂',
    '\u200b',
    '—',
  )
  const noise = fc.array(words, { maxLength: 30 }).map((list) => `${list.join(' ')}.`)
  fc.assert(
    fc.property(own, noise, noise, ({ option, text }, before, after) => {
      expect(read(`${before}\n\n${text}\n\n${after}`)).toBe(option)
    }),
    RUNS,
  )
})

test('nothing makes it throw or answer with something that is no option', () => {
  const options = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 6,
  })
  const finish = fc.constantFrom('stop', 'length', 'refusal', 'other' as const)
  fc.assert(
    fc.property(hostile, options, finish, (text, names, end) => {
      const context = { options: names.map((name) => ({ name, text: `${name}?` })), finish: end, others: names }
      const parsed = parseAnswer(text, context)
      if (parsed.kind === 'answer') expect(names).toContain(parsed.option)
      const confidence = parsed.kind === 'answer' ? (parsed.confidence ?? 0) : 0
      expect(confidence >= 0 && confidence <= 1).toBe(true)
    }),
    { ...RUNS, numRuns: 2000 },
  )
})

function read(text: string): string | null {
  const parsed = parseAnswer(text, CAPITALS)
  return parsed.kind === 'answer' ? parsed.option : null
}

function fenced(text: string, mark: string): string {
  const runs = text.split(new RegExp(`[^${mark}]`, 'u')).map((run) => run.length)
  const fence = mark.repeat(Math.max(2, ...runs) + 1)
  return `${fence}\n${text}\n${fence}`
}
