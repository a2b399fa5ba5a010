import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { rowsOf } from '../operation.ts'
import { integer, jsonText } from '../row-schemas.ts'
import type { BatchStore } from '../store.ts'

const batchSchema = z
  .object({ id: z.string(), url: z.string(), remoteId: z.string().nullable(), keys: jsonText, at: integer })
  .describe('batch')

export function createBatchStore(engine: Engine): BatchStore {
  const { queries } = engine
  return {
    async open(batch) {
      await engine.writeOne(queries.insertInto('batches').values({ ...batch, remoteId: null }))
    },
    async sent(id, remoteId) {
      await engine.writeOne(queries.updateTable('batches').set({ remoteId }).where('id', '=', id))
    },
    async forget(id) {
      await engine.writeOne(queries.deleteFrom('batches').where('id', '=', id))
    },
    // Ids are ordered by time. The condition makes the engine use their index.
    list: () =>
      engine.read(() =>
        rowsOf(queries.selectFrom('batches').selectAll().where('id', '>', '').orderBy('id'), batchSchema),
      ),
  }
}
