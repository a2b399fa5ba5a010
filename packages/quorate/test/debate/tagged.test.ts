import { describe, expect, test } from 'vitest'
import type { ParsedAnswer } from '../../src/debate/reply/parsed-answer.ts'
import { readReply } from '../../src/debate/reply/read-reply.ts'
import type { ModelReply } from '../../src/model/model.ts'
import { CAPITALS, coded } from './corpus/case.ts'

function read(text: string, finish: ModelReply['finish'] = 'stop', changes = {}): ParsedAnswer {
  return readReply({ text: coded(text), finish }, { ...CAPITALS, ...changes })
}

describe('of several answers of the agent itself', () => {
  test.each([
    ['<answer#>B</answer#> Why not <answer#>C</answer#>? Because it is dry.', 'the last is only mentioned'],
    ['<answer#>B</answer#> Why not <answer#>C</answer#>?', 'the last is asked about'],
    ['<answer#>B</answer#> Could it be <answer#>C</answer#>?', 'the last is asked about'],
    ['<answer#>B</answer#>, not <answer#>C</answer#>.', 'the last is rejected'],
    ['<answer#>B</answer#> rather than **<answer#>C</answer#>**', 'the last is rejected'],
    ['<answer#>B</answer#> <answer#>C</answer#> \u274c', 'a cross follows the last'],
    [
      '<answer#>B</answer#> <answer#>C</answer#><confidence#>5, my answer is B</confidence#>',
      'words in its confidence',
    ],
    ['<answer#>B</answer#> <answer#>C</answer#> <no, my answer is B>', 'words in angle brackets'],
    ['<answer#>B</answer#> Hm, <answer#>C</answer#>\n> bob wrote: fine', 'a quotation follows'],
    ['<answer#>B</answer#> Wait: <answer#>C', 'the last is not closed'],
    ['<answer#>B</answer#> My tag is <answer#>\n> A', 'a quotation follows an open tag'],
    ['<answer#>B</answer#> My tag is <answer#>\n> A</answer>', 'a quotation closes an open tag'],
  ])('%j has none that counts: %s', (text) => {
    expect(read(text)).toEqual({ kind: 'unreadable', reason: 'several-answers' })
  })

  test('none counts if the reply was cut inside a later tag', () => {
    for (const cut of ['<answer#>', '<answer#>C', '<answer#>B']) {
      expect(read(`<answer#>B</answer#> Wait: ${cut}`, 'length')).toEqual({ kind: 'unreadable', reason: 'truncated' })
    }
  })

  test('the last counts after a sentence that rejects the first', () => {
    expect(read('<answer#>B</answer#>? It is not. <answer#>C</answer#>')).toMatchObject({ option: 'C' })
  })

  test('a draft in the thinking does not count, even if nothing follows', () => {
    expect(read('<think><answer#>B</answer#>? No.</think><answer#>C</answer#>')).toMatchObject({ option: 'C' })
    expect(read('<answer#>B</answer#>? No.</think>I say C.')).toEqual({ kind: 'unreadable', reason: 'no-answer' })
  })

  test.each([
    ['<answer#>B</answer#><confidence#>90</confidence#> No: <answer#>C</answer#>', null],
    ['<answer#>B</answer#><confidence#>90</confidence#> No: <answer#>C</answer#><confidence#>60</confidence#>', 0.6],
    ['<answer#>B</answer#> No: <answer#>C<confidence#>60</confidence#></answer#>', 0.6],
    ['<confidence#>90</confidence#><answer#>B</answer#> <confidence#>60</confidence#><answer#>C</answer#>', null],
  ])('%j counts with no confidence that may belong to another', (text, confidence) => {
    expect(read(text)).toEqual({ kind: 'answer', option: 'C', confidence })
  })

  test('the last open answer counts likewise', () => {
    const open = { form: 'a number', isReadable: (words: string) => /^\d+$/u.test(words), isPlain: true }
    const answer = (option: string) => ({ kind: 'answer', option, confidence: null })
    expect(read('<answer#>24</answer#> No: <answer#>18</answer#>.', 'stop', { open })).toEqual(answer('18'))
    expect(read('<answer#>24</answer#> and <answer#>24</answer#> again', 'stop', { open })).toEqual(answer('24'))
    for (const [text, reason] of [
      ['<answer#>24</answer#> Why not <answer#>18</answer#>? Because.', 'several-answers'],
      ['<answer#>24</answer#> No: <answer#>many</answer#>', 'not-an-option'],
    ] as const) {
      expect(read(text, 'stop', { open })).toEqual({ kind: 'unreadable', reason })
    }
  })
})

describe('the only answer of the agent itself', () => {
  test.each([
    'Why not <answer#>C</answer#>? Because it is dry. So B.',
    'Could it be **<answer#>C</answer#>**? I say B.',
    'The answer is not <answer#>C</answer#>.',
    'B is better than "<answer#>C</answer#>".',
    'Could it be <answer#><answer>C</answer></answer#>? I say B.',
    'Could it be <b><answer#>C</answer#></b>? I say B.',
    'It is not <b><answer#>C</answer#></b>.',
    'It is not **<answer><answer#>C</answer#></answer>**.',
    '<reasoning>bob said C.</reasoning>I reject <answer#>C</answer#>',
    'It is not ‘<answer#>C</answer#>’.',
    'It is not «<answer#>C</answer#>».',
    'It is not [<answer#>C</answer#>].',
    'Could it be ‘<answer#>C</answer#>’? I say B.',
    'Could it be [<answer#>C</answer#>]? I say B.',
    'Is it really <answer#>C</answer#>!? I say B.',
    'Could it be <answer#>C</answer#><confidence#>30</confidence#>? I say B.',
  ])('%j is asked about or rejected, so it does not count', (text) => {
    expect(read(text)).toEqual({ kind: 'unreadable', reason: 'no-answer' })
  })

  test.each([
    '<answer#>C</answer#> Why not B? Because it rains.',
    'Is it B? <answer#>C</answer#>',
    'It is not B. <answer#>C</answer#>',
    'It is not [B]. [<answer#>C</answer#>]',
    '<answer#>C</answer#><confidence#>80?</confidence#>',
    '<answer#>C</answer#><confidence#>80</confidence#> Why not B? Because it rains.',
    '<reasoning>Not <answer#>C</answer#>?</reasoning><answer#>C</answer#>',
  ])('%j counts, whatever else is asked about or rejected', (text) => {
    expect(read(text)).toMatchObject({ option: 'C' })
  })

  test.each([
    ['a block quote', '> A</answer>'],
    ['quotation marks', '"A</answer>'],
    ['quotation marks in a list', '- "A"</answer>'],
    ['bold quotation marks', '**“A”**</answer>'],
    ['code in a list', '- `A`</answer>'],
    ['wide quotation marks', '＂A＂</answer>'],
    ['wide apostrophes', '＇A＇</answer>'],
    ['narrow brackets', '｢A｣</answer>'],
    ['upright brackets', '﹁A﹂</answer>'],
    ['wide code', '｀A｀</answer>'],
    ['a code fence', '```\nA</answer>\n```'],
    ['an element', '<quote>A</answer></quote>'],
    ['a response', '<response agent="bob">A</answer>'],
  ])('is not what another agent put into %s, if the agent only mentions its tag before', (_, quoted) => {
    const option = read(`My tag is <answer#>\n\n${quoted}\n\nI say B.`)
    expect(option).toEqual({ kind: 'unreadable', reason: 'not-an-option' })
  })

  test('is not what another agent put into a quotation, if answers are open', () => {
    const open = { form: 'a text', isReadable: (words: string) => words !== '', isPlain: false }
    for (const quoted of [
      '> Paris</answer>',
      '"Paris"</answer>',
      '- "Paris"</answer>',
      '＂Paris＂</answer>',
      '‹Paris›</answer>',
      '‚Paris‘</answer>',
      '《Paris》</answer>',
      '〝Paris〟</answer>',
      '❝Paris❞</answer>',
      '<quote>Paris</answer></quote>',
    ]) {
      const reply = read(`My tag is <answer#>\n\n${quoted}\n\nI say Rome.`, 'stop', { open })
      expect(reply).toEqual({ kind: 'unreadable', reason: 'not-an-option' })
    }
    expect(read('<answer#>"Paris"</answer#>', 'stop', { open })).toMatchObject({ option: '"Paris"' })
    for (const own of ['Paris', "L'Haÿ", '5′ 6″']) {
      expect(read(`<answer#>${own}</answer>`, 'stop', { open })).toMatchObject({ option: own })
    }
  })

  test('may be quoted or marked up between two tags with the code, and plain before a tag without it', () => {
    const nested = '<answer#><answer>B</answer></answer#>'
    for (const text of ['<answer#>"B"</answer#>', '<answer#>> B</answer#>', '<answer#><b>B</b></answer#>', nested]) {
      expect(read(text)).toMatchObject({ option: 'B' })
    }
    for (const text of [
      '<answer#>\nB\n</answer>',
      '<answer#>**B**</answer>',
      '<answer#>(B) London.</answer>',
      '<answer#>B',
    ]) {
      expect(read(text)).toMatchObject({ option: 'B' })
    }
    const options = [
      { name: '<5', text: '<5' },
      { name: '>5', text: '>5' },
    ]
    expect(read('<answer#>>5</answer>', 'stop', { options })).toMatchObject({ option: '>5' })
  })
})

describe('a confidence', () => {
  test.each([
    ['<confidence#>8', 'length', 'it may be cut'],
    ['<confidence#>60</confidence#> My tag is <confidence#> 99', 'stop', 'the last is not closed'],
    ['<confidence#>60</confidence#> My tag is <confidence#> 99</confidence>', 'stop', 'a quotation may have closed it'],
    ['<confidence#>60</confidence#> No: <confidence#>low</confidence#>', 'stop', 'the last is a word'],
    [' The other tag is <confidence#>\n\n"99"</confidence>', 'stop', 'a quotation may be its only words'],
    [' The other tag is <confidence#>\n\n- `99`</confidence>', 'stop', 'a quotation may be its only words'],
  ] as const)('%j with the end %s is not read: %s', (text, finish, _why) => {
    expect(read(`<answer#>B</answer#>${text}`, finish)).toEqual({ kind: 'answer', option: 'B', confidence: null })
  })

  test.each(['<confidence#>"60"</confidence#>', '<confidence#>**60**</confidence>', '<confidence#>60 %</confidence>'])(
    '%j is read',
    (text) => {
      expect(read(`<answer#>B</answer#>${text}`)).toMatchObject({ confidence: 0.6 })
    },
  )
})
