import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { writeQuestion } from '../../../src/run/stored-question.ts'
import { openedSqlite } from '../opened.ts'
import { addReview } from '../rows.ts'
import { sampleId, sampleReview, sampleRun } from '../samples.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { verifyChain } from '../verify-chain.ts'

const TIMEOUT_MS = 180_000

async function filled(items: number): Promise<string> {
  const file = join(temporaryFolder(), 'store.db')
  const store = openedSqlite(file, { now: () => 0 })
  const options = [{ name: 'A', text: 'A' }]
  const rows = Array.from({ length: items }, (_, position) => {
    const questionId = `q${position}`
    const question = writeQuestion({ id: questionId, question: 'what?', options, gold: null, group: null })
    return { position, questionId, question, isSpotCheck: position % 5 === 0 }
  })
  await store.runs.create(sampleRun({ kind: 'decide' }), rows)
  const add = ({ questionId, isSpotCheck, position }: (typeof rows)[number]) =>
    addReview(
      store,
      sampleReview(position, {
        questionId,
        source: isSpotCheck ? 'spot-check' : 'deferral',
        distance: (position % 7) / 10,
      }),
    )
  await Promise.all(rows.map(add))
  await store.close()
  return file
}

/** What the process reported. It is killed after `killAfter` reports. */
async function review(file: string, name: string, killAfter: number): Promise<readonly (readonly [string, string])[]> {
  const script = new URL('./reviewing-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--conditions=quorate-source', script, file, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  const given: [string, string][] = []
  for await (const line of createInterface(child.stdout)) {
    // The kill may have truncated the last line in the pipe.
    const [, kind, id] = /^(\S+) (\S+) end$/.exec(line) ?? []
    if (kind === undefined || id === undefined) continue
    given.push([kind, id])
    if (given.length === killAfter) child.kill('SIGKILL')
  }
  await exit
  return given
}

const idsOf = (given: readonly (readonly [string, string])[], kind: string) =>
  given.filter(([each]) => each === kind).map(([, id]) => id)

test(
  'three processes with eight reviewers each never get the same item, and review all of them',
  async () => {
    const file = await filled(240)
    const all = (await Promise.all(['a', 'b', 'c'].map((name) => review(file, name, Number.POSITIVE_INFINITY)))).flat()
    const claimed = idsOf(all, 'claimed')
    expect(claimed.length).toBe(240)
    expect(new Set(claimed).size).toBe(240)
    expect(idsOf(all, 'submitted').toSorted()).toEqual(claimed.toSorted())
  },
  TIMEOUT_MS,
)

test(
  'kill -9 during reviews: what was acknowledged is there, with one label, one entry and one message each',
  async () => {
    const file = await filled(300)
    const acknowledged = new Set<string>()
    for (const [number, killAfter] of [40, 90, 150, 33].entries()) {
      for (const id of idsOf(await review(file, `p${number}`, killAfter), 'submitted')) acknowledged.add(id)
    }
    const store = openedSqlite(file, { now: () => 0 })
    const submitted = await store.reviews.list({ after: null, limit: 1000, status: 'submitted' })
    const ids = submitted.map(({ id }) => id)
    expect([...acknowledged].filter((id) => !ids.includes(id))).toEqual([])
    expect(acknowledged.size).toBeGreaterThan(80)
    const labels = await store.labels.list({ after: null, limit: 1000 })
    expect(labels.map(({ reviewId }) => reviewId).toSorted()).toEqual(ids)
    const rows = await store.ledger.list(sampleId(1), { after: 0, limit: 1000 })
    expect(verifyChain(rows).kind).toBe('whole')
    expect(rows.map(({ line }) => JSON.parse(line).body.reviewId).toSorted()).toEqual(ids)
    await store.close()
    const database = new DatabaseSync(file)
    const subjects = database.prepare('select subject from outbox order by subject').all()
    database.close()
    expect(subjects.map(({ subject }) => subject)).toEqual(ids)
  },
  TIMEOUT_MS,
)
