import { onTestFinished } from 'vitest'
import type { Store } from '../../../src/store/store.ts'

/** Opens a store on one database. Each call returns another instance on it. */
export type OpenStore = () => Promise<Store>

/** Creates a new, empty database on each call. */
export type Fresh = () => Promise<OpenStore>

/** A store on a new database. It is closed after the test. */
export async function freshStore(fresh: Fresh): Promise<Store> {
  const [store] = await freshStores(fresh, 1)
  if (store === undefined) throw new Error('no store')
  return store
}

/** Several instances on one new database. */
export async function freshStores(fresh: Fresh, count: number): Promise<readonly Store[]> {
  const open = await fresh()
  const stores: Store[] = []
  for (let i = 0; i < count; i++) stores.push(await open())
  onTestFinished(async () => {
    for (const store of stores) await store.close()
  })
  return stores
}

/** Reads all rows of a paged list, in pages of two. */
export async function allPages<Row>(
  read: (after: string | null, limit: number) => Promise<readonly Row[]>,
  key: (row: Row) => string,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (;;) {
    const last = rows.at(-1)
    const page = await read(last === undefined ? null : key(last), 2)
    if (page.length > 2) throw new Error('a page is longer than its limit')
    if (page.length === 0) return rows
    rows.push(...page)
  }
}
