import { DatabaseSync } from 'node:sqlite'
import { canonicalJson, type Random, seededRandom, sha256 } from '@quorate/certificate'
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts'
import type { Run, StoredDebate } from '../../src/store/store.ts'

export interface ManyDebates {
  readonly count: number
  /** Of the words of one debate, about. */
  readonly textBytes: number
  readonly seed: number
}

export const AGENTS: readonly string[] = ['ada', 'bob', 'cleo', 'dan', 'eve']
export const ROUNDS = 4
const OPTIONS: readonly string[] = ['A', 'B', 'C', 'D']
const GROUPS: readonly string[] = ['law', 'medicine', 'physics', 'history', 'logic', 'trade', 'music', 'maths']
const WORDS = 'the panel weighs what was said before and finds that one option follows from the others '

export const MANY_RUN: Run = {
  id: '0198c0de-0000-7000-8000-000000000001',
  kind: 'debate',
  createdAt: 0,
  configHash: sha256('many'),
  questionsHash: sha256('debates'),
  config: canonicalJson({ imported: true }),
  certificateId: null,
  isShadow: false,
  seed: 0,
  status: 'done',
}

type Row = Pick<StoredDebate, 'questionId' | 'debate' | 'rounds' | 'status'>

/** Debates whose right option is the likelier the more agents say so; with words, as a store has them. */
export function* manyDebates({ count, textBytes, seed }: ManyDebates): Generator<Row> {
  const random = seededRandom(seed)
  const given = WORDS.repeat(Math.ceil(textBytes / ROUNDS / AGENTS.length / WORDS.length) + 1)
  for (let row = 0; row < count; row++) {
    const questionId = `question-${sha256(`${seed} ${row}`).slice(0, 24)}`
    const rounds = roundsOf(random, (length) => given.slice(0, length), textBytes / ROUNDS / AGENTS.length)
    const gold = OPTIONS[Math.floor(random() * OPTIONS.length)] ?? 'A'
    const debate = {
      quorate: 1,
      id: questionId,
      group: GROUPS[row % GROUPS.length],
      gold,
      question: `Question ${row}: which of these follows from case ${sha256(String(row))}?`,
      options: Object.fromEntries(OPTIONS.map((name) => [name, `${name} follows from case ${row}, as ${name} says`])),
      rounds: rounds.map((turns) => turns.map((turn) => ({ ...turn, answer: turn.isRight ? gold : turn.answer }))),
    }
    yield { questionId, debate: JSON.stringify(debate), rounds: ROUNDS, status: 'done' }
  }
}

function roundsOf(random: Random, words: (length: number) => string, length: number) {
  const skill = 0.35 + 0.6 * random()
  return Array.from({ length: ROUNDS }, (_, round) =>
    AGENTS.map((agent) => ({
      agent,
      isRight: random() < skill,
      answer: OPTIONS[Math.floor(random() * OPTIONS.length)] ?? 'A',
      conf: { verbal: Math.round(100 * (0.4 + 0.6 * random() * Math.min(1, skill + 0.1 * round))) / 100 },
      text: words(Math.floor(length * (0.5 + random()))),
      usage: { inputTokens: 900, outputTokens: 300 },
      served: ['model-2026-01'],
    })),
  )
}

/** A store that holds them as one run; past the store's own writes, which check and sync each. */
export async function fillSqlite(path: string, debates: ManyDebates): Promise<void> {
  const store = await openSqlite(path, { now: () => 0 })
  await store.runs.create(MANY_RUN, [])
  await store.close()
  const database = new DatabaseSync(path)
  database.exec('pragma foreign_keys = off; pragma synchronous = off; begin')
  const insert = database.prepare(
    `insert into debates (run_id, question_id, debate, rounds, status, at, is_erased, version) values ('${MANY_RUN.id}', ?, ?, ?, ?, 0, 0, 1)`,
  )
  for (const { questionId, debate, rounds, status } of manyDebates(debates)) {
    insert.run(questionId, debate, rounds, status)
  }
  database.exec('commit')
  database.close()
}
