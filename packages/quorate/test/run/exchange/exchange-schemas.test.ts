import { readFileSync } from 'node:fs'
import { parseDebate } from '@quorate/certificate'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readQuestion } from '../../../src/questions/read-question.ts'
import { type ExchangedFile, exchangeJsonSchemas } from '../../../src/run/exchange/exchange-schemas.ts'
import { exportLines } from '../../../src/run/exchange/export-lines.ts'
import { findRun } from '../../../src/run/find-run.ts'
import { simulatePanel } from '../../../src/simulated/simulate-panel.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { all, certifiedFrom, runWorld, samplePlan, simulatedQuestions } from '../run-world.ts'

const FILES = ['question', 'debate', 'certificate', 'decision', 'bundle'] as const

function published(file: ExchangedFile) {
  return JSON.parse(readFileSync(new URL(`../../../schema/${file}.schema.json`, import.meta.url), 'utf8'))
}

/** Read from the published file, because that is what others use. */
const SCHEMAS = new Map(FILES.map((file) => [file, z.fromJSONSchema(published(file))]))

function takes(file: ExchangedFile, value: unknown): boolean {
  return SCHEMAS.get(file)?.safeParse(value).success === true
}

test.each(FILES)('the published schema of a %s is the one of the code', (file) => {
  expect(published(file), 'run packages/quorate/schema/make-schema.ts').toEqual(exchangeJsonSchemas()[file])
})

describe('what a run writes', () => {
  const written = new Map<ExchangedFile, readonly unknown[]>()
  beforeAll(async () => {
    const store = openSqlite(':memory:', { now: () => 0 })
    const certified = await certifiedFrom(store, simulatedQuestions(120))
    const plan = samplePlan({ kind: 'decide', spotCheckRate: 0.3 })
    const { runId } = await runWorld({ store, plan, questions: simulatedQuestions(15, { from: 120 }), certified })
    const run = await findRun(store, runId)
    const lines = async (what: 'debates' | 'decisions' | 'bundle') =>
      (await all(exportLines(store, run, what))).map((line): unknown => JSON.parse(line))
    written.set('debate', await lines('debates'))
    written.set('decision', await lines('decisions'))
    written.set('bundle', await lines('bundle'))
    written.set('certificate', [JSON.parse(certified.file)])
    await store.close()
  })

  test.each(['debate', 'decision', 'bundle', 'certificate'] as const)('fits the schema of a %s', (file) => {
    const values = written.get(file) ?? []
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) expect(SCHEMAS.get(file)?.safeParse(value).error).toBeUndefined()
  })

  test.each(['debate', 'decision', 'bundle', 'certificate'] as const)(
    'does not fit the schema of a %s once a required field is gone',
    (file) => {
      const [value] = written.get(file) ?? []
      const required: readonly string[] = published(file).required ?? ['head']
      expect(required.length).toBeGreaterThan(0)
      for (const name of required) expect(takes(file, { ...Object(value), [name]: undefined }), name).toBe(false)
    },
  )
})

const QUESTION = { id: 'q', question: 'Which?', options: ['A', 'B'], gold: 'A', group: null }
const TURN = { agent: 'ann', answer: 'A', beliefs: { A: 0.5, B: 0.5 }, conf: { verbal: 0.9 }, samples: ['A', null] }
const DEBATE = { quorate: 1, id: 'q', options: { A: 'one', B: 'two' }, gold: 'A', rounds: [[TURN]] }

describe('schema and reader agree', () => {
  test.each([
    [QUESTION, true],
    [{ ...QUESTION, quorate: 1, note: 'kept', options: { A: 'one', B: 'two' } }, true],
    [{ ...QUESTION, quorate: 2 }, false],
    [{ ...QUESTION, id: '' }, false],
    [{ ...QUESTION, id: 7 }, false],
    [{ ...QUESTION, question: undefined }, false],
    [{ ...QUESTION, options: ['A'] }, false],
    [{ ...QUESTION, options: 'AB' }, false],
    [{ ...QUESTION, gold: 3 }, false],
    [{ ...QUESTION, group: 3 }, false],
    ['a text', false],
  ])('on the question %j', (value, isRight) => {
    expect(takes('question', value)).toBe(isRight)
    const read = () => readQuestion(value, 'line 1')
    if (isRight) expect(read()).toBeDefined()
    else expect(read).toThrow('line 1')
  })

  test.each([
    [DEBATE, true],
    [{ ...DEBATE, rounds: [[{ agent: 'ann', answer: null }]] }, true],
    [{ ...DEBATE, rounds: [[{ agent: 'ann' }]] }, false],
    [{ ...DEBATE, rounds: [[{ ...TURN, beliefs: [0.5, 0.5] }]] }, false],
    [{ ...DEBATE, rounds: [[{ ...TURN, conf: { verbal: 90 } }]] }, false],
    [{ ...DEBATE, rounds: [[{ ...TURN, agent: '' }]] }, false],
    [{ ...DEBATE, rounds: [[]] }, false],
    [{ ...DEBATE, rounds: [] }, false],
    [{ ...DEBATE, quorate: 2 }, false],
    [{ ...DEBATE, options: [] }, false],
  ])('on the debate %j', (value, isRight) => {
    expect(takes('debate', value)).toBe(isRight)
    if (isRight) expect(parseDebate(value).id).toBe('q')
    else expect(() => parseDebate(value)).toThrow('parseDebate')
  })

  test('whatever is changed in a debate, the schema accepts all that the reader accepts', () => {
    const [base] = simulatePanel({ seed: 1, count: 1 })
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(null, '', 'A', 0, 1, [], {}, ['A'], { A: 1 }, { verbal: 0.5 }),
    )
    const name = fc.constantFrom('quorate', 'id', 'group', 'options', 'gold', 'rounds', 'question')
    const turnName = fc.constantFrom('agent', 'answer', 'beliefs', 'conf', 'samples', 'note')
    fc.assert(
      fc.property(fc.boolean(), name, turnName, value, (isTurn, field, turnField, changed) => {
        const rounds = base?.rounds.map((turns) => turns.map((turn) => ({ ...turn, [turnField]: changed })))
        const debate = JSON.parse(JSON.stringify(isTurn ? { ...base, rounds } : { ...base, [field]: changed }))
        try {
          parseDebate(debate)
        } catch {
          return
        }
        expect(takes('debate', debate), JSON.stringify(debate)).toBe(true)
      }),
      { seed: 2, numRuns: 500 },
    )
  })
})
