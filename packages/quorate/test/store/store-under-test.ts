import { afterAll, onTestFinished } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import type { Fresh } from './conformance/harness.ts'
import { openedSqlite } from './opened.ts'

const inMemory: Fresh = async () => async () => openedSqlite(':memory:', { now: () => 0 })

let fresh = inMemory

/** Makes tests that are imported after this call run on another engine. Later files run on SQLite again. */
export function testOn(engine: Fresh): void {
  fresh = engine
  afterAll(() => {
    fresh = inMemory
  })
}

/** False on another engine, where a test that depends on no engine would only be repeated. */
export function isOnSqlite(): boolean {
  return fresh === inMemory
}

/** An empty store of the engine under test, by default SQLite in memory. It is closed after the test. */
export async function newStore(): Promise<Store> {
  const store = await (await fresh())()
  onTestFinished(() => store.close())
  return store
}
