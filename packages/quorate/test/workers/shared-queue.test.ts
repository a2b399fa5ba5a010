import { expect, test } from 'vitest'
import { createNotices } from '../../src/run/calls/notices.ts'
import { prepareServing } from '../../src/run/deciding.ts'
import type { EarlyWarning } from '../../src/run/early-warning.ts'
import { debateAndSettle } from '../../src/run/work.ts'
import { claimedQuestion } from '../../src/run/workers/shared-queue.ts'
import type { SharedRunContext } from '../../src/run/workers/shared-run.ts'
import type { SharedRun, SharedStore } from '../../src/store/shared-store.ts'
import type { RunQuestion, Store } from '../../src/store/store.ts'
import { samplePlan, simulatedQuestions } from '../run/run-world.ts'
import { calibrated } from '../server/deciding/world.ts'
import { sampleRun } from '../store/samples.ts'
import { onlyParts } from './only-parts.ts'

/** The result of a server's question on a worker whose settings differ from the calibrated ones. */
async function decided(allowMismatch: boolean) {
  const { certified } = await calibrated()
  const plan = samplePlan({ kind: 'decide' })
  const settings = plan.panel.agents.map((agent) => ({ ...agent, temperature: 0.123 }))
  const panel = { ...plan.panel, agents: settings }
  const deciding = prepareServing(certified, panel, false)
  expect(deciding.mismatch.length).toBeGreaterThan(0)
  const served = { allowSeen: false, targets: [] }
  const options = JSON.stringify({ allowMismatch, allowUnpriced: false, seen: [], served })
  const settled: (string | null | undefined)[] = []
  const tools = onlyParts<SharedRunContext['tools']>({
    now: () => 1,
    newId: () => 'id',
    newSalt: () => 'salt',
    sleep: () => new Promise<void>(() => {}),
    stopping: new AbortController().signal,
    aborting: new AbortController().signal,
    warning: onlyParts<EarlyWarning>({ found: () => null }),
    store: onlyParts<Store>({
      policy: { currentSuspension: async () => null },
      decisions: {
        async settle({ decision }) {
          settled.push(decision?.reason)
          return { kind: 'settled', row: null, arrival: null }
        },
      },
    }),
  })
  const calls = {
    async before(): Promise<never> {
      throw new Error('it is debated')
    },
  }
  const models = new Map(panel.agents.map(({ name }) => [name, { model: { id: name, provider: 'simulated' } }]))
  const job = onlyParts<SharedRunContext>({
    plan: { ...plan, panel },
    tools,
    deciding,
    isServed: true,
    telemetry: null,
    opened: { run: sampleRun({ kind: 'decide' }), fence: 'f', isResumed: true, lostCalls: 0 },
    calls: onlyParts<SharedRunContext['calls']>({
      calls,
      notices: createNotices(),
      models: models as never,
      runId: 'run',
    }), // never asked
  })
  const [question] = simulatedQuestions(1, { seed: 99 })
  const row: RunQuestion = {
    runId: 'run',
    position: 0,
    questionId: 'new',
    isSpotCheck: false,
    status: 'pending',
    samplingKey: null,
    samplingRate: null,
    question: JSON.stringify({ ...question, id: 'new' }),
  }
  const shared = onlyParts<SharedStore>({
    runs: { find: async () => onlyParts<SharedRun>({ options: options as never }) },
  }) // a text
  await debateAndSettle(await claimedQuestion(job, row, { shared }))
  return settled
}

test('a worker whose panel differs from the calibrated one defers a question of a server without a call', async () => {
  expect(await decided(false)).toEqual(['uncalibrated'])
})

test('it debates the question if the server allows a mismatch', async () => {
  await expect(decided(true)).rejects.toThrow('it is debated')
})
