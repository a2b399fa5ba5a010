import { describe, expect, test } from 'vitest'
import { loadPrompts } from '../../src/debate/load-prompts.ts'
import type { PanelPlan } from '../../src/debate/panel.ts'
import { createModel } from '../../src/model/create-model.ts'
import { calibrateRun } from '../../src/run/calibration/calibrate-run.ts'
import { exportLines } from '../../src/run/exchange/export-lines.ts'
import type { RunPlan } from '../../src/run/run-plan.ts'
import type { Store } from '../../src/store/store.ts'
import { AGENTS, all, memoryStore, runWorld, samplePlan, simulatedQuestions } from './run-world.ts'

const LABELLED = simulatedQuestions(80)
const FRESH = simulatedQuestions(15, { from: 80 })

interface Turn {
  readonly samples?: readonly (string | null)[]
  readonly beliefs: Readonly<Record<string, number>> | null
  readonly conf?: object
}

/** A plan and models like those of `quorate debate` with the simulated panel. */
function world(elicitation: PanelPlan['elicitation'], seed = 7) {
  const base = samplePlan().panel
  const samples = elicitation === 'samples' ? 4 : 1
  const panel = { ...base, rounds: 2, elicitation, samples, prompts: loadPrompts() }
  const isSampled = elicitation === 'samples'
  const models = new Map(
    AGENTS.map((name) => {
      const model = createModel(`simulated/${name}`, { env: {}, now: () => 0, seed, isSampled })
      return [name, { model, insist: true }]
    }),
  )
  const plan: RunPlan = { ...samplePlan(), panel, seed, identity: JSON.stringify({ panel }) }
  return { plan, models }
}

async function exported(store: Store, runId: string): Promise<readonly string[]> {
  const run = await store.runs.find(runId)
  return run === null ? [] : all(exportLines(store, run, 'debates'))
}

describe.each(['vote', 'stated', 'samples', 'logprobs'] as const)('the simulated panel under %s', (elicitation) => {
  test('debates, calibrates and decides', async () => {
    const store = memoryStore()
    const made = world(elicitation)
    const { runId, tally, notices } = await runWorld({ store, ...made, questions: LABELLED })
    expect(tally.statuses).toMatchObject({ done: LABELLED.length })
    expect(notices).toEqual([])
    const turns: readonly Turn[] = (await exported(store, runId)).flatMap((line) => JSON.parse(line).rounds.flat())
    const holds = {
      vote: turns.every(
        ({ beliefs, samples, conf }) => beliefs === null && samples === undefined && conf === undefined,
      ),
      stated: turns.every(({ conf }) => conf !== undefined),
      samples:
        turns.every(({ samples }) => samples?.length === 4) && turns.some(({ samples }) => new Set(samples).size > 1),
      logprobs: turns.filter(({ beliefs }) => beliefs !== null).length > 0.9 * turns.length,
    }
    expect(holds[elicitation]).toBe(true)
    const options = { profile: 'cells', budget: { beta: 0.3, delta: 0.03, epsilon: 0.02 } } as const
    const { certified } = await calibrateRun(store, { runId, options, beliefs: undefined })
    const plan = { ...made.plan, kind: 'decide' } as const
    const decided = await runWorld({ store, plan, models: made.models, questions: FRESH, certified })
    expect(decided.tally.statuses).toMatchObject({ done: FRESH.length })
    expect(decided.tally.acted).toBeGreaterThan(0)
    expect(decided.tally.deferred).not.toHaveProperty('uncalibrated')
  })

  test('answers the same for the same seed, and differently for another', async () => {
    const questions = LABELLED.slice(0, 8)
    const saidWith = async (seed: number) => {
      const store = memoryStore()
      return exported(store, (await runWorld({ store, ...world(elicitation, seed), questions })).runId)
    }
    const first = await saidWith(7)
    expect(await saidWith(7)).toEqual(first)
    expect(await saidWith(8)).not.toEqual(first)
  })
})
