import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { storeConformance } from './conformance.ts'
import { openedSqlite } from './opened.ts'
import { ALL_ROWS } from './rows.ts'
import { temporaryFolder } from './temporary-folder.ts'

const prepared = new Set<string>()

/** Records every query that the conformance suite runs. */
class RecordingDatabase extends DatabaseSync {
  override prepare(sql: string) {
    if (!sql.endsWith(ALL_ROWS)) prepared.add(sql)
    return super.prepare(sql)
  }
}

storeConformance(
  'SQLite',
  async () => {
    const file = join(temporaryFolder(), 'store.db')
    return async () => openedSqlite(file, { now: () => 0, connect: (path) => new RecordingDatabase(path) })
  },
  { sequences: 15 },
)

/** Queries that may read a whole index: the latest debates, also with a filter that has no index, and unretracted labels. */
const WHOLE_TABLE =
  /^select .* from "\w+" (where "retracted_at" is null )?order by .* limit \? \+ 0$|^select "debate"\..* order by .* limit \? \+ 0$|^select (count|max|sum)\(/s

describe('plans of the queries that the suite ran', () => {
  const plans = (sqls: Iterable<string>) => {
    const file = join(temporaryFolder(), 'store.db')
    void openedSqlite(file, { now: () => 0 }).close()
    const database = new DatabaseSync(file)
    const found = [...sqls].map((sql) => {
      const steps = database.prepare(`explain query plan ${sql}`).all()
      return { sql, plan: steps.map(({ detail }) => String(detail)) }
    })
    database.close()
    return found
  }
  // Figures over the hidden questions find the set by an index and then join it, which reads the whole set.
  const isOverHidden = (sql: string) =>
    /\(\s*select run_id, question_id from reviews where status = 'waiting'/.test(sql)
  const ofTables = () =>
    [...prepared].filter(
      (sql) => /^(select|update|delete) .*"\w+"/s.test(sql) && !/pragma|quorate_schema/.test(sql) && !isOverHidden(sql),
    )

  test('the reviews of a question are found by the question and not by status, which may have many', () => {
    const ofQuestions = [...prepared].filter((sql) => /reviews\.run_id = (question|debate)\.run_id/.test(sql))
    expect(ofQuestions.length).toBeGreaterThan(0)
    const byStatus = plans(ofQuestions).flatMap(({ plan }) =>
      plan.filter((step) => /reviews_by_(age|status)/.test(step)),
    )
    expect(byStatus).toEqual([])
  })

  test('the hidden questions are found by an index', () => {
    const found = plans([...prepared].filter(isOverHidden))
    expect(found.length).toBeGreaterThan(0)
    for (const { plan } of found) expect(plan.join(' ')).not.toMatch(/SCAN (reviews|decision|debate|question)\b/)
  })

  test('every lookup uses an index, and none sorts', () => {
    expect(ofTables().length).toBeGreaterThan(30)
    const slow = plans(ofTables()).filter(({ plan }) =>
      plan.some((step) => /^SCAN (?!\w+ USING (COVERING )?INDEX)|TEMP B-TREE FOR ORDER BY/.test(step)),
    )
    expect(slow).toEqual([])
  })

  test('only lists of a whole table scan an index', () => {
    const walks = plans(ofTables()).filter(({ plan }) => plan.some((step) => /^SCAN/.test(step)))
    for (const { sql } of walks) expect(sql).toMatch(WHOLE_TABLE)
    expect(walks.length).toBe(16)
  })

  test('no limit makes SQLite plan a query again at every run', () => {
    const limited = [...prepared].filter((sql) => / limit /.test(sql))
    expect(limited.length).toBeGreaterThan(10)
    for (const sql of limited) expect(sql).not.toMatch(/ limit \?(?! \+ 0)/)
  })

  test('the check itself detects a lookup without an index', () => {
    const [slow] = plans(['select * from "calls" where "fence" = ?'])
    expect(slow?.plan).toEqual(['SCAN calls'])
  })
})
