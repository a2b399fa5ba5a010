import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SQLITE } from '../../chaos/engines.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import type { Received } from '../webhooks/receiver.ts'
import { type Evidence, findLosses } from './find-losses.ts'

interface Planted {
  readonly name: string
  /** What the check reports about it. */
  readonly words: RegExp
  /** A change of the database. */
  readonly sql?: string
  /** A change of the received messages. */
  readonly received?: (received: readonly Received[]) => readonly Received[]
}

const LAST_LABEL = 'select id from labels where retracted_at is null order by id desc limit 1'

/** What a server that loses or repeats something would leave behind. */
export const PLANTED: readonly Planted[] = [
  {
    name: 'a decision is gone',
    sql: 'delete from decisions where id = (select max(id) from decisions)',
    words: /not stored/,
  },
  {
    name: 'a decision is another',
    sql: "update decisions set answer = 'Z', kind = 'act' where id = (select min(id) from decisions)",
    words: /another now|never arrived/,
  },
  {
    name: 'a certified round is gone',
    sql: 'delete from certified where decision_id = (select max(decision_id) from certified)',
    words: /certify .* not stored/,
  },
  {
    name: 'a review is forgotten',
    sql: `update reviews set status = 'waiting' where id = (select review_id from labels where id = (${LAST_LABEL}))`,
    words: /review .* and is waiting/,
  },
  { name: 'a label is gone', sql: `delete from labels where id = (${LAST_LABEL})`, words: /it has 0 labels/ },
  {
    name: 'a label counts twice',
    sql: `insert into labels (id, sequence, run_id, question_id, gold, source, "by", at, verdict, review_id)
      select 'twice', -1, run_id, question_id, gold, source, "by", at, verdict, null from labels where id = (${LAST_LABEL})`,
    words: /labels count, of/,
  },
  {
    name: 'a row of the ledger is gone',
    sql: 'delete from ledger where sequence = (select max(sequence) - 1 from ledger)',
    words: /the ledger of/,
  },
  {
    name: 'a draw is forgotten',
    sql: `update decisions set decision = replace(decision, '"isSpotCheck":true', '"isSpotCheck":false')`,
    words: /the monitor says/,
  },
  {
    name: 'a webhook never came',
    // All copies are removed: a message that was acknowledged to a server that died is sent again.
    received: (all) => all.filter(({ headers }) => headers['quorate-delivery'] !== all[0]?.headers['quorate-delivery']),
    words: /never arrived/,
  },
  {
    name: 'a webhook came again as another message',
    received: (all) => [
      ...all,
      ...all.slice(0, 1).map((one) => ({ ...one, body: one.body.replace('"at":', '"at":1') })),
    ],
    words: /its copies differ/,
  },
  {
    name: 'a webhook is signed by somebody else',
    received: (all) => all.map((one) => ({ ...one, headers: { ...one.headers, 'quorate-signature': 't=1,v1=00' } })),
    words: /its signature is wrong/,
  },
]

export async function planted(
  { folder, ...evidence }: Omit<Evidence, 'store'> & { readonly folder: string },
  { sql, received, words }: Planted,
): Promise<{ readonly found: readonly string[]; readonly words: RegExp }> {
  const copy = temporaryFolder()
  const file = '.quorate/quorate.db'
  mkdirSync(join(copy, '.quorate'))
  copyFileSync(join(folder, file), join(copy, file))
  if (sql !== undefined) damage(join(copy, file), sql)
  const store = await SQLITE.open(copy)
  const found = await findLosses({
    ...evidence,
    store,
    received: received?.(evidence.received) ?? evidence.received,
  })
  await store.close()
  return { found, words }
}

function damage(file: string, sql: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  const { changes } = database.prepare(sql).run()
  database.close()
  if (changes === 0) throw new Error(`nothing was planted: ${sql}`)
}
