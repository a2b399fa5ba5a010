import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { seededRandom } from '@quorate/certificate'
import { nextRow } from '../src/store/decisions/ledger-chain.ts'
import { openSqlite } from '../src/store/sqlite/open-sqlite.ts'
import type { LedgerRow } from '../src/store/store.ts'

/** Of columns that differ from copy to copy, what stands in them; `n` is the number of the copy. */
type Changes = Readonly<Record<string, string>>

const ID = "id || '.' || n"
const QUESTION = "few.question_id || '.' || n"
const IN_RUN = "few.run_id in (select id from few.runs where kind = 'decide')"

function renamed(column: string): string {
  return `replace(${column}, '"' || few.question_id || '"', '"' || ${QUESTION} || '"')`
}

const COPIED: Readonly<Record<string, Changes>> = {
  calls: { id: ID, question_id: QUESTION },
  debates: { question_id: QUESTION, debate: renamed('debate') },
  decisions: { id: ID, question_id: QUESTION, decision: renamed('decision') },
  certified: { question_id: QUESTION, decision_id: "decision_id || '.' || n" },
  reviews: {
    id: ID,
    root: "root || '.' || n",
    question_id: QUESTION,
    arrival: `iif(arrival = 0, 0, (select arrival from run_questions known where known.run_id = few.run_id and known.question_id = ${QUESTION}))`,
  },
  labels: { id: ID, question_id: QUESTION, review_id: "review_id || '.' || n" },
}

/** Without rows of single questions. */
const WHOLE: Readonly<Record<string, Changes>> = {
  runs: {},
  sampling_keys: {},
  certificates: {},
  call_archives: {},
  tokens: {},
  policy_events: { arrival: 'arrival * :copies' },
  policy_arrivals: { arrival: 'arrival * :copies' },
  decision_counts: { decided: 'decided * :copies', rounds: 'rounds * :copies' },
}

/**
 * Makes at least so many decisions of the few in this file, with all that belongs to them; the chains of the ledger are made
 * anew. Arrivals are mixed within each period: a stream that repeats what it has just shown raises the alarm of the drift monitor.
 */
export async function copyDecisions(file: string, decisions: number): Promise<void> {
  const few = `${file}.few`
  renameSync(file, few)
  await openSqlite(file, { now: () => 0 }).close()
  const database = new DatabaseSync(file)
  database.exec('pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -400000')
  database.prepare('attach ? as few').run(few)
  const copies = Math.ceil(decisions / Number(database.prepare('select count(*) as n from few.decisions').get()?.['n']))
  database.exec('begin; create temp table copy (n integer primary key)')
  for (let n = 0; n < copies; n++) database.prepare('insert into copy values (?)').run(n)
  for (const [table, changes] of Object.entries(WHOLE)) insert(database, { table, changes, copies, from: '' })
  copyQuestions(database, copies)
  for (const [table, changes] of Object.entries(COPIED)) {
    const sequence: Changes = table === 'labels' ? { sequence: 'sequence * :copies' } : {}
    const copied: Changes = table === 'labels' ? { sequence: 'sequence * :copies + n' } : {}
    insert(database, { table, changes: sequence, copies, from: `where not coalesce(${IN_RUN}, false)` })
    insert(database, { table, changes: { ...changes, ...copied }, copies, from: `, copy where ${IN_RUN}` })
  }
  database.exec(
    `update counters set value = (select value * ${copies} from few.counters few where few.name = counters.name)`,
  )
  for (const { id } of database.prepare('select distinct run_id as id from few.ledger').all()) {
    copyChain(database, String(id), copies)
  }
  database.exec('commit; detach few; pragma wal_checkpoint(truncate)')
  database.close()
  for (const end of ['', '-wal', '-shm']) rmSync(`${few}${end}`, { force: true })
}

interface Inserted {
  readonly table: string
  readonly changes: Changes
  readonly copies: number
  /** Further tables, and which rows. */
  readonly from: string
}

function insert(database: DatabaseSync, { table, changes, copies, from }: Inserted): void {
  const columns = database
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
  const values = columns.map((column) => (changes[column] ?? `few."${column}"`).replaceAll(':copies', String(copies)))
  const names = columns.map((column) => `"${column}"`)
  database.exec(`insert into main.${table} (${names}) select ${values} from few.${table} few ${from}`)
}

/** Marks of arrivals that no longer count are copied; that of a rate, which is the same throughout, stands at the first. */
const NOT_COUNTED = 2

function copyQuestions(database: DatabaseSync, copies: number): void {
  insert(database, { table: 'run_questions', changes: {}, copies, from: `where not ${IN_RUN}` })
  const ends = database.prepare('select distinct arrival from few.policy_events order by 1').all()
  const waits = `exists (select 1 from few.reviews review where review.run_id = few.run_id
    and review.question_id = few.question_id and review.status = 'waiting')`
  const rows = database
    .prepare(
      `select few.*, position * ${copies} as place, ${waits} as waits from few.run_questions few where ${IN_RUN}`,
    )
    .all()
  const arrivals = mixedArrivals(
    rows,
    ends.map(({ arrival }) => Number(arrival)),
    copies,
  )
  let add: ReturnType<DatabaseSync['prepare']> | null = null
  for (const { place, waits: _, ...row } of rows) {
    for (let n = 0; n < copies; n++) {
      const arrival = row['arrival'] === null ? null : (arrivals.get(`${row['arrival']} ${n}`) ?? null)
      const mark = row['rate_mark'] === NOT_COUNTED ? NOT_COUNTED : arrival === 1 ? 1 : null
      const copy: Readonly<Record<string, SQLInputValue>> = {
        ...row,
        position: Number(place) + n,
        question_id: `${row['question_id']}.${n}`,
        arrival,
        rate_mark: mark,
      }
      const names = Object.keys(copy)
      add ??= database.prepare(
        `insert into main.run_questions (${names.map((name) => `"${name}"`)}) values (${names.map(() => '?')})`,
      )
      add.run(...Object.values(copy))
    }
  }
}

/** From arrival and number of a copy to its arrival; what waits for a person came last. */
function mixedArrivals(
  rows: readonly Readonly<Record<string, unknown>>[],
  ends: readonly number[],
  copies: number,
): ReadonlyMap<string, number> {
  const random = seededRandom(3)
  const late = new Set(rows.filter((row) => row['waits'] === 1).map(({ arrival }) => String(arrival)))
  const last = rows.reduce((most, { arrival }) => Math.max(most, Number(arrival)), 0)
  const mixed = new Map<string, number>()
  let from = 0
  for (const to of [...ends.filter((end) => end > 0 && end < last), last]) {
    const names: string[] = []
    for (let arrival = from + 1; arrival <= to; arrival++) {
      for (let n = 0; n < copies; n++) names.push(`${arrival} ${n}`)
    }
    for (let at = names.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      const [left = '', right = ''] = [names[at], names[other]]
      names[at] = right
      names[other] = left
    }
    const inOrder = [false, true].flatMap((isLate) =>
      names.filter((name) => late.has(name.split(' ')[0] ?? '') === isLate),
    )
    for (const [at, name] of inOrder.entries()) mixed.set(name, from * copies + at + 1)
    from = to
  }
  return mixed
}

const OF_QUESTION: ReadonlySet<unknown> = new Set(['decision', 'round-certified'])

function copyChain(database: DatabaseSync, runId: string, copies: number): void {
  const lines = database.prepare('select sequence, line from few.ledger where run_id = ? order by sequence').all(runId)
  const textsOf = database.prepare('select * from few.ledger_texts where run_id = ? and sequence = ? order by position')
  const add = database.prepare('insert into main.ledger (run_id, sequence, line, hash) values (?, ?, ?, ?)')
  const addText = database.prepare(
    'insert into main.ledger_texts (run_id, sequence, position, digest, salt, text, question_id) values (?, ?, ?, ?, ?, ?, ?)',
  )
  let last: LedgerRow | null = null
  for (const { sequence, line } of lines) {
    const { at, body, kind } = JSON.parse(String(line))
    const texts = textsOf.all(runId, Number(sequence))
    const isOfQuestion = OF_QUESTION.has(kind)
    for (let n = 0; n < (isOfQuestion ? copies : 1); n++) {
      const named = isOfQuestion ? { ...body, questionId: `${body.questionId}.${n}` } : body
      const row: LedgerRow = nextRow({ runId, kind, at, body: named }, last)
      add.run(row.runId, row.sequence, row.line, row.hash)
      for (const { position, digest, salt, text, question_id } of texts) {
        const question = isOfQuestion ? `${question_id}.${n}` : String(question_id)
        addText.run(runId, row.sequence, Number(position), String(digest), textOrNull(salt), textOrNull(text), question)
      }
      last = row
    }
  }
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}
