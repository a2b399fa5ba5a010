import { METHOD_VERSION } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { bareLines } from '../../../src/run/exchange/bare-lines.ts'
import type { Run, Store } from '../../../src/store/store.ts'
import { MANY_RUN, manyDebates, ROUNDS } from '../../efficiency/many-debates.ts'
import { newStore } from '../../store/store-under-test.ts'

const DECIDED: Run = { ...MANY_RUN, kind: 'decide', config: '{}', certificateId: 'certificate' }

/** The fingerprint of a certificate. Only the number of rounds is read here. */
const FINGERPRINT = {
  models: null,
  prompts: null,
  agents: null,
  rounds: ROUNDS,
  endsEarly: null,
  elicitation: null,
  turns: null,
  state: '',
  methodVersion: METHOD_VERSION,
  rows: '',
}

/** A run that decided 100 questions by a certificate of four rounds; every second was sampled. */
async function decided(store: Store, roundsOf: (row: number) => number): Promise<void> {
  const file = JSON.stringify({ fingerprint: FINGERPRINT })
  await store.certificates.save({ id: 'certificate', file, at: 0, runId: null })
  const rows = [...manyDebates({ count: 100, textBytes: 400, seed: 3 })].sort((a, b) =>
    a.questionId < b.questionId ? -1 : 1,
  )
  const questions = rows.map(({ questionId }, position) => ({
    position,
    questionId,
    question: '{}',
    isSpotCheck: position % 2 === 0,
  }))
  await store.runs.create(DECIDED, questions)
  for (const [row, { questionId, debate, status }] of rows.entries()) {
    const rounds = roundsOf(row)
    const value = JSON.parse(debate)
    const cut = JSON.stringify({ ...value, rounds: value.rounds.slice(0, rounds) })
    await store.debates.save({ runId: DECIDED.id, questionId, debate: cut, rounds, status, at: 0 })
  }
}

async function linesOf(store: Store): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of bareLines(store, DECIDED)) lines.push(line)
  return lines
}

describe('the bare debates of a run that decided', () => {
  test('are those that were sampled, without any text', async () => {
    const store = await newStore()
    await decided(store, (row) => (row % 2 === 0 ? ROUNDS : 1))
    const lines = await linesOf(store)
    expect(lines).toHaveLength(50)
    expect(lines.join('\n')).not.toMatch(/the panel weighs|follows|which of these/)
    const [first] = lines.map((line) => JSON.parse(line))
    expect(first).toMatchObject({
      options: { A: '', B: '', C: '', D: '' },
      question: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(first.rounds).toHaveLength(ROUNDS)
    expect(Object.keys(first.rounds[0][0])).toEqual(['agent', 'answer', 'conf'])
  })

  test('are refused if too many of the sampled ones stopped when they were decided', async () => {
    const store = await newStore()
    await decided(store, (row) => (row % 10 === 0 ? 1 : ROUNDS))
    await expect(linesOf(store)).rejects.toThrow('10 of 50 debates that were sampled for a spot check did not reach')
  })
})
