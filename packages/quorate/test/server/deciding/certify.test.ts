import { type Debate, decide } from '@quorate/certificate'
import { beforeAll, describe, expect, test } from 'vitest'
import { certifyAnswerSchema } from '../../../src/contract/decisions.ts'
import { exportLines } from '../../../src/runs/export-lines.ts'
import { reviewIdOf } from '../../../src/runs/review-id.ts'
import { isDrawn } from '../../../src/runs/take-in.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { all, runWorld, samplePlan } from '../../runs/run-world.ts'
import { verified } from './verified.ts'
import { ANN, calibrated, certifyInput, FRESH, serveWorld } from './world.ts'

let debates: readonly Debate[] = []

beforeAll(async () => {
  const store = openSqlite(':memory:', { now: () => 0 })
  const { runId } = await runWorld({ store, plan: samplePlan(), questions: FRESH })
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  debates = (await all(exportLines(store, run, 'debates'))).map((line) => JSON.parse(line))
  await store.close()
})

function debateAt(index: number): Debate {
  const debate = debates[index]
  if (debate === undefined) throw new Error('no debate')
  return debate
}

describe('the rounds so far of a debate that somebody else holds', () => {
  test('are decided as the certificate decides them, stored and chained before the answer', async () => {
    const { certified } = await calibrated()
    const { services, store } = await serveWorld({ plan: { spotCheckRate: 0.2 } })
    const kinds = new Set<string>()
    let decisions = 0
    let runId = ''
    for (const debate of debates.slice(0, 20)) {
      for (let rounds = 1; rounds <= 4; rounds++) {
        const input = certifyInput(debate, rounds)
        const answer = await services.certify(input, ANN)
        expect(certifyAnswerSchema.parse(answer)).toEqual(answer)
        const expected = decide(certified.certificate, {
          ...debate,
          id: input.id,
          rounds: debate.rounds.slice(0, rounds),
        })
        expect(answer).toMatchObject({ kind: expected.kind, path: JSON.parse(JSON.stringify(expected.path)) })
        kinds.add(answer.kind)
        if (answer.kind === 'continue') continue
        const stored = await store.decisions.findById(answer.decisionId)
        expect(stored).toMatchObject({ questionId: input.id, kind: answer.kind })
        runId = stored?.runId ?? ''
        expect(answer.isDrawn).toBe(isDrawn(input.id, { runId, seed: 7, spotCheckRate: 0.2 }))
        decisions += 1
        break
      }
    }
    expect(kinds).toEqual(new Set(['act', 'continue', 'defer']))
    expect(await verified(store, runId)).toMatchObject({ kind: 'whole', decisions })
  })

  test('are answered again bit for bit, and refused with other content by the field that differs', async () => {
    const { services } = await serveWorld()
    const input = certifyInput(debateAt(0), 1, { question: 'Which one?' })
    const first = await services.certify(input, ANN)
    const reordered = JSON.parse(JSON.stringify(input, Object.keys(flat(input)).sort().reverse()))
    expect(JSON.stringify(await services.certify(reordered, ANN))).toBe(JSON.stringify(first))
    const conflicts: [string, object][] = [
      ['question', { question: 'Another?' }],
      ['group', { group: 'other' }],
      ['rounds', { rounds: debateAt(1).rounds.slice(0, 1) }],
    ]
    for (const [field, change] of conflicts) {
      await expect(services.certify({ ...input, ...change }, ANN)).rejects.toMatchObject({
        parts: { status: 409, errors: [{ field }] },
      })
    }
    const next = { ...certifyInput(debateAt(0), 2, { question: 'Which one?' }) }
    const swapped = { ...next, rounds: [debateAt(1).rounds[0] ?? [], next.rounds[1] ?? []] }
    if (first.kind === 'continue') {
      await expect(services.certify(swapped as typeof next, ANN)).rejects.toMatchObject({ parts: { status: 409 } })
    }
  })

  test('sent many times at once are decided once', async () => {
    const { services, store } = await serveWorld()
    const input = certifyInput(debateAt(2), 4)
    const answers = await Promise.all(Array.from({ length: 30 }, () => services.certify(input, ANN)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    const stored = await store.decisions.findById(answers[0]?.decisionId ?? '')
    expect(await verified(store, stored?.runId ?? '')).toMatchObject({ decisions: 1 })
  })

  test('once decided stay decided: later rounds of a spot check are kept with the same answer', async () => {
    const { services, store } = await serveWorld({ plan: { spotCheckRate: 1 } })
    const acted = debates.find((debate) => debate.rounds.length === 4)
    if (acted === undefined) throw new Error('no debate')
    const first = await services.certify(certifyInput(acted, 4), ANN)
    const kept = await Promise.all([2, 3].map((rounds) => services.certify(certifyInput(acted, rounds), ANN)))
    for (const { kind, answer, decisionId } of kept) {
      expect([kind, answer, decisionId]).toEqual([first.kind, first.answer, first.decisionId])
    }
    const stored = await store.decisions.findById(first.decisionId)
    expect(await verified(store, stored?.runId ?? '')).toMatchObject({ kind: 'whole', decisions: 1 })
    const reviews = await store.reviews.list({ after: null, limit: 10 })
    expect(reviews).toMatchObject([{ id: reviewIdOf(first.decisionId), source: 'spot-check' }])
  })

  test('while held are deferred, also what would have acted or gone on', async () => {
    const { services, store } = await serveWorld()
    await services.policy.hold('for a while', ANN)
    const answers = await Promise.all(
      debates.slice(0, 10).map((debate) => services.certify(certifyInput(debate, 1), ANN)),
    )
    expect(answers.every(({ kind, reason }) => kind === 'defer' && reason === 'held')).toBe(true)
    const stored = await store.decisions.findById(answers[0]?.decisionId ?? '')
    expect(await verified(store, stored?.runId ?? '')).toMatchObject({ kind: 'whole', decisions: 10 })
  })

  test('tell webhooks of actions and deferrals without any text', async () => {
    const { services, told } = await serveWorld()
    for (const debate of debates.slice(0, 8))
      await services.certify(certifyInput(debate, 4, { question: 'Secret?' }), ANN)
    expect(new Set(told.map(({ event }) => event))).toEqual(new Set(['decision.acted', 'decision.deferred']))
    expect(JSON.stringify(told)).not.toContain('Secret?')
  })

  test('that cannot be read are refused by the place, and an unknown certificate by its field', async () => {
    const { services } = await serveWorld()
    const input = certifyInput(debateAt(0), 1)
    const broken = { ...input, rounds: [[{ agent: 'ada', answer: 'nobody said this' }]] }
    await expect(services.certify(broken, ANN)).rejects.toThrow(/rounds\[0\]\[0\]\.answer/)
    await expect(services.certify({ ...input, certificate: 'none' }, ANN)).rejects.toMatchObject({
      parts: { status: 422, errors: [{ field: 'certificate' }] },
    })
  })

  test('without a certificate are not decided', async () => {
    const { services } = await serveWorld({ certified: null })
    await expect(services.certify(certifyInput(debateAt(0), 1), ANN)).rejects.toMatchObject({ parts: { status: 503 } })
    expect((await services.monitor()).policy.state).toBe('none')
  })

  test('keep no field that we do not know: it might hold text', async () => {
    const { services, store } = await serveWorld()
    const input = certifyInput(debateAt(0), 4)
    const wordy = {
      ...input,
      rounds: input.rounds.map((turns) => turns.map((turn) => ({ ...turn, thoughts: 'TOLD YOU' }))),
    }
    const { decisionId } = await services.certify(wordy, ANN)
    const stored = await store.decisions.findById(decisionId)
    const rows = await store.ledger.list(stored?.runId ?? '', { after: 0, limit: 100 })
    expect(rows.map(({ line }) => line).join('')).not.toContain('TOLD YOU')
  })
})

/** All names that occur anywhere, for a replacer that orders them. */
function flat(value: unknown): Record<string, true> {
  if (typeof value !== 'object' || value === null) return {}
  const own = Array.isArray(value) ? [] : Object.keys(value).map((name) => [name, true] as const)
  return Object.assign(Object.fromEntries(own), ...Object.values(value).map(flat))
}
