import { once } from 'node:events'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startPostgres } from '../../../../tools/postgres.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { providerFolder } from '../run/provider-folder.ts'
import { runQuorate, startQuorate } from './fleet.ts'

const start = await startPostgres({ fsync: 'off' })

if (start.kind === 'absent') {
  test.skip(`a status that is watched: ${start.reason}`, () => {})
} else {
  const { url, stop } = start.postgres
  afterAll(stop)

  /** Makes the database unreachable and ends its connections, until the returned function is called. */
  const goAway = async () => {
    const socket = join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432')
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    renameSync(socket, `${socket}.away`)
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    )
    await admin.end()
    return () => renameSync(`${socket}.away`, socket)
  }

  test('a watched status waits for an unavailable database, reports that once, and sees a run taken over', async () => {
    const place = { folder: providerFolder('http://127.0.0.1:9', { questions: 2 }), store: url }
    const detached = await runQuorate(place, ['debate', 'questions.jsonl', '--detach', '--trust-config', '--json'])
    const { runId } = JSON.parse(detached.output)
    const child = startQuorate(place, ['status', '--watch'])
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output += text))
    try {
      await expect.poll(() => output).toContain('In the queue, and no worker works on it: no worker is alive.')
      const comeBack = await goAway()
      await expect.poll(() => output).toContain('quorate: waiting for the database')
      comeBack()
      await expect.poll(() => output).toMatch(/the database is back\n[\s\S]*In the queue/)
      expect(output.match(/waiting for the database/g)).toHaveLength(1)

      const store = await openPostgres(url, { now: () => 0, connections: 1 })
      await store.calls.takeOver(runId, 'one-process', 0)
      await store.close()
      const advice = `Not in the queue: it was taken back by --resume. Give it to workers:
  quorate debate QUESTIONS --resume ${runId.slice(0, 13)} --detach\n`
      await expect.poll(() => output).toContain(advice)
      expect(child.exitCode).toBe(null)
    } finally {
      child.kill('SIGINT')
      await once(child, 'close')
    }
  })
}
