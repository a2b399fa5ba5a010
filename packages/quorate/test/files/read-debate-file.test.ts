import { inspect } from 'node:util'
import { type AgentTurn, type Debate, questionKeys, readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { readDebateFile } from '../../src/files/read-debate-file.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { temporaryFolder } from './temporary-files.ts'

const { write } = temporaryFolder()
const debates = simulatePanel({ seed: 3, count: 20 })

type Loose = Omit<Debate, 'rounds'> & { question?: string; rounds: AgentTurn[][] }

/** The simulated debates as parsed from JSON, one of them changed. */
function changed(line: number, change: (debate: Loose) => unknown): unknown[] {
  return structuredClone(debates).map((debate, row) => (row === line - 1 ? change(debate as unknown as Loose) : debate)) // parsed JSON is loose
}

function reading(lines: readonly unknown[] | string, options = {}) {
  return readDebateFile(write('debates.jsonl', lines), options)
}

describe('a file of debates', () => {
  test('gives the same as reading the debates at once, and no text', async () => {
    const file = await reading(debates)
    const [kept, whole] = [file.read, readDebates(debates)]
    expect(kept.reading).toEqual(whole.reading)
    for (const [row, { record, rounds }] of whole.debates.entries()) {
      const debate = kept.debates[row]
      // Read from columns: every field that the object has.
      expect(debate?.rounds).toMatchObject(rounds)
      const { id, group, options, gold, isFailed } = record
      expect(debate?.record).toMatchObject({ id, group, options, gold, isFailed })
    }
    expect(kept.debates).toHaveLength(debates.length)
    expect(file).toMatchObject({ rounds: 4, unlabelled: 0 })
    expect(inspect(kept, { depth: null, showHidden: true })).not.toContain(debates[0]?.question)
  })

  test('may have empty lines, Windows line ends, and debates without a label', async () => {
    const lines = changed(2, ({ gold: _, ...rest }) => rest).map((debate) => JSON.stringify(debate))
    const file = await reading(`\n${lines.join('\r\n\r\n')}\r\n`)
    expect(file.unlabelled).toBe(1)
    expect(file.read.debates).toHaveLength(19)
  })

  test('knows which debates ask the same question, by its text if there is one, else by its id', async () => {
    const again = changed(2, (debate) => ({ ...debate, question: debates[0]?.question }))
    const { questionOf } = await reading(again)
    const [first = '', second = '', third = ''] = debates.map(({ id }) => id)
    expect(questionOf(second)).toBe(questionOf(first))
    expect(questionOf(third)).not.toBe(questionOf(first))
    const bare = await reading(debates.map(({ question: _, ...rest }) => rest))
    expect(bare.questionOf(first)).toBe(first)
  })

  test('is read by one elicitation throughout, and reports what is missing and what was scaled', async () => {
    const bare = changed(3, (debate) => ({
      ...debate,
      rounds: debate.rounds.map((turns) => turns.map(({ agent, answer }) => ({ agent, answer }))),
    }))
    const { read, reading: counts } = await reading(bare)
    const lost = (bare[2] as Loose).rounds.flat().filter(({ answer }) => answer !== null).length
    expect(counts).toMatchObject({ beliefs: 'stated', questions: 20, missing: lost, renormalised: 0 })
    expect(read.debates[2]?.rounds.map(({ abstentions }) => abstentions)).toEqual([1, 1, 1, 1])
    expect((await reading(bare, { beliefs: 'vote' })).reading).toMatchObject({ beliefs: 'vote', missing: 0 })
    const given = changed(1, (debate) => withTurn(debate, { beliefs: { A: 0.5, B: 0.49 } }))
    expect((await reading(given)).reading).toMatchObject({ beliefs: 'given', renormalised: 1 })
    await expect(reading(debates, { beliefs: 'samples' })).rejects.toThrow(
      /debates\.jsonl: no turn has samples, which beliefs: samples reads\. .* --beliefs vote, or beliefs: vote in the config/,
    )
  })

  test('may name the question of a debate, which is combined with the text', async () => {
    const named = changed(2, (debate) => ({ ...debate, question: debates[0]?.question })).map((debate, row) =>
      row === 1 || row === 4 ? { ...(debate as Loose), question_of: 'q1' } : debate,
    )
    const { read, questionOf } = await reading(named)
    const keys = questionKeys(read.debates, questionOf)
    expect(keys.map((key) => keys.indexOf(key)).slice(0, 6)).toEqual([0, 0, 2, 3, 0, 5])
    await expect(reading(changed(3, (debate) => ({ ...debate, question_of: 7 })))).rejects.toThrow(
      'line 3.question_of must be a non-empty string, got 7',
    )
    await expect(reading(changed(3, (debate) => ({ ...debate, question_of: 'a\u0000' })))).rejects.toThrow(
      /line 3\.question_of must be text without control characters/,
    )
  })

  test('of one round with 12 agents is a debate of one round, or a growing panel on request', async () => {
    const turns = Array.from({ length: 12 }, (_, agent) => ({ agent: `a${agent}`, answer: agent < 7 ? 'A' : 'B' }))
    const wide = Array.from({ length: 4 }, (_, row) => ({
      id: `q${row}`,
      options: ['A', 'B'],
      gold: 'A',
      rounds: [turns],
    }))
    expect((await reading(wide)).rounds).toBe(1)
    const order = [11, 10, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    const { read, rounds } = await reading(wide, { growingPanel: { sizes: [3, 12], order } })
    expect(rounds).toBe(2)
    expect(read.debates[0]?.rounds.map(({ agents }) => agents)).toEqual([
      ['a11', 'a10', 'a9'],
      order.map((place) => `a${place}`),
    ])
  })

  test('whose beliefs are broken can be read by its answers', async () => {
    const broken = changed(17, (debate) => withTurn(debate, { beliefs: { A: 0.4 } }))
    for (const beliefs of ['stated', 'vote'] as const) {
      expect((await reading(broken, { beliefs })).read.debates).toHaveLength(20)
    }
  })
})

describe('a broken line 17 is named with its field and the received value', () => {
  test.each<[string, (debate: Loose) => unknown, string]>([
    ['no object', () => 'hello', 'line 17 must be an object, got "hello"'],
    ['a list', () => [], 'line 17 must be an object, got an array of 0'],
    ['no id', ({ id: _, ...rest }) => rest, 'line 17.id must be a non-empty string, got undefined'],
    ['no id and no label', ({ options, rounds }) => ({ options, rounds }), 'line 17.id must be a non-empty string'],
    ['the id of another', (debate) => ({ ...debate, id: debates[3]?.id }), 'line 17.id must be a unique id: line 4'],
    ['an unknown gold', (debate) => ({ ...debate, gold: 'Z' }), 'line 17.gold must be '],
    ['no rounds', (debate) => ({ ...debate, rounds: 7 }), 'line 17.rounds must be an array of 1 to 64, got 7'],
    [
      'fewer rounds',
      (debate) => ({ ...debate, rounds: debate.rounds.slice(1) }),
      'line 17.rounds must be 4 rounds like line 1: a debate that stopped early cannot be compared, got 3',
    ],
    ['a turn that is no object', (debate) => withTurn(debate, 'x'), 'line 17.rounds[0][1] must be an object, got "x"'],
    ['an unknown answer', (debate) => withTurn(debate, { answer: 'Z' }), 'line 17.rounds[0][1].answer must be '],
    [
      'beliefs that do not sum to 1',
      (debate) => withTurn(debate, { beliefs: { A: 0.5, B: 0.4 } }),
      'line 17.rounds[0][1].beliefs must be probabilities with a sum within 0.01 of 1, got 0.9. Correct it, or read the answers without it: --beliefs stated or --beliefs vote',
    ],
    [
      'a belief in no option',
      (debate) => withTurn(debate, { beliefs: { Z: 1 } }),
      'line 17.rounds[0][1].beliefs.Z must be under the name of an option',
    ],
    [
      'a confidence above 1',
      (debate) => withTurn(debate, { conf: { verbal: 90 } }),
      'line 17.rounds[0][1].conf.verbal must be null or in [0, 1], got 90',
    ],
  ])('%s', async (_claim, change, message) => {
    await expect(reading(changed(17, change))).rejects.toThrow(`debates.jsonl: ${message}`)
  })

  test('grades without their answer, if beliefs are not read', async () => {
    const grades = [{ round: 1, right: true }]
    const graded = changed(17, (debate) => withTurn({ ...debate, grades }, { beliefs: { A: 1 } }))
    await expect(reading(graded, { beliefs: 'vote' })).rejects.toThrow(
      'debates.jsonl: line 17.grades must name the answer',
    )
  })

  test('not JSON', async () => {
    const lines = debates.map((debate) => JSON.stringify(debate))
    lines[16] = '{"id": "q17", \u001b[31m'
    await expect(reading(lines.join('\n'))).rejects.toThrow(
      'debates.jsonl: line 17 must be one JSON object, got "{\\"id\\": \\"q17\\","',
    )
  })

  test('too few agents or too many rounds for a growing panel', async () => {
    await expect(reading(debates, { growingPanel: { sizes: [2, 3] } })).rejects.toThrow(
      'debates.jsonl: line 1.rounds must be one round of independent answers for a growing panel, got 4',
    )
    const single = debates.map((debate) => ({ ...debate, rounds: debate.rounds.slice(0, 1) }))
    await expect(reading(single, { growingPanel: { sizes: [2, 5] } })).rejects.toThrow(
      'debates.jsonl: line 1.rounds[0] must contain the answers of at least 5 agents, got 3',
    )
  })
})

describe('a file without labelled debates', () => {
  test.each([
    ['', 'the file is empty'],
    ['\n\n', 'got none in 2 lines'],
  ])('%j is refused', async (text, reason) => {
    await expect(reading(text)).rejects.toThrow(reason)
  })

  test('reports that labels are missing', async () => {
    const unlabelled = debates.map(({ gold: _, ...rest }) => rest)
    await expect(reading(unlabelled)).rejects.toThrow('got none: 20 debates have no "gold"')
    const failed = debates.map((debate) => ({ ...debate, failure: { agent: null, round: 2 } }))
    await expect(reading(failed)).rejects.toThrow('got none: 20 debates failed')
  })
})

/** The debate with the second turn of its first round changed, or replaced by a value that is no turn. */
function withTurn(debate: Loose, change: object | string): unknown {
  const [first = [], ...rest] = debate.rounds
  const turns = first.map((turn, place) =>
    place !== 1 ? turn : typeof change === 'string' ? change : { ...turn, ...change },
  )
  return { ...debate, rounds: [turns, ...rest] }
}
