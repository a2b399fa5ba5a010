import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { writeQuestion } from '../../../src/run/stored-question.ts'
import { hashOf } from '../../../src/server/access/identify.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { sampleId, sampleRun } from '../../store/samples.ts'

/** A seventh are spot checks. Ids are not in the order of rank. */
const FILL = `
  with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
  insert into run_questions (run_id, position, question_id, question, is_spot_check, status)
  select run_id, n, 'q' || n, question, iif(n % 7 = 0, 1, 0), 'done' from numbers, run_questions where position = 0`
const QUEUE = `
  insert into reviews (id, root, part, run_id, question_id, source, status, created_at, distance, rank, arrival, list, queue, sequence, skips)
  select printf('%012d', position), printf('%012d', position), 1, run_id, question_id, source, 'waiting', position, distance,
    iif(is_spot_check, position, distance), 0, list, list, position, 0
  from (select *, iif(is_spot_check, 'spot-check', 'deferral') as source, iif(is_spot_check, 'blind', 'open') as list, position * 7919 % 1000003 as distance
    from run_questions where position > 0)`

/** Fills the store of this folder with waiting items, and returns the tokens of the reviewers. */
export async function fillQueue(
  folder: string,
  { items, reviewers }: { readonly items: number; readonly reviewers: number },
): Promise<readonly string[]> {
  mkdirSync(join(folder, '.quorate'))
  const file = join(folder, '.quorate/quorate.db')
  const store = openSqlite(file, { now: () => 0 })
  const options = [{ name: 'A', text: 'A' }]
  const question = writeQuestion({ id: 'q0', question: 'what?', options, gold: null, group: null })
  await store.runs.create(sampleRun({ kind: 'decide' }), [
    { position: 0, questionId: 'q0', question, isSpotCheck: false },
  ])
  const tokens = Array.from({ length: reviewers }, (_, number) => `qt_${number}_`.padEnd(46, '0'))
  for (const [number, token] of tokens.entries()) {
    const about = { role: 'reviewer', kind: 'human', createdAt: 0, expiresAt: null } as const
    await store.tokens.create({ id: sampleId(number), name: `r${number}`, hash: hashOf(token), ...about })
  }
  await store.close()
  const database = new DatabaseSync(file)
  database.prepare(FILL).run(items)
  database.prepare(QUEUE).run()
  database.close()
  return tokens
}
