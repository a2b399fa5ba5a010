import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../../../tools/postgres.ts'
import { openPostgres } from '../src/store/postgres/open-postgres.ts'
import { startFakeProvider } from '../test/fake-provider/fake-provider.ts'
import { fillProviderFolder } from '../test/run/provider-folder.ts'
import { limitRate, runQuorate, startFleet } from '../test/workers/fleet.ts'

/** How near four workers come to the rate of a provider, counted by the provider. The goal is 95 of 100 a second. */
const RATE = 100
const WORKERS = 4
/** From when all of them are at work to when the last debates come to their ends. */
const [FROM, TO] = [100, 800]

const start = await startPostgres({ fsync: 'off' })
if (start.kind === 'absent') {
  console.log(`rate: not measured: ${start.reason}`)
} else {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'))
  const fake = await startFakeProvider({ latencyMs: 20 })
  try {
    fillProviderFolder(folder, fake.url, { questions: 80, rounds: 4 })
    limitRate(folder, { host: new URL(fake.url).host, perSecond: RATE })
    const place = { folder, store: start.postgres.url }
    const { output } = await runQuorate(place, ['debate', 'questions.jsonl', '--detach', '--json'])
    const { runId }: { runId: string } = JSON.parse(output)
    const fleet = startFleet({ ...place, workers: WORKERS })
    const store = await openPostgres(start.postgres.url, { now: () => 0, connections: 1 })
    while ((await store.runs.find(runId))?.status !== 'done') await sleep(200)
    await fleet.stop()
    await store.close()
    const times = fake.log().map(({ at }) => at)
    const seconds = ((times[TO] ?? 0) - (times[FROM] ?? 0)) / 1000
    console.log(`${WORKERS} workers under ${RATE} requests/s: ${((TO - FROM) / seconds).toFixed(1)} requests/s`)
  } finally {
    await fake.close()
    await start.postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
