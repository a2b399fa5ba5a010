import { describe, expect, test } from 'vitest'
import { decidedClaim, decidedFacts } from '../../src/run/decided-claim.ts'
import { type Deciding, type Permissions, prepareDeciding, refuseOtherBudget } from '../../src/run/deciding.ts'
import { intakeOf } from '../../src/run/intake.ts'
import type { RunPlan } from '../../src/run/run-plan.ts'
import {
  countedModels,
  each,
  memoryStore,
  runWorld,
  samplePlan,
  sharedCertified,
  simulatedQuestions,
} from './run-world.ts'

const LABELLED = simulatedQuestions(150)
const FRESH = simulatedQuestions(10, { from: 150 })
const DECIDE = samplePlan({ kind: 'decide' })
const NOTHING = { sampled: 0, seen: 0, unexpected: 0, repeated: 0 }

function shared() {
  return sharedCertified(LABELLED)
}

async function deciding(plan: RunPlan = DECIDE, allow: Partial<Permissions> = {}): Promise<Deciding> {
  const { rows } = await intakeOf(each(FRESH))
  const permissions = { allowMismatch: false, allowSeen: false, ...allow }
  return prepareDeciding(await shared(), { panel: plan.panel, rows }, permissions)
}

function renamed(): RunPlan {
  const agents = DECIDE.panel.agents.map((agent) => ({ ...agent, name: agent.name === 'ada' ? 'anna' : agent.name }))
  return { ...DECIDE, panel: { ...DECIDE.panel, agents } }
}

function cooled(): RunPlan {
  const agents = DECIDE.panel.agents.map((agent) => ({ ...agent, temperature: 0.2 }))
  return { ...DECIDE, panel: { ...DECIDE.panel, agents } }
}

describe('the budget of a certificate', () => {
  const made = { profile: 'cells', budget: { beta: 0.2, delta: 0.03, epsilon: 0.02 } } as const

  test('is what it decides by: another promise is refused with the next step', async () => {
    const { certificate } = await shared()
    expect(() => refuseOtherBudget(certificate, made)).not.toThrow()
    // Cells need no epsilon.
    expect(() => refuseOtherBudget(certificate, { ...made, budget: { ...made.budget, epsilon: 0.1 } })).not.toThrow()
    for (const change of [{ beta: 0.01 }, { delta: 0.01 }]) {
      const asked = { ...made, budget: { ...made.budget, ...change } }
      expect(() => refuseOtherBudget(certificate, asked)).toThrow('with --beta 0.2 --delta 0.03')
    }
    expect(() => refuseOtherBudget(certificate, { ...made, profile: 'tight' })).toThrow(/with --profile cells$/)
  })

  test('is refused if the config defers a group that the certificate acts on', async () => {
    const { certificate } = await shared()
    const asked = { ...made, deferGroups: ['law'] }
    expect(() => refuseOtherBudget(certificate, asked)).toThrow(
      'has "law", and the certificate would act on such questions',
    )
    expect(() => refuseOtherBudget(certificate, { ...made, deferGroups: [] })).not.toThrow()
  })

  test('includes epsilon if it is over neighbourhoods', async () => {
    const tight = { ...made, profile: 'tight' } as const
    const { certificate } = await sharedCertified(LABELLED.slice(0, 60), tight)
    expect(() => refuseOtherBudget(certificate, tight)).not.toThrow()
    const asked = { ...tight, budget: { ...made.budget, epsilon: 0.01 } }
    expect(() => refuseOtherBudget(certificate, asked)).toThrow('--beta 0.2 --delta 0.03 --epsilon 0.02')
  })
})

describe('a panel with other settings', () => {
  test('is another panel, though models and prompts are the same', async () => {
    const { mismatch, differences, upFront } = await deciding(cooled())
    expect({ mismatch, upFront }).toEqual({ mismatch: ['settings'], upFront: 'uncalibrated' })
    expect(differences.map(({ of }) => of)).toEqual(['agent ada', 'agent bob', 'agent cleo'])
    expect((await deciding(cooled(), { allowMismatch: true })).upFront).toBeNull()
  })
})

describe('agents that the certificate does not know', () => {
  test('are not asked even if a mismatch is allowed, because it has no bound for them', async () => {
    const { models, asked } = countedModels()
    models.set('anna', models.get('ada') ?? { model: never(), insist: false })
    const store = memoryStore()
    const world = { store, plan: renamed(), questions: FRESH, certified: await shared(), models }
    const result = await runWorld({ ...world, allow: { allowMismatch: true } })
    expect(result.tally.deferred).toEqual({ uncalibrated: FRESH.length })
    expect(asked).toEqual([])
    expect((await deciding(renamed(), { allowMismatch: true })).isReadable).toBe(false)
  })
})

describe('what is claimed about a run that decided', () => {
  test('is the promise if nothing was overridden', async () => {
    const { isPromised, sentences } = decidedClaim(await deciding(), NOTHING)
    expect(isPromised).toBe(true)
    expect(sentences.join(' ')).toContain('at most beta = 0.2')
  })

  test.each([
    ['seen questions', { ...NOTHING, seen: 3 }, 'calibrated on 3 questions of these'],
    [
      'unexpected models',
      { ...NOTHING, unexpected: 1 },
      'other models answered than in the calibration (served), in 1 question',
    ],
  ])('is nothing with %s, which are named', async (_, facts, words) => {
    const { isPromised, sentences } = decidedClaim(await deciding(), facts)
    expect([isPromised, sentences.length]).toEqual([false, 1])
    expect(sentences[0]).toMatch(/^No promise: /)
    expect(sentences[0]).toContain(words)
  })

  test('is nothing for another panel, decided or not', async () => {
    for (const allowMismatch of [true, false]) {
      const { sentences } = decidedClaim(await deciding(cooled(), { allowMismatch }), { ...NOTHING, seen: 1 })
      expect(sentences).toEqual([
        expect.stringMatching(/^No promise: .*\(settings differ\); .* calibrated on 1 question of these\./),
      ])
    }
  })

  test('names a mixture of models that the certificate covers', async () => {
    const plain = await deciding()
    const mixed = { bob: { 'm-1': 98, 'm-2': 2 } }
    const { isPromised, sentences } = decidedClaim({ ...plain, certified: { ...plain.certified, mixed } }, NOTHING)
    expect(isPromised).toBe(true)
    expect(sentences.at(-1)).toContain('bob was answered by m-1 in 98 debates and by m-2 in 2 debates')
  })

  test('counts over the decisions of the whole run', async () => {
    const store = memoryStore()
    const questions = [...LABELLED.slice(0, 2), ...FRESH]
    const plan = samplePlan({ kind: 'decide', spotCheckRate: 1 })
    const world = { store, plan, questions, certified: await shared(), allow: { allowSeen: true } }
    const { runId } = await runWorld(world)
    expect(await decidedFacts(store, runId)).toEqual({ sampled: 12, seen: 2, unexpected: 0, repeated: 0 })
    const again = await runWorld(world)
    expect((await decidedFacts(store, again.runId)).repeated).toBe(questions.length)
  })
})

function never(): never {
  throw new Error('nobody is to be asked')
}
