import { type Debate, decide } from '@quorate/certificate'
import { beforeAll, describe, expect, test } from 'vitest'
import { certifyAnswerSchema } from '../../../src/contract/decisions.ts'
import { calibrateRun } from '../../../src/run/calibration/calibrate-run.ts'
import { reviewIdOf } from '../../../src/run/decision-record.ts'
import { exportLines } from '../../../src/run/exchange/export-lines.ts'
import { isSampled } from '../../../src/run/intake.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { all, runWorld, samplePlan } from '../../run/run-world.ts'
import { SAMPLE_KEY } from '../../store/samples.ts'
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

describe('the rounds so far of a posted debate', () => {
  test('are decided as the certificate decides them, and are in the store and the ledger before the answer', async () => {
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
          // As it was posted: without a group.
          group: input.group ?? null,
          rounds: debate.rounds.slice(0, rounds),
        })
        expect(answer).toMatchObject({ kind: expected.kind, path: JSON.parse(JSON.stringify(expected.path)) })
        kinds.add(answer.kind)
        if (answer.kind === 'continue') continue
        const stored = await store.decisions.findById(answer.decisionId)
        expect(stored).toMatchObject({ questionId: input.id, kind: answer.kind })
        runId = stored?.runId ?? ''
        expect(answer.isSpotCheck).toBe(isSampled(input.id, { runId, key: SAMPLE_KEY, spotCheckRate: 0.2 }))
        decisions += 1
        break
      }
    }
    expect(kinds).toEqual(new Set(['act', 'continue', 'defer']))
    expect(await verified(store, runId)).toMatchObject({ kind: 'whole', decisions })
  })

  test('are answered again bit for bit, and refused with other content in the same words whatever differs', async () => {
    const { services } = await serveWorld()
    const input = certifyInput(debateAt(0), 1, { question: 'Which one?' })
    const first = await services.certify(input, ANN)
    const reordered = JSON.parse(JSON.stringify(input, Object.keys(flat(input)).sort().reverse()))
    expect(JSON.stringify(await services.certify(reordered, ANN))).toBe(JSON.stringify(first))
    const conflicts = [
      { question: 'Another?' },
      { group: 'other' },
      { rounds: certifyInput(debateAt(1), 1).rounds },
    ] as const
    for (const change of conflicts) {
      await expect(services.certify({ ...input, ...change }, ANN)).rejects.toMatchObject({
        parts: { status: 409, errors: [{ field: 'id' }] },
      })
    }
    const next = { ...certifyInput(debateAt(0), 2, { question: 'Which one?' }) }
    const swapped = { ...next, rounds: [debateAt(1).rounds[0] ?? [], next.rounds[1] ?? []] }
    if (first.kind === 'continue') {
      await expect(services.certify(swapped as typeof next, ANN)).rejects.toMatchObject({ parts: { status: 409 } })
    }
  })

  test('have the same fields in every post, in any order; other fields are refused in the words of any other difference', async () => {
    const { services } = await serveWorld()
    const fields = { amount: 12, country: 'CH' }
    const input = certifyInput(debateAt(0), 1, { id: 'with fields', fields })
    const detail = 'The id "with fields" was used for another debate, or its text was erased.'
    const conflict = { parts: { status: 409, detail, errors: [{ field: 'id' }] } }
    const first = await services.certify(input, ANN)
    const reordered = { ...input, fields: { country: 'CH', amount: 12 } }
    expect(JSON.stringify(await services.certify(reordered, ANN))).toBe(JSON.stringify(first))
    const others = [{ amount: 13, country: 'CH' }, { amount: '12', country: 'CH' }, { amount: 12 }, {}, undefined]
    for (const other of others) {
      await expect(services.certify({ ...input, fields: other }, ANN)).rejects.toMatchObject(conflict)
    }
    const next = certifyInput(debateAt(0), 2, { id: 'with fields' })
    await expect(services.certify(next, ANN)).rejects.toMatchObject(conflict)
    expect((await services.certify({ ...next, fields }, ANN)).decisionId).toBe(first.decisionId)
    const bare = certifyInput(debateAt(1), 1, { id: 'without fields' })
    const answer = await services.certify(bare, ANN)
    expect(await services.certify({ ...bare, fields: {} }, ANN)).toEqual(answer)
    await expect(services.certify({ ...bare, fields }, ANN)).rejects.toMatchObject({ parts: { status: 409 } })
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

  describe('under an id that is known', () => {
    const isDecided = (kind: string) => async (debate: Debate) => {
      const { certified } = await calibrated()
      return decide(certified.certificate, { ...debate, rounds: debate.rounds.slice(0, 1) }).kind === kind
    }
    async function found(kind: string, skipped = 0): Promise<Debate> {
      for (const debate of debates) if ((await isDecided(kind)(debate)) && skipped-- === 0) return debate
      throw new Error(`no debate that in its first round is to ${kind}`)
    }
    const conflict = { parts: { status: 409, errors: [{ field: 'id' }] } }

    test('must be of the same debate, even if a round was left out: no debate can be repeated until it acts', async () => {
      const [hard, easy] = [await found('continue'), await found('act')]
      const { services, store } = await serveWorld()
      const first = await services.certify(certifyInput(hard, 1, { id: 'q' }), ANN)
      const options = certifyInput(hard, 1).options
      for (const rounds of [1, 2, 3, 4]) {
        const other = certifyInput(easy, rounds, { id: 'q', options })
        await expect(services.certify(other, ANN)).rejects.toMatchObject(conflict)
      }
      const third = await services.certify(certifyInput(hard, 3, { id: 'q' }), ANN)
      expect(third.decisionId).toBe(first.decisionId)
      const second = certifyInput(easy, 2, { id: 'q', options })
      await expect(services.certify(second, ANN)).rejects.toMatchObject(conflict)
      const [run] = await store.runs.list(1)
      const stored = await store.debates.find(run?.id ?? '', 'q')
      expect(JSON.parse(stored?.debate ?? '').rounds.length).toBe(3)
    })

    test('are answered with the decision once there is one, and another debate neither undoes nor replaces it', async () => {
      const [hard, easy] = [await found('continue'), await found('act')]
      const { services, store } = await serveWorld({ plan: { spotCheckRate: 1 } })
      const acted = await services.certify(certifyInput(easy, 1, { id: 'e' }), ANN)
      expect(acted.kind).toBe('act')
      const other = certifyInput(hard, 3, { id: 'e', options: certifyInput(easy, 1).options })
      await expect(services.certify(other, ANN)).rejects.toMatchObject(conflict)
      expect(await services.certify(certifyInput(easy, 3, { id: 'e' }), ANN)).toEqual(acted)
      const [run] = await store.runs.list(1)
      const stored = await store.debates.find(run?.id ?? '', 'e')
      expect(JSON.parse(stored?.debate ?? '').rounds).toHaveLength(3)
      expect(await verified(store, run?.id ?? '')).toMatchObject({ kind: 'whole', decisions: 1 })
    })

    test('of two debates sent at once, in all their rounds, are those of one; the other is refused as a whole', async () => {
      const [hard, easy] = [await found('continue'), await found('act')]
      const { services, store } = await serveWorld({ plan: { spotCheckRate: 1 } })
      const { options } = certifyInput(hard, 1)
      const sent = [3, 1, 4, 2].flatMap((rounds) => [hard, easy].map((debate) => ({ debate, rounds })))
      const answers = await Promise.allSettled(
        sent.map(({ debate, rounds }) => services.certify(certifyInput(debate, rounds, { id: 'q', options }), ANN)),
      )
      const taken = sent.filter((_, at) => answers[at]?.status === 'fulfilled')
      expect(taken).toHaveLength(4)
      expect(new Set(taken.map(({ debate }) => debate.id)).size).toBe(1)
      for (const answer of answers) {
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ parts: { status: 409 } })
      }
      const [run] = await store.runs.list(1)
      expect(await verified(store, run?.id ?? '')).toMatchObject({ kind: 'whole', decisions: 1 })
      expect((await store.debates.find(run?.id ?? '', 'q'))?.rounds).toBe(4)
    })

    test('that arrive late are answered with the decision and truncate nothing', async () => {
      const { services, store } = await serveWorld()
      let deferred: Debate | undefined
      for (const debate of debates) {
        const { kind } = await services.certify(certifyInput(debate, 4), ANN)
        if (kind !== 'defer') continue
        deferred = debate
        break
      }
      if (deferred === undefined) throw new Error('no debate that is deferred')
      const last = await services.certify(certifyInput(deferred, 4), ANN)
      const late = await services.certify(certifyInput(deferred, 2), ANN)
      expect([late.kind, late.decisionId]).toEqual(['defer', last.decisionId])
      const [run] = await store.runs.list(1)
      const stored = await store.debates.find(run?.id ?? '', last.id)
      expect(JSON.parse(stored?.debate ?? '').rounds).toHaveLength(4)
      expect(await verified(store, run?.id ?? '')).toMatchObject({ kind: 'whole' })
    })

    test.each([
      [1, 0.0001],
      [0.0001, 1],
    ])('are sampled as they first were, when the rate goes from %d to %d between two rounds', async (before, after) => {
      const hard = await found('continue')
      const first = await serveWorld({ plan: { spotCheckRate: before } })
      const { isSpotCheck } = await first.services.certify(certifyInput(hard, 1), ANN)
      first.kill()
      const { services, store } = await serveWorld({ store: first.store, plan: { spotCheckRate: after } })
      let last = await services.certify(certifyInput(hard, 2), ANN)
      for (let rounds = 3; last.kind === 'continue'; rounds++)
        last = await services.certify(certifyInput(hard, rounds), ANN)
      expect([isSpotCheck, last.isSpotCheck]).toEqual([before === 1, before === 1])
      const [run] = await store.runs.list(1)
      expect(await store.runs.findQuestion(run?.id ?? '', last.id)).toMatchObject({ isSpotCheck })
      const reviews = await store.reviews.list({ after: null, limit: 10 })
      const wanted = isSpotCheck ? ['spot-check'] : last.kind === 'act' ? [] : ['deferral']
      expect(reviews.map(({ source }) => source)).toEqual(wanted)
    })
  })

  describe('sampled for a spot check and not continued after their decision', () => {
    const WORTH = 40

    /** Every debate is sampled. The caller continues the first `goOn` of them after their decision. Labels stay as they are. */
    async function asked(goOn: number) {
      const world = await serveWorld({ plan: { spotCheckRate: 1 } })
      const { services, store } = world
      const announced = { acted: 0, wrong: 0, short: 0 }
      for (const [at, debate] of debates.slice(0, WORTH).entries()) {
        let last = await services.certify(certifyInput(debate, 1), ANN)
        for (let rounds = 2; rounds <= 4 && (last.kind === 'continue' || at < goOn); rounds++)
          last = await services.certify(certifyInput(debate, rounds), ANN)
        const isActed = last.kind === 'act'
        announced.acted += isActed ? 1 : 0
        announced.wrong += isActed && last.answer !== debate.gold ? 1 : 0
        announced.short += isActed && last.round < 4 && at >= goOn ? 1 : 0
        const label = { questionId: last.id, gold: debate.gold ?? null, source: 'import', by: null, at: 1 } as const
        await store.labels.addAll([{ ...label, id: `label ${at}`, runId: null }])
      }
      const [run] = await store.runs.list(1)
      if (run === undefined) throw new Error('the run is gone')
      return { ...world, announced, run }
    }

    test('are counted separately and refused as evidence, instead of leaving a biased rest', async () => {
      const { services, store, announced, run } = await asked(0)
      expect(announced.short).toBeGreaterThan(5)
      const point = await services.operatingPoint({ hidesBlind: false })
      expect(point).toMatchObject({ unfinished: { short: announced.short, failed: 0 }, leftOut: { stoppedEarly: 0 } })
      expect(point.debates.ids.length).toBe(WORTH - announced.short)
      const words = new RegExp(`^${announced.short} of ${WORTH} debates that were sampled`)
      const refusal = { parts: { status: 422, detail: expect.stringMatching(words) } }
      await expect(services.evaluate({})).rejects.toMatchObject(refusal)
      await expect(services.audit()).rejects.toMatchObject(refusal)
      const options = { profile: 'cells', budget: { beta: 0.2, delta: 0.03, epsilon: 0.02 } } as const
      const again = calibrateRun(store, { runId: run.id, options, beliefs: 'stated' })
      await expect(again).rejects.toThrow(`${announced.short} of ${WORTH} debates that were sampled`)
      const exported = (await all(exportLines(store, run, 'debates'))).map((line) => JSON.parse(line))
      expect(exported.filter(({ ended = null }) => ended === 'stopped')).toHaveLength(announced.short)
    })

    test('with all of them continued, everything counts', async () => {
      const { services, announced } = await asked(WORTH)
      const point = await services.operatingPoint({ hidesBlind: false })
      expect(point.unfinished).toEqual({ short: 0, failed: 0 })
      expect(point.debates.ids.length).toBe(WORTH)
      expect(announced.acted).toBeGreaterThan(5)
      expect((await services.evaluate({})).debates).toBe(WORTH)
    })

    test('debates that nobody could judge are evaluated, and are wrong whenever they are acted on', async () => {
      const { services, store } = await asked(WORTH)
      for (const [at, debate] of debates.slice(WORTH, WORTH + 5).entries()) {
        const { id } = await services.certify(certifyInput(debate, 4), ANN)
        const label = { questionId: id, gold: null, verdict: 'cannot-tell', source: 'spot-check' } as const
        await store.labels.addAll([{ ...label, id: `open ${at}`, runId: null, by: 'ann', at: 1 }])
      }
      const point = await services.operatingPoint({ hidesBlind: false })
      const open = point.debates.gold.flatMap((gold, row) => (gold === -2 ? [row] : []))
      const { rounds } = point.debates
      expect(open).toHaveLength(5)
      expect(open.flatMap((row) => point.debates.right.slice(row * rounds, (row + 1) * rounds))).not.toContain(1)
      expect(await services.evaluate({})).toMatchObject({ debates: WORTH + 5, unjudged: 5, untried: { short: 0 } })
    })
  })

  test('state how they were compared with the calibration questions, and are refused even if the letter case differs', async () => {
    const { services } = await serveWorld()
    const { debates: own } = await calibrated()
    const [debate] = own
    if (debate === undefined) throw new Error('no debate')
    const question = String(Reflect.get(debate, 'question'))
    for (const text of [question, ` ${question.toUpperCase()} .`]) {
      const seen = certifyInput(debate, 1, { id: 'another id', question: text })
      await expect(services.certify(seen, ANN)).rejects.toMatchObject({ parts: { status: 409 } })
    }
    const announced = certifyInput(debateAt(0), 1, { id: 'told', question: 'Is it new?' })
    expect(await services.certify(announced, ANN)).toMatchObject({ comparedBy: 'text' })
    expect(await services.certify(certifyInput(debateAt(0), 1), ANN)).toMatchObject({ comparedBy: 'id' })
  })

  test('are deferred while the policy is suspended, even if they would have acted or continued', async () => {
    const { services, store } = await serveWorld()
    await services.policy.suspend('for a while', ANN)
    const answers = await Promise.all(
      debates.slice(0, 10).map((debate) => services.certify(certifyInput(debate, 1), ANN)),
    )
    expect(answers.every(({ kind, reason }) => kind === 'defer' && reason === 'suspended')).toBe(true)
    const stored = await store.decisions.findById(answers[0]?.decisionId ?? '')
    expect(await verified(store, stored?.runId ?? '')).toMatchObject({ kind: 'whole', decisions: 10 })
  })

  test('send webhooks about actions and deferrals without any text', async () => {
    const { services, announced } = await serveWorld()
    for (const debate of debates.slice(0, 8))
      await services.certify(certifyInput(debate, 4, { question: 'Secret?' }), ANN)
    expect(new Set(announced.map(({ event }) => event))).toEqual(new Set(['decision.acted', 'decision.deferred']))
    expect(JSON.stringify(announced)).not.toContain('Secret?')
  })

  test('that cannot be read are refused with their place, and an unknown certificate with its field', async () => {
    const { services } = await serveWorld()
    const input = certifyInput(debateAt(0), 1)
    const broken = { ...input, rounds: [[{ agent: 'ada', answer: 'nobody said this' }]] }
    await expect(services.certify(broken, ANN)).rejects.toThrow(/rounds\[0\]\[0\]\.answer/)
    await expect(services.certify({ ...input, certificate: 'none' }, ANN)).rejects.toMatchObject({
      parts: { status: 422, errors: [{ field: 'certificate' }] },
    })
  })

  test('are refused without a certificate, and not deferred', async () => {
    const { services } = await serveWorld({ certified: null })
    await expect(services.certify(certifyInput(debateAt(0), 1), ANN)).rejects.toMatchObject({
      parts: { status: 503, detail: expect.stringContaining('refused, not deferred') },
    })
    expect((await services.monitor()).policy.state).toBe('none')
  })

  test('are in the ledger under the name of the poster', async () => {
    const { services, store } = await serveWorld()
    const bot = { name: 'triage', kind: 'machine', isLocal: false } as const
    for (const who of [ANN, { ...ANN, ...bot }]) {
      const { runId } = await services.certify(certifyInput(debateAt(0), 4), who)
      const [opening] = await store.ledger.list(runId, { after: 0, limit: 1 })
      const { name, kind, isLocal } = who
      expect(JSON.parse(opening?.line ?? '')).toMatchObject({
        kind: 'run-opened',
        body: { postedBy: { name, kind, isLocal } },
      })
    }
  })

  test('name the token that asked in the ledger row of every round, decided or not', async () => {
    const { services, store } = await serveWorld()
    const bot = { ...ANN, name: 'triage', kind: 'machine', isLocal: false } as const
    const runIds = new Set<string>()
    for (const rounds of [1, 4]) {
      for (const at of [0, 1, 2, 3]) runIds.add((await services.certify(certifyInput(debateAt(at), rounds), bot)).runId)
    }
    const [runId = ''] = runIds
    const rows = await store.ledger.list(runId, { after: 0, limit: 100 })
    const asked = rows.map(({ line }) => JSON.parse(line)).filter(({ kind }) => kind !== 'run-opened')
    expect(new Set(asked.map(({ kind }) => kind))).toEqual(new Set(['round-certified', 'decision']))
    expect(new Set(asked.map(({ body }) => body.caller.name))).toEqual(new Set(['triage']))
    expect(await verified(store, runId)).toMatchObject({ kind: 'whole' })
  })

  test('keep no unknown field: it might contain text', async () => {
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

/** All names that occur anywhere, for a replacer that sorts them. */
function flat(value: unknown): Record<string, true> {
  if (typeof value !== 'object' || value === null) return {}
  const own = Array.isArray(value) ? [] : Object.keys(value).map((name) => [name, true] as const)
  return Object.assign(Object.fromEntries(own), ...Object.values(value).map(flat))
}
