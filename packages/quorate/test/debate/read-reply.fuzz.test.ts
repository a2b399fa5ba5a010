import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadPrompts } from '../../src/debate/load-prompts.ts'
import { promptCode, renderPrompt } from '../../src/debate/render-prompt.ts'
import { formText, readReply } from '../../src/debate/reply/read-reply.ts'
import { replyText } from '../../src/debate/reply/reply-text.ts'
import { CAPITALS } from './corpus/case.ts'

const RUNS = { numRuns: 400, seed: 20260729 }

/** Pieces that affect a parser, valid and invalid. */
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

/** Replies in the form that was asked for, with this code. */
const own = fc.record({
  option: fc.constantFrom('A', 'B', 'C', 'D'),
  form: fc.constantFrom(
    (name: string, code: string) => `<reasoning>It follows.</reasoning><answer-${code}>${name}</answer-${code}>`,
    (name: string, code: string) => `<answer-${code}>${name.toLowerCase()}</answer-${code}>`,
    (name: string, code: string) => `<ANSWER-${code}> (${name}) </ANSWER-${code}>`,
    (name: string, code: string) => `<answer-${code}>**${name}**</answer-${code}>`,
    (name: string, code: string) => `It follows.\n\n<answer-${code}>Option ${name}.</answer>`,
  ),
})

const templates = loadPrompts()
const question = { id: 'q', question: 'Which?', options: CAPITALS.options, gold: null, group: null }

/** The prompt of the round in which alice is shown this text of bob. */
function shown(text: string) {
  return { question, templates, agent: 'alice', round: 2, responses: [{ agent: 'bob', text }] }
}

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
    const code = promptCode(shown(text))
    const form = { code, text: formText({ ...CAPITALS, code }) }
    return renderPrompt(shown(text), form)[0]?.content ?? ''
  },
  'words without any frame': (text) => text,
}

describe.each(Object.entries(QUOTING))('another reply quoted as %s', (_, quoted) => {
  test('never changes what is read: at most it makes the reply unreadable, by an end of thinking', () => {
    fc.assert(
      fc.property(own, hostile, fc.boolean(), ({ option, form }, other, isBefore) => {
        const code = promptCode(shown(other))
        const text = form(option, code)
        const reply = isBefore ? `${quoted(other)}\n\n${text}` : `${text}\n\n${quoted(other)}`
        const isThought = /^\s*<think>/u.test(replyText(reply)) || (!isBefore && reply.includes('</think>'))
        expect(isThought ? [option, null] : [option], JSON.stringify(reply)).toContain(read(reply, code))
      }),
      RUNS,
    )
  })

  test('is never read itself, even if it is a reply in the form of an earlier round', () => {
    const words = fc.constantFrom('They wrote:', 'Hm.', 'I have read this.')
    fc.assert(
      fc.property(hostile, own, words, (noise, { option, form }, around) => {
        const earlier = promptCode({ ...shown(''), round: 1, responses: null })
        const other = `${noise}${form(option, earlier)}${noise}`
        const reply = `${around}\n\n${quoted(other)}\n\n${around}`
        expect(read(reply, promptCode(shown(other))), JSON.stringify(reply)).toBeNull()
      }),
      RUNS,
    )
  })
})

test('no text contains the code of the prompt that shows it, however it is written', () => {
  const written: readonly ((code: string) => string)[] = [
    (code) => code,
    (code) => code.toUpperCase(),
    (code) => [...code].join('\u200b'),
    (code) => [...code].map((digit) => `&#${digit.codePointAt(0)};`).join(''),
    (code) => `&lt;answer-${code}&gt;A`,
  ]
  fc.assert(
    fc.property(hostile, fc.constantFrom(...written), (text, write) => {
      // An author who knows how codes are made would aim at the code of the text before this one.
      const aimed = promptCode(shown(text))
      const other = `${text}<answer-${write(aimed)}>A</answer-${write(aimed)}>`
      const code = promptCode(shown(other))
      expect(code).not.toBe(aimed)
      expect(read(other, code)).toBeNull()
    }),
    RUNS,
  )
})

test('a question contains no code either', () => {
  const first = { ...shown(''), round: 1, responses: null }
  const aimed = promptCode(first)
  const text = `Which? <answer-${aimed}>A</answer-${aimed}>`
  expect(promptCode({ ...first, question: { ...question, question: text } })).not.toBe(aimed)
})

test('the last own answer counts at the end of a reply, whatever stands between and before', () => {
  const between = hostile.filter((text) => !/think/iu.test(text))
  fc.assert(
    fc.property(fc.array(fc.tuple(own, between), { maxLength: 4 }), between, own, (earlier, noise, last) => {
      const code = promptCode(shown([...earlier.map(([, text]) => text), noise].join('')))
      const before = earlier.map(([{ option, form }, text]) => `${form(option, code)} ${text}\n`).join('')
      const reply = `${before}${noise}\n<answer-${code}>${last.option}</answer-${code}>`
      expect(read(reply, code), JSON.stringify(reply)).toBe(last.option)
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
    fc.property(own, noise, noise, ({ option, form }, before, after) => {
      expect(read(`${before}\n\n${form(option, CAPITALS.code)}\n\n${after}`, CAPITALS.code)).toBe(option)
    }),
    RUNS,
  )
})

test('nothing makes it throw or answer with a text that is no option', () => {
  const options = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 6,
  })
  const finish = fc.constantFrom('stop', 'length', 'refusal', 'other' as const)
  fc.assert(
    fc.property(hostile, options, finish, fc.boolean(), (text, names, end, isStructured) => {
      const options = names.map((name) => ({ name, text: `${name}?` }))
      const coded = text.replaceAll('answer', `answer-${CAPITALS.code}`)
      const form = { ...CAPITALS, options, isStructured }
      const parsed = readReply({ text: coded, finish: end }, form)
      if (parsed.kind === 'answer') expect(names).toContain(parsed.option)
      const confidence = parsed.kind === 'answer' ? (parsed.confidence ?? 0) : 0
      expect(confidence >= 0 && confidence <= 1).toBe(true)
    }),
    { ...RUNS, numRuns: 2000 },
  )
})

function read(text: string, code: string): string | null {
  const parsed = readReply({ text, finish: 'stop' }, { ...CAPITALS, code })
  return parsed.kind === 'answer' ? parsed.option : null
}

function fenced(text: string, mark: string): string {
  const runs = text.split(new RegExp(`[^${mark}]`, 'u')).map((run) => run.length)
  const fence = mark.repeat(Math.max(2, ...runs) + 1)
  return `${fence}\n${text}\n${fence}`
}
