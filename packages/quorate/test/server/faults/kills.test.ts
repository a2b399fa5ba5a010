import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sized } from '../../../../../tools/lane.ts'
import { checkAccount } from '../../chaos/account.ts'
import { SQLITE } from '../../chaos/engines.ts'
import { findLosses } from './find-losses.ts'
import { submissionsOf } from './journal.ts'
import { PLANTED, planted } from './planted-losses.ts'
import { runFaults } from './run-faults.ts'

const TIMEOUT_MS = 5 * 60_000

const lasting = mkdtempSync(join(tmpdir(), 'quorate-kills-'))
afterAll(() => rmSync(lasting, { recursive: true, force: true }))

/** Every way in which a review can end occurs at least once. */
const ENDS = ['retracted', 'stands', 'undone'] as const

let made: ReturnType<typeof runAll> | null = null

/** The evidence of both tests. Its store is in a folder that outlives the test that comes first. */
async function runAll() {
  const ended = await runFaults({ engine: SQLITE, kills: sized({ short: 6, full: 20 }), seed: 17, ends: ENDS })
  cpSync(ended.folder, lasting, { recursive: true })
  return { ...ended, folder: lasting }
}

function runOnce() {
  made ??= runAll()
  return made
}

test(
  'killed several times amid questions, reviews and webhooks, the server loses nothing and counts nothing twice',
  async () => {
    const ended = await runOnce()
    const store = await SQLITE.open(ended.folder)
    expect(await findLosses({ ...ended, store })).toEqual([])
    const [first] = ended.journal.decisions.values()
    await checkAccount(store, first?.accepted.runId ?? '', ended.provider)
    await store.close()
    const ends = new Set(submissionsOf(ended.journal).map(({ end }) => end))
    expect([...ends].toSorted()).toEqual([...ENDS])
  },
  TIMEOUT_MS,
)

test('the check finds each loss that is planted after a run', {
  timeout: TIMEOUT_MS,
}, async () => {
  const ended = await runOnce()
  const store = await SQLITE.open(ended.folder)
  expect(await findLosses({ ...ended, store })).toEqual([])
  await store.close()
  for (const loss of PLANTED) {
    const { found, words } = await planted(ended, loss)
    expect(found.join('\n'), loss.name).toMatch(words)
  }
})
