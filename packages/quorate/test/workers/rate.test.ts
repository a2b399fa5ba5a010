import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { startPostgres } from '../../../../tools/postgres.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { startFakeProvider } from '../fake-provider/fake-provider.ts'
import { providerFolder } from '../run/provider-folder.ts'
import { limitRate, runHere, startFleet } from './fleet.ts'

const start = await startPostgres({ fsync: 'off' })

/** How close workers come to the rate is a benchmark: `npm run bench -- rate`. */
const MOST = 110
const WORKERS = 4
/** A worker that joins others waits six seconds before it sends. After that, all four send their share. */
const JOINED_MS = 7000
const QUESTIONS = sized({ short: 40, full: 80 })

if (start.kind === 'absent') {
  test.skip(`a rate that workers keep together: ${start.reason}`, () => {})
} else {
  const { postgres } = start
  afterAll(postgres.stop)

  test('four workers together never exceed a rate, counted by the provider over every second', async () => {
    const fake = await startFakeProvider({ latencyMs: 20 })
    const folder = providerFolder(fake.url, { questions: QUESTIONS, rounds: 4 })
    limitRate(folder, { host: new URL(fake.url).host, perSecond: 100 })
    const place = { folder, store: postgres.url }
    const fleet = startFleet({ ...place, workers: WORKERS })
    await fleet.ready(WORKERS)
    await sleep(JOINED_MS)
    const queued = await runHere(place, ['debate', 'questions.jsonl', '--detach', '--json'])
    expect(queued.code, queued.output).toBe(0)
    const { runId } = JSON.parse(queued.output) as { runId: string }
    const store = await openPostgres(postgres.url, { now: () => 0, connections: 1 })
    while ((await store.runs.find(runId))?.status !== 'done') await sleep(200)
    await fleet.stop()
    await store.close()
    const times = fake.log().map(({ at }) => at)
    await fake.close()
    expect(times.length).toBe(QUESTIONS * 3 * 4)
    expect(mostInASecond(times)).toBeLessThanOrEqual(MOST)
  })
}

function mostInASecond(times: readonly number[]): number {
  let most = 0
  for (let from = 0, to = 0; to < times.length; to++) {
    while ((times[to] ?? 0) - (times[from] ?? 0) >= 1000) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}
