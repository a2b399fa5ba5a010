import { z } from 'zod'
import { StoreError } from '../record/store-error.ts'
import type { Engine } from './engine.ts'
import { rowOf, type Steps } from './operation.ts'
import { perEngine } from './per-engine.ts'
import { preparedQuery } from './prepared-query.ts'
import { integer } from './row-schemas.ts'
import type { CounterName } from './schema.ts'

const counterSchema = z.object({ value: integer }).describe('counter')

/** Takes `count` consecutive numbers and returns the first. Operations that take numbers of this name wait for the commit. */
export function* takeNumbers(engine: Engine, name: CounterName, count: number): Steps<number> {
  return checked(name, yield* rowOf(prepared(engine).take({ name, count }), counterSchema)) - count + 1
}

/** The last number that was taken; 0 before the first. */
export function* lastNumber(engine: Engine, name: CounterName): Steps<number> {
  return checked(name, yield* rowOf(prepared(engine).last({ name }), counterSchema))
}

function checked(name: CounterName, counter: { readonly value: number } | null): number {
  if (counter === null) throw new StoreError('damaged', `store: the counter of ${name} is missing: restore a backup`)
  return counter.value
}

type Name = { readonly name: CounterName }

const prepared = perEngine((queries) => ({
  take: preparedQuery(['name', 'count'], ({ name, count }: Name & { readonly count: number }) =>
    queries
      .updateTable('counters')
      .set(({ eb, val }) => ({ value: eb('value', '+', val(count)) }))
      .where('name', '=', name)
      .returning('value'),
  ),
  last: preparedQuery(['name'], ({ name }: Name) =>
    queries.selectFrom('counters').select('value').where('name', '=', name),
  ),
}))
