import { z } from 'zod'
import { parseStored } from '../../../record/parse-stored.ts'
import type { Store } from '../../../store/store.ts'
import { ProblemError } from '../../problem-response.ts'
import type { Services } from '../../services.ts'

/** Makes a page from up to `limit + 1` rows. The extra row shows that there is a next page. */
export function pageOfRows<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string) {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(last) : null }
}

export function badCursor(): ProblemError {
  const errors = [{ field: 'cursor', expected: 'the `next` of the page before' }]
  return new ProblemError({ status: 400, detail: 'The cursor cannot be read.', errors })
}

export function labelList({ labels }: Store): Services['labels'] {
  return {
    async list({ cursor = null, limit, source }) {
      const filter = source === undefined ? {} : { source }
      const rows = await labels.list({ after: cursor, limit: limit + 1, ...filter })
      const { items, next } = pageOfRows(rows, limit, ({ id }) => id)
      const shown = items.map(({ id, questionId, gold, source: from, by, at }) => ({
        id,
        questionId,
        gold,
        source: from,
        by,
        at,
      }))
      return { items: shown, next }
    },
  }
}

const lineSchema = z.record(z.string(), z.unknown())

export function ledgerList({ ledger }: Store): Services['ledger'] {
  return {
    async list({ run, cursor, limit }) {
      const after = cursor === undefined ? 0 : Number(cursor)
      if (!Number.isSafeInteger(after) || after < 0) throw badCursor()
      const rows = await ledger.list(run, { after, limit: limit + 1 })
      const { items, next } = pageOfRows(rows, limit, ({ sequence }) => String(sequence))
      const shown = items.map(({ runId, sequence, hash, line }) => ({
        runId,
        sequence,
        hash,
        line: parseStored(lineSchema, line, `row ${sequence} of the ledger`),
        isHidden: false,
      }))
      return { items: shown, next }
    },
  }
}
