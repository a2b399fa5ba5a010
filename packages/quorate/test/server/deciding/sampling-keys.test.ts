import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportLines } from '../../../src/run/exchange/export-lines.ts'
import { commitmentOf } from '../../../src/run/intake.ts'
import { verifyBundle } from '../../../src/run/verify/verify-bundle.ts'
import type { Store } from '../../../src/store/store.ts'
import { all, memoryStore } from '../../run/run-world.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import { decided, FRESH, inputOf, serveWorld } from './world.ts'

const DAY_MS = 86_400_000
const keyOf = (number: number) => String(number).repeat(64)

async function bundleOf(store: Store, runId: string) {
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  const lines = await all(exportLines(store, run, 'bundle'))
  const path = join(temporaryFolder(), 'run.bundle')
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  return { verdict: await verifyBundle(path), sampling: JSON.parse(lines[0] ?? '').sampling }
}

test('a server replaces the key of its run every day, and then discloses the one before', async () => {
  const store = memoryStore()
  let time = 1_790_000_000_000
  let keys = 0
  const tools = { now: () => ++time, newKey: () => keyOf(++keys) }
  const { services } = await serveWorld({ store, plan: { spotCheckRate: 0.5 }, tools })
  const who = { kind: 'machine', role: 'admin', name: 'm', isLocal: false } as const
  const ask = async (from: number) => {
    let runId = ''
    for (const question of FRESH.slice(from, from + 4)) {
      const { id } = await services.decisions.ask(inputOf(question), { who, idempotencyKey: null })
      runId = (await decided(services, id)).runId
    }
    return runId
  }
  const runId = await ask(0)
  const open = await bundleOf(store, runId)
  expect(open.sampling).toEqual([{ commitment: commitmentOf(keyOf(1)), key: null }])
  expect(open.verdict).toMatchObject({ kind: 'whole', decisions: 4, repeatedSelections: 0, uncheckedSelections: 4 })
  time += DAY_MS
  expect(await ask(4)).toBe(runId)
  const later = await bundleOf(store, runId)
  expect(later.sampling).toEqual([
    { commitment: commitmentOf(keyOf(1)), key: keyOf(1) },
    { commitment: commitmentOf(keyOf(2)), key: null },
  ])
  expect(later.verdict).toMatchObject({ kind: 'whole', decisions: 8, repeatedSelections: 4, uncheckedSelections: 4 })
})
