import { z } from 'zod'
import { StoreError } from '../record/store-error.ts'
import { checkedLimit } from './checked-input.ts'
import type { Engine } from './engine.ts'
import { affectedBy, rowOf, rowsOf, type Steps } from './operation.ts'
import { integer, jsonText } from './row-schemas.ts'
import type { StoredCertificate } from './schema.ts'
import type { CertificateStore } from './store.ts'

const listedSchema = z.object({ id: z.string(), at: integer }).describe('certificate')
const certificateSchema = listedSchema.extend({ file: jsonText }).describe('certificate')

export function createCertificateStore(engine: Engine): CertificateStore {
  const { queries } = engine
  return {
    save: (certificate) => engine.write(() => save(engine, certificate)),
    find: (id) => engine.read(() => rowOf(ofId(engine, id), certificateSchema)),
    list: async (limit) => {
      const query = queries.selectFrom('certificates').select(['id', 'at']).orderBy('at', 'desc').orderBy('id', 'desc')
      return engine.read(() => rowsOf(query.limit(checkedLimit(limit)), listedSchema))
    },
  }
}

function ofId({ queries }: Engine, id: string) {
  return queries.selectFrom('certificates').select(['id', 'file', 'at']).where('id', '=', id)
}

function* save(engine: Engine, certificate: StoredCertificate): Steps<void> {
  const query = engine.queries.insertInto('certificates').values(certificate)
  if ((yield* affectedBy(query.onConflict((conflict) => conflict.doNothing()))) > 0) return
  const saved = yield* rowOf(ofId(engine, certificate.id), certificateSchema)
  if (saved?.file === certificate.file) return
  throw new StoreError('exists', `store: another certificate has the id ${JSON.stringify(certificate.id)}`)
}
