import { describe, expect, test } from 'vitest'
import { parseDebate, parseDebates } from '../../src/beliefs/parse-debate.ts'
import { CertificateError } from '../../src/certificate-error.ts'

const turn = (fields: object = {}) => ({ agent: 'x', answer: 'A', ...fields })
const debate = (fields: object = {}) => ({ id: 'q', options: ['A', 'B'], rounds: [[turn()]], ...fields })
const withTurn = (fields: object) => debate({ rounds: [[turn(fields)]] })

/** The place and expectation of the error, or the result if there is no error. */
function refusalOf(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    return [error.parameter, error.expected, error.received]
  }
}

describe('a valid debate', () => {
  test('keeps names, order, label and votes, and ignores fields it does not know', () => {
    const record = parseDebate({
      quorate: 1,
      id: 'q1',
      group: 'law',
      options: ['B', 'A', 'C'],
      gold: 'C',
      stop_round: 0,
      rounds: [
        [
          { agent: 'x', answer: 'A', beliefs: { A: 0.8, B: 0.1, C: 0.1 }, text: 'because', conf: { logit: 0.1 } },
          { agent: 'y', answer: null, beliefs: { C: 0.75, B: 0.25 } },
        ],
        [{ agent: 'z', answer: null }],
      ],
    })
    expect(record).toEqual({
      id: 'q1',
      questionOf: null,
      group: 'law',
      options: ['B', 'A', 'C'],
      gold: 2,
      truth: { kind: 'options', options: [2] },
      audits: null,
      isFailed: false,
      ended: null,
      rounds: [
        {
          agents: ['x', 'y'],
          beliefs: Float64Array.of(0.1, 0.8, 0.1, 0.25, 0, 0.75),
          votes: Int16Array.of(1, 2),
        },
        { agents: ['z'], beliefs: Float64Array.of(1 / 3, 1 / 3, 1 / 3), votes: Int16Array.of(-1) },
      ],
      turns: { answered: 2, missing: 0, renormalised: 0 },
      firstMissing: 0,
    })
  })

  test('without group and gold, or with both null, has neither', () => {
    const bare = parseDebate(debate())
    expect([bare.group, bare.gold]).toEqual([null, null])
    expect(parseDebate(debate({ group: null, gold: null }))).toEqual(bare)
    expect(parseDebate(debate({ group: '' })).group).toBe('')
  })

  test('names the question that it is a run of, or none', () => {
    expect(parseDebate(debate({ question_of: 'q1' })).questionOf).toBe('q1')
    expect(parseDebate(debate({ question_of: null })).questionOf).toBeNull()
    expect(parseDebate(debate()).questionOf).toBeNull()
    for (const question_of of ['', 7, {}, ['q'], true]) {
      expect(() => parseDebate(debate({ question_of }))).toThrow('debate.question_of must be a non-empty string')
    }
  })

  test('has failed when an object says so, whatever is in it', () => {
    expect(parseDebate(debate({ failure: null }))).toEqual(parseDebate(debate()))
    for (const failure of [{}, { agent: 'x', round: 2 }, { reason: 'late' }]) {
      expect(parseDebate(debate({ failure }))).toEqual({ ...parseDebate(debate()), isFailed: true })
    }
  })

  test('orders the options of an object by code point, not by locale, number or UTF-16 unit', () => {
    const options = { '9': '', '10': '', b: '', B: '', '\u{1F600}': '', '\uFF21': '', A: '' }
    expect(parseDebate(debate({ options })).options).toEqual(['10', '9', 'A', 'B', 'b', '\uFF21', '\u{1F600}'])
  })

  test('may have one option, 64 agents with 64 options over 16 rounds, and 64 rounds', () => {
    expect(parseDebate(debate({ options: ['A'] })).rounds[0]?.beliefs).toEqual(Float64Array.of(1))
    const options = Array.from({ length: 64 }, (_, index) => `option ${index}`)
    const round = options.map((answer) => ({ agent: `agent of ${answer}`, answer, conf: { verbal: 0.5 } }))
    const large = parseDebate({ id: 'large', options, rounds: Array.from({ length: 16 }, () => round) })
    expect(large.rounds).toHaveLength(16)
    expect(large.rounds[15]?.beliefs).toHaveLength(64 * 64)
    expect([...(large.rounds[15]?.votes ?? [])]).toEqual(options.map((_, index) => index))
    const long = debate({ rounds: Array.from({ length: 64 }, () => [turn()]) })
    expect(parseDebate(long).rounds).toHaveLength(64)
  })

  test('is not changed by being read', () => {
    const input = withTurn({ beliefs: { A: 0.5, B: 0.5000001 } })
    const before = JSON.stringify(input)
    parseDebate(input)
    expect(JSON.stringify(input)).toBe(before)
  })

  test.each([
    [{ A: 0.5, B: 0.5000009 }, 0],
    [{ A: 0.5, B: 0.49 }, 1],
    [{ A: 0.33, B: 0.66 }, 1],
    [{ A: 0.5, B: 0.51 }, 1],
    [{ A: 0.5, B: 0.500002 }, 1],
  ])('scales beliefs with a sum within .01 of 1, and counts them beyond 1e-6: %o', (given, renormalised) => {
    const { rounds, turns } = parseDebate(withTurn({ beliefs: given }))
    const [a = 0, b = 0] = rounds[0]!.beliefs
    expect(a + b).toBeCloseTo(1, 15)
    expect(b / a).toBeCloseTo(given.B / given.A, 12)
    expect(turns.renormalised).toBe(renormalised)
  })

  test('has the same bits whatever the order of the keys of its beliefs', () => {
    const options = ['A', 'B', 'C']
    const read = (beliefs: object) =>
      parseDebate({ id: 'q', options, rounds: [[turn({ beliefs })]] }).rounds[0]!.beliefs
    expect(read({ C: 0.1, B: 0.2, A: 0.7 })).toEqual(read({ A: 0.7, B: 0.2, C: 0.1 }))
  })

  test('has no negative zero', () => {
    const { beliefs } = parseDebate(withTurn({ beliefs: { A: 1, B: -0 } })).rounds[0]!
    expect(Object.is(beliefs[1], 0)).toBe(true)
  })
})

describe('names of the language', () => {
  const input: unknown = JSON.parse(`{
    "id": "__proto__", "group": "__proto__", "gold": "__proto__",
    "options": {"__proto__": "one", "constructor": "two", "toString": "three"},
    "rounds": [[
      {"agent": "__proto__", "answer": "toString", "beliefs": {"toString": 1}},
      {"agent": "constructor", "answer": null, "beliefs": {"__proto__": 0.5, "constructor": 0.2, "toString": 0.3}},
      {"agent": "toString", "answer": null, "samples": ["__proto__", "constructor"]}
    ]]
  }`)

  test('are legal for ids, groups, options and agents', () => {
    expect(parseDebate(input, { elicitation: 'given' })).toEqual({
      id: '__proto__',
      questionOf: null,
      group: '__proto__',
      options: ['__proto__', 'constructor', 'toString'],
      gold: 0,
      truth: { kind: 'options', options: [0] },
      audits: null,
      isFailed: false,
      ended: null,
      rounds: [
        {
          agents: ['__proto__', 'constructor', 'toString'],
          beliefs: Float64Array.of(0, 0, 1, 0.5, 0.2, 0.3, 1 / 3, 1 / 3, 1 / 3),
          votes: Int16Array.of(2, 0, -1),
        },
      ],
      turns: { answered: 2, missing: 0, renormalised: 0 },
      firstMissing: 0,
    })
  })

  test('are not options unless the question has them', () => {
    expect(refusalOf(() => parseDebate(withTurn({ answer: 'toString' })))).toEqual([
      'debate.rounds[0][0].answer',
      'null or one of "A", "B"',
      'toString',
    ])
    const beliefs: unknown = JSON.parse('{"A": 1, "__proto__": 0}')
    expect(refusalOf(() => parseDebate(withTurn({ beliefs })))).toEqual([
      'debate.rounds[0][0].beliefs.__proto__',
      'under the name of an option, one of "A", "B"',
      '__proto__',
    ])
  })

  test('are not inherited: a debate whose prototype has the fields has none of them', () => {
    expect(refusalOf(() => parseDebate(Object.create(debate())))).toEqual([
      'debate.id',
      'a non-empty string',
      undefined,
    ])
  })
})

describe('every refusal names its place', () => {
  const many = Array.from({ length: 501 }, (_, index) => `${index}`)
  const crowd = many.slice(0, 65).map((agent) => turn({ agent }))
  const notOption = 'one of "A", "B"'
  const cases: readonly (readonly [string, unknown, string, string, unknown?])[] = [
    ['null', null, 'debate', 'an object', null],
    ['a list', [], 'debate', 'an object'],
    ['text', 'debate', 'debate', 'an object'],
    ['version 2', debate({ quorate: 2 }), 'debate.quorate', '1, the only version of the format read here', 2],
    ['version null', debate({ quorate: null }), 'debate.quorate', '1, the only version of the format read here', null],
    ['version "1"', debate({ quorate: '1' }), 'debate.quorate', '1, the only version of the format read here', '1'],
    ['no id', debate({ id: undefined }), 'debate.id', 'a non-empty string', undefined],
    ['an empty id', debate({ id: '' }), 'debate.id', 'a non-empty string', ''],
    ['a number as id', debate({ id: 7 }), 'debate.id', 'a non-empty string', 7],
    ['a number as group', debate({ group: 7 }), 'debate.group', 'null or a string', 7],
    ['no options', debate({ options: undefined }), 'debate.options', 'an array of 1 to 500', undefined],
    ['options null', debate({ options: null }), 'debate.options', 'an array of 1 to 500', null],
    ['empty options', debate({ options: [] }), 'debate.options', 'an array of 1 to 500'],
    ['501 options', debate({ options: many }), 'debate.options', 'an array of 1 to 500'],
    ['empty option object', debate({ options: {} }), 'debate.options', 'an array or object of 1 to 500 options'],
    ['an empty option', debate({ options: ['A', ''] }), 'debate.options[1]', 'a non-empty string', ''],
    [
      'a sparse list of options',
      debate({ options: new Array(2) }),
      'debate.options[0]',
      'a non-empty string',
      undefined,
    ],
    [
      'an option under no name',
      debate({ options: { A: 't', '': 't' } }),
      'debate.options[""]',
      'under a non-empty name',
      '',
    ],
    ['an option without text', debate({ options: { A: null } }), 'debate.options.A', 'the text of the option', null],
    [
      'an option twice',
      debate({ options: ['A', 'B', 'A'] }),
      'debate.options[2]',
      'a unique name: debate.options[0] has the same',
      'A',
    ],
    ['an unknown gold', debate({ gold: 'C' }), 'debate.gold', notOption, 'C'],
    ['gold by position', debate({ gold: 0 }), 'debate.gold', notOption, 0],
    ['a failure in words', debate({ failure: 'late' }), 'debate.failure', 'an object', 'late'],
    ['a failure denied', debate({ failure: false }), 'debate.failure', 'an object', false],
    ['a list of failures', debate({ failure: [] }), 'debate.failure', 'an object'],
    ['no rounds', debate({ rounds: undefined }), 'debate.rounds', 'an array of 1 to 64', undefined],
    ['empty rounds', debate({ rounds: [] }), 'debate.rounds', 'an array of 1 to 64'],
    ['65 rounds', debate({ rounds: many.slice(0, 65).map(() => [turn()]) }), 'debate.rounds', 'an array of 1 to 64'],
    ['a round that is an object', debate({ rounds: [{ 0: turn() }] }), 'debate.rounds[0]', 'an array of 1 to 64'],
    ['an empty round', debate({ rounds: [[turn()], []] }), 'debate.rounds[1]', 'an array of 1 to 64'],
    ['a sparse list of rounds', debate({ rounds: new Array(3) }), 'debate.rounds[0]', 'an array of 1 to 64', undefined],
    ['65 agents', debate({ rounds: [crowd] }), 'debate.rounds[0]', 'an array of 1 to 64'],
    ['a turn null', debate({ rounds: [[turn(), null]] }), 'debate.rounds[0][1]', 'an object', null],
    ['a turn that is a list', debate({ rounds: [[[]]] }), 'debate.rounds[0][0]', 'an object'],
    ['a sparse round', debate({ rounds: [new Array(1)] }), 'debate.rounds[0][0]', 'an object', undefined],
    ['an empty agent', withTurn({ agent: '' }), 'debate.rounds[0][0].agent', 'a non-empty string', ''],
    [
      'an agent twice in a round',
      debate({ rounds: [[turn()], [turn(), turn({ agent: 'y' }), turn()]] }),
      'debate.rounds[1][2].agent',
      'a unique name: debate.rounds[1][0] has the same',
      'x',
    ],
    ['no answer', withTurn({ answer: undefined }), 'debate.rounds[0][0].answer', `null or ${notOption}`, undefined],
    ['an unknown answer', withTurn({ answer: 'C' }), 'debate.rounds[0][0].answer', `null or ${notOption}`, 'C'],
    ['beliefs by position', withTurn({ beliefs: [0.5, 0.5] }), 'debate.rounds[0][0].beliefs', 'an object'],
    [
      'belief in an unknown option',
      withTurn({ beliefs: { A: 1, Z: 0 } }),
      'debate.rounds[0][0].beliefs.Z',
      `under the name of an option, ${notOption}`,
      'Z',
    ],
    ...[Number.NaN, Infinity, -0.1, '1', null, undefined, true, 1n].map(
      (belief) =>
        [
          `a belief of ${typeof belief} ${String(belief)}`,
          withTurn({ beliefs: { A: belief } }),
          'debate.rounds[0][0].beliefs.A',
          'a finite number of at least 0',
          belief,
        ] as const,
    ),
    ...[{}, { A: 0.5 }, { A: 0.6, B: 0.4100011 }, { A: 0.6, B: 0.3899989 }, { A: 1e308, B: 1e308 }].map(
      (beliefs) =>
        [
          `beliefs ${JSON.stringify(beliefs)}`,
          withTurn({ beliefs }),
          'debate.rounds[0][0].beliefs',
          'probabilities with a sum within 0.01 of 1',
          Object.values(beliefs).reduce((sum, belief) => sum + belief, 0),
        ] as const,
    ),
    ['confidence as a number', withTurn({ conf: 0.9 }), 'debate.rounds[0][0].conf', 'an object', 0.9],
    ['confidence as a list', withTurn({ conf: [] }), 'debate.rounds[0][0].conf', 'an object'],
    ...[-0.01, 1.01, 90, Number.NaN, Infinity, '0.9', true].map(
      (verbal) =>
        [
          `stated ${typeof verbal} ${String(verbal)}`,
          withTurn({ conf: { verbal } }),
          'debate.rounds[0][0].conf.verbal',
          'null or in [0, 1]',
          verbal,
        ] as const,
    ),
    ['no samples', withTurn({ samples: [] }), 'debate.rounds[0][0].samples', 'an array of 1 to 1024'],
    ['samples as text', withTurn({ samples: 'AAB' }), 'debate.rounds[0][0].samples', 'an array of 1 to 1024', 'AAB'],
    [
      'too many samples',
      withTurn({ samples: new Array(1025).fill('A') }),
      'debate.rounds[0][0].samples',
      'an array of 1 to 1024',
    ],
    [
      'an unknown sample',
      withTurn({ samples: ['A', null, 'C'] }),
      'debate.rounds[0][0].samples[2]',
      `null or ${notOption}`,
      'C',
    ],
    [
      'sparse samples',
      withTurn({ samples: new Array(2) }),
      'debate.rounds[0][0].samples[0]',
      `null or ${notOption}`,
      undefined,
    ],
  ]

  test.each(cases)('%s', (...[, input, parameter, expected, ...received]) => {
    const refusal = refusalOf(() => parseDebate(input))
    expect(refusal).toEqual([parameter, expected, received.length > 0 ? received[0] : expect.anything()])
  })

  test('the message names the function, the place, the expected value and the received one', () => {
    expect(() => parseDebates([debate(), debate({ id: 'r', rounds: [[turn({ answer: 'C' })]] })])).toThrow(
      'parseDebates: debates[1].rounds[0][0].answer must be null or one of "A", "B", got "C"',
    )
    expect(() => parseDebate({}, { where: 'decide' })).toThrow(
      'decide: debate.id must be a non-empty string, got undefined',
    )
  })

  test('names from outside are quoted, clipped and stripped of control characters', () => {
    const place = (option: string) => refusalOf(() => parseDebate(withTurn({ beliefs: { [option]: 1 } })))
    expect(place('a b')).toHaveProperty('0', 'debate.rounds[0][0].beliefs["a b"]')
    expect(place('\u001b[31m\u202e"')).toHaveProperty('0', 'debate.rounds[0][0].beliefs["\\u001b[31m\\u{202e}\\""]')
    expect(place('z'.repeat(5000))).toHaveProperty('0', `debate.rounds[0][0].beliefs["${'z'.repeat(60)}..."]`)
  })

  test('a long list of options is cut short', () => {
    const options = Array.from({ length: 64 }, (_, index) => `o${index}`)
    expect(refusalOf(() => parseDebate(debate({ options, gold: 'A' })))).toHaveProperty(
      '1',
      'one of "o0", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9", "o10", "o11" and 52 more options',
    )
  })

  test('an elicitation outside the four is refused', () => {
    const elicitation = 'logprobs' as 'given' // what a caller without types may pass
    expect(refusalOf(() => parseDebate(debate(), { elicitation }))).toEqual([
      'options.elicitation',
      'one of given, samples, stated, vote',
      'logprobs',
    ])
  })
})

describe('parseDebates', () => {
  test('reads each with its own options and panel', () => {
    const other = debate({
      id: 'r',
      options: ['yes', 'no', 'maybe'],
      rounds: [[turn({ agent: 'y', answer: 'maybe' })]],
    })
    const records = parseDebates([debate(), other])
    expect(records).toEqual([parseDebate(debate()), parseDebate(other)])
    expect(parseDebates([])).toEqual([])
  })

  test('refuses two rows of one id and names both', () => {
    const rows = [debate({ id: 'p' }), debate(), debate({ id: 'r' }), debate()]
    expect(() => parseDebates(rows)).toThrow(
      'parseDebates: debates[3].id must be a unique id: debates[1] has the same, got "q"',
    )
  })

  test('takes ids of the language for what they are', () => {
    expect(parseDebates([debate({ id: '__proto__' }), debate({ id: 'constructor' })])).toHaveLength(2)
  })

  test('refuses what is no list, and the hole of a sparse one', () => {
    const notList = JSON.parse('{}')
    expect(refusalOf(() => parseDebates(notList))).toEqual(['debates', 'an array', {}])
    expect(refusalOf(() => parseDebates(new Array(3)))).toEqual(['debates[0]', 'an object', undefined])
  })

  test('passes the elicitation to every row', () => {
    const rows = [withTurn({ conf: { verbal: 0.75 } })]
    expect(parseDebates(rows, { elicitation: 'vote' })[0]?.rounds[0]?.beliefs).toEqual(Float64Array.of(1, 0))
    expect(parseDebates(rows, { elicitation: 'stated' })[0]?.rounds[0]?.beliefs).toEqual(Float64Array.of(0.75, 0.25))
  })
})

describe('what a short line may request', () => {
  const turn = (agent: string) => ({ agent, answer: null })

  test('names have at most a thousand letters', () => {
    const debate = { id: 'q', options: ['A', 'B'], rounds: [[turn('ada')]] }
    expect(() => parseDebate({ ...debate, id: 'x'.repeat(1001) })).toThrow(
      /debate\.id must be at most 1000 letters long/,
    )
    expect(() => parseDebate({ ...debate, group: 'x'.repeat(1001) })).toThrow(
      /debate\.group must be at most 1000 letters/,
    )
    expect(parseDebate({ ...debate, id: 'x'.repeat(1000), group: 'y'.repeat(1000) }).group).toHaveLength(1000)
  })

  test('turns times options are limited', () => {
    const options = Array.from({ length: 64 }, (_, at) => `o${at}`)
    const round = Array.from({ length: 64 }, (_, at) => turn(`a${at}`))
    const rounds = (count: number) => Array.from({ length: count }, () => round)
    expect(parseDebate({ id: 'q', options, rounds: rounds(16) }).rounds).toHaveLength(16)
    expect(() => parseDebate({ id: 'q', options, rounds: rounds(17) })).toThrow(
      /debate\.rounds must be of at most 65536 turns/,
    )
  })
})
