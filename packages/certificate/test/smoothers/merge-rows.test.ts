import fc from 'fast-check'
import { expect, test } from 'vitest'
import { binRows } from '../../src/smoothers/feature-bins.ts'
import { mergeRows } from '../../src/smoothers/merge-rows.ts'

const row = fc.record({ features: fc.tuple(fc.nat(3), fc.nat(2)), label: fc.nat(1) })

test('merged rows are the distinct ones in the order of their first, with how many they are', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (rows) => {
      const features = Float64Array.from(rows.flatMap((each) => each.features))
      const binned = binRows(features, 2, 255)
      const merged = mergeRows(
        binned,
        Uint8Array.from(rows, ({ label }) => label),
      )
      const slow = new Map<string, number>()
      for (const [at, { label }] of rows.entries()) {
        const key = [...binned.cells.subarray(2 * at, 2 * at + 2), label].join()
        slow.set(key, (slow.get(key) ?? 0) + 1)
      }
      const found = Array.from(merged.counts, (count, at): [string, number] => [
        [...merged.cells.subarray(2 * at, 2 * at + 2), merged.labels[at]].join(),
        count,
      ])
      expect(found).toEqual([...slow])
    }),
  )
})

test('values of one bin merge, labels never do', () => {
  const binned = binRows(Float64Array.of(1, 2, 3, 4, 5, 6), 1, 2)
  const { counts, labels } = mergeRows(binned, Uint8Array.of(0, 0, 1, 1, 1, 1))
  expect([...labels]).toEqual([0, 1, 1])
  expect([...counts]).toEqual([2, 1, 3])
})
