import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { rowOf, runAll, type Steps, together } from '../../src/store/operation.ts'

const query = (text: string) => ({ compile: () => CompiledQuery.raw(text) })
const read = (text: string) => rowOf(query(text), z.string())

/** Records the steps as they are sent. The answer to a query is a row with its text. */
function sentBy<Result>(steps: Steps<Result>) {
  const sent: string[][] = []
  let step = steps.next()
  while (step.done !== true) {
    const texts = step.value.queries.map(({ sql }) => sql)
    sent.push(step.value.isUnread ? ['unread', ...texts] : texts)
    step = steps.next(texts.map((text) => ({ rows: [{ text }], affected: 0 })))
  }
  return { sent, result: step.value }
}

function* locked(name: string, ...reads: readonly string[]): Steps<readonly unknown[]> {
  yield* runAll([query(`lock ${name}`)])
  const rows: unknown[] = []
  for (const text of reads) rows.push((yield* rowOf(query(text), z.looseObject({})))?.['text'])
  return rows
}

test('combined operations take as many steps as the longest, lock before they read, and get their own answers', () => {
  const { sent, result } = sentBy(together(locked('a', 'a1', 'a2'), locked('b', 'b1'), locked('c')))
  expect(sent).toEqual([['lock a', 'a1', 'lock b', 'b1', 'lock c'], ['a2']])
  expect(result).toEqual([['a1', 'a2'], ['b1'], []])
})

test('combined operations that only write stay unread, and empty ones send nothing', () => {
  expect(sentBy(together(locked('a'), locked('b'))).sent).toEqual([['unread', 'lock a', 'lock b']])
  expect(sentBy(together(runAll([]), runAll([]))).sent).toEqual([])
})

test('an error of one combined operation ends all of them', () => {
  expect(() => sentBy(together(read('x'), locked('b', 'b1')))).toThrow('the row cannot be read')
})
