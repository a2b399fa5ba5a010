import { labelSchema } from '../../record/label.ts'
import { jsonOf } from '../../record/parse-stored.ts'
import { StoreError } from '../../record/store-error.ts'
import { checkedLimit } from '../checked-input.ts'
import { takeNumbers } from '../counters.ts'
import type { Engine } from '../engine.ts'
import { affectedBy, rowsOf, type Steps } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import { integer, jsonString, jsonText, ROWS_AT_ONCE } from '../row-schemas.ts'
import type { Tables } from '../schema.ts'
import type { LabelStore, StoredLabel } from '../store.ts'

const labelRow = labelSchema
  .extend({
    grades: jsonText.transform((text) => labelSchema.shape.grades.parse(jsonOf(text))).nullable(),
    text: jsonString.nullable(),
  })
  .describe('label')
const orderedSchema = labelRow.extend({ sequence: integer }).describe('label')

const LABEL_COLUMNS = [...orderedSchema.keyof().options, 'retractedAt'] as const

export function createLabelStore(engine: Engine): LabelStore {
  const labels = engine.queries.selectFrom('labels').selectAll().where('retractedAt', 'is', null)
  return {
    addAll: (added) => engine.write(() => addAll(engine, added)),
    of: (questionId) => engine.read(() => rowsOf(prepared(engine).of({ questionId }), labelRow)),
    async ofAll(questionIds) {
      if (questionIds.length === 0) return []
      const found = await engine.read(() => rowsOf(labels.where('questionId', 'in', questionIds), orderedSchema))
      // Sorted here, because no index has this order for several questions.
      return found.toSorted((left, right) => left.sequence - right.sequence).map(({ sequence: _, ...label }) => label)
    },
    list: async ({ after, limit, source }) => {
      const later = after === null ? labels : labels.where('id', '>', after)
      const filtered = source === undefined ? later : later.where('source', '=', source)
      return engine.read(() => rowsOf(filtered.orderBy('id').limit(checkedLimit(limit)), labelRow))
    },
  }
}

/** Runs for every debate that is read for calibration, and for every review. */
const prepared = perEngine((queries) => ({
  insert: preparedQuery(LABEL_COLUMNS, (row: Tables['labels']) =>
    queries
      .insertInto('labels')
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  ),
  of: preparedQuery(['questionId'], ({ questionId }: { readonly questionId: string }) =>
    queries
      .selectFrom('labels')
      .selectAll()
      .where('retractedAt', 'is', null)
      .where('questionId', '=', questionId)
      .orderBy('sequence'),
  ),
}))

export function* insertLabel(engine: Engine, label: StoredLabel): Steps<void> {
  const sequence = yield* takeNumbers(engine, 'labels', 1)
  if ((yield* affectedBy(prepared(engine).insert(rowOfLabel(label, sequence)))) > 0) return
  throw new StoreError('exists', `store: label ${label.id} exists, or its review has one`)
}

function* addAll(engine: Engine, labels: readonly StoredLabel[]): Steps<void> {
  const first = yield* takeNumbers(engine, 'labels', labels.length)
  for (let start = 0; start < labels.length; start += ROWS_AT_ONCE) {
    const page = labels.slice(start, start + ROWS_AT_ONCE)
    const rows = page.map((label, index) => rowOfLabel(label, first + start + index))
    const query = engine.queries.insertInto('labels').values(rows)
    const written = yield* affectedBy(query.onConflict((conflict) => conflict.doNothing()))
    if (written < rows.length) throw new StoreError('exists', `store: one of ${rows.length} labels exists`)
  }
}

function rowOfLabel({ grades = null, text = null, ...label }: StoredLabel, sequence: number): Tables['labels'] {
  return {
    verdict: 'option' as const,
    reviewId: null,
    ...label,
    grades: grades === null ? null : JSON.stringify(grades),
    text: text === null ? null : JSON.stringify(text),
    sequence,
    retractedAt: null,
  }
}
