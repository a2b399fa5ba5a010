import type { Compilable, Kysely, RawBuilder } from 'kysely'
import type { Tables } from '../schema.ts'

/** One step of the schema, never changed once released: the next change is the next number. */
export interface Migration {
  readonly version: number
  readonly name: string
  statements(queries: Kysely<Tables>, types: ColumnTypes): readonly Compilable[]
}

/** What the engines call the same thing. */
export interface ColumnTypes {
  /** Ordered by code point on both. */
  readonly text: RawBuilder<unknown>
  /** Of 64 bits. */
  readonly integer: RawBuilder<unknown>
  /** Written after the columns of a table. */
  readonly tableEnd: RawBuilder<unknown>
}
