import { z } from 'zod'
import { StoreError } from '../../record/store-error.ts'
import { callSchema, createCallStore, openedBefore, storedOutcome } from '../calls/call-store.ts'
import { checkedParameter } from '../checked-input.ts'
import type { Engine } from '../engine.ts'
import { gathered } from '../gathered.ts'
import { rowOf, rowsOf } from '../operation.ts'
import type { QueryValues } from '../prepared-query.ts'
import { integer } from '../row-schemas.ts'
import { missingQuestion } from '../runs/run-rows.ts'
import { flag } from '../schema.ts'
import type { CallStore, CallsBefore, Intent } from '../store.ts'
import { cappedStatements } from './capped-calls.ts'
import { CLOSED_COLUMNS, gatheredStatements, LOOKUP_COLUMNS, OPENED_COLUMNS } from './gathered-calls.ts'

/**
 * Calls of questions that workers lease one by one. Where the other call store runs a transaction of several steps, this one
 * runs a single statement for all calls that are made at the same time, which commits by itself. The statement locks the row of
 * the question, so it is ordered before or after a process that takes over or erases the question. If the run has a cap, the
 * same statement also updates the spend.
 */
export function createSharedCallStore(engine: Engine): CallStore {
  const capped = cappedStatements(engine)
  const statements = gatheredStatements(engine)
  const together = <Result>(run: (items: readonly Values[]) => Promise<readonly Result[]>) =>
    gathered<Values, Result>({ most: AT_ONCE, later: setImmediate, run })
  const before = together(async (items) => {
    const rows = await engine.read(() => rowsOf(statements.before(lists(LOOKUP_COLUMNS, items)), beforeSchema))
    const placed = new Map<number, (typeof rows)[number][]>(items.map((_, index) => [index + 1, []]))
    for (const row of rows) placed.get(row.number)?.push(row)
    return [...placed.values()].map(beforeOf)
  })
  const open = together(async (items) => {
    const rows = await engine.read(() => rowsOf(statements.open(lists(OPENED_COLUMNS, items)), openedSchema))
    return inOrder(items, rows)
  })
  const close = together(async (items) => {
    const rows = await engine.read(() => rowsOf(statements.close(lists(CLOSED_COLUMNS, items)), closedSchema))
    return inOrder(items, rows)
  })
  return {
    ...createCallStore(engine),
    async open(intent) {
      const values = checked({ ...intent, isReminder: flag(intent.isReminder) })
      const found = await open(values)
      if (found === null || found.isOwner === 0 || found.isErased === 1 || found.isFree === 1) {
        return openedOf(found && { ...found, fits: 1 }, intent)
      }
      const opening = capped.open({ ...values, amount: intent.reservedMicroUsd ?? 0 })
      return openedOf(await engine.read(() => rowOf(opening, cappedSchema)), intent)
    },
    async close({ id, runId, fence }, state, outcome) {
      const values = checked({ id, runId, fence, state, ...storedOutcome(state, outcome) })
      const found = await close(values)
      if (found === null || found.isFree === 1) return found?.closed === 1
      return (await engine.read(() => rowOf(capped.close(values), countSchema)))?.closed === 1
    },
    before: async (runId, { questionId, agent, round, repeat, isReminder }, cacheKey) =>
      before(checked({ runId, questionId, agent, round, repeat, isReminder: flag(isReminder), cacheKey })),
  }
}

type Values = Readonly<Record<string, string | number | null>>

/** The most calls of one statement. A worker rarely has more at the same time. */
const AT_ONCE = 100

const number = integer
const openedSchema = z
  .object({ number, isOwner: integer, isErased: integer, isFree: integer, opened: integer })
  .describe('opened call')
const cappedSchema = openedSchema.omit({ number: true, isFree: true }).extend({ fits: integer })
const closedSchema = z.object({ number, isFree: integer, closed: integer }).describe('closed call')
const countSchema = z.object({ closed: integer }).describe('closed call')
const beforeSchema = callSchema.extend({ number, isOwn: integer }).describe('earlier call')

/** Checks a call before it joins others in a statement, so that an invalid value fails only its own call. */
function checked<Own extends Values>(values: Own): Own {
  for (const value of Object.values(values)) checkedParameter(value)
  return values
}

function lists(names: readonly string[], items: readonly Values[]): QueryValues {
  return Object.fromEntries(names.map((name) => [name, items.map((item) => item[name] ?? null)]))
}

/** Returns the row of each item; null for an item without one. */
function inOrder<Row extends { readonly number: number }>(items: readonly unknown[], rows: readonly Row[]) {
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  return items.map((_, index) => byNumber.get(index + 1) ?? null)
}

function beforeOf(rows: readonly z.infer<typeof beforeSchema>[]): CallsBefore {
  const own = rows.filter(({ isOwn }) => isOwn === 1)
  return {
    attempts: own.length,
    answered: own.find(({ state, reply }) => state === 'answered' && reply !== null) ?? null,
    cached: rows.find(({ isOwn }) => isOwn === 0) ?? null,
  }
}

function openedOf(found: z.infer<typeof cappedSchema> | null, intent: Intent): 'opened' | 'over-cap' {
  const { runId, questionId } = intent
  if (found === null) throw missingQuestion(runId, questionId)
  if (found.isOwner === 0) {
    throw new StoreError('fenced', `run ${runId}: another worker took the question over. This one drops it`)
  }
  if (found.isErased === 1) {
    throw new StoreError('erased', `store: run ${runId}: the text of ${JSON.stringify(questionId)} was erased`)
  }
  if (found.fits === 0) return 'over-cap'
  if (found.opened === 1) return 'opened'
  throw openedBefore(intent)
}
