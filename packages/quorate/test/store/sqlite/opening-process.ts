import { StoreError } from '../../../src/record/store-error.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'

/** Opens the file of its argument and prints the result. */
const [, , file = ''] = process.argv
try {
  const store = openSqlite(file, { now: () => 0 })
  await store.runs.finish('none')
} catch (error) {
  process.stdout.write(error instanceof StoreError ? `StoreError ${error.kind}: ${error.message}` : String(error))
}
