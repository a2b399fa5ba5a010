import { sha256 } from '@quorate/certificate'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentColumns } from '../../../src/run/calibration/calibration-debates.ts'
import { contentKey, contentOf } from '../../../src/run/calibration/content-hash.ts'
import { digestSet } from '../../../src/run/calibration/digest-set.ts'

/** Some digests have a long common prefix, so their first bytes are equal. */
const digest = fc.oneof(
  fc.nat({ max: 60 }).map((value) => sha256(String(value))),
  fc.nat({ max: 60 }).map((value) => value.toString(16).padStart(64, 'a')),
)

test('a set of digests contains what a set of strings contains, each once and in order', () => {
  fc.assert(
    fc.property(fc.array(digest, { maxLength: 200 }), fc.array(digest, { maxLength: 20 }), (given, asked) => {
      const [compact, plain] = [digestSet(given), new Set(given)]
      expect([...compact]).toEqual([...plain].sort())
      expect(compact.size).toBe(plain.size)
      for (const one of [...given, ...asked]) expect(compact.has(one)).toBe(plain.has(one))
    }),
  )
})

test('a set never contains a text that is no digest', () => {
  const others = ['', 'x', 'A'.repeat(64), `${'a'.repeat(63)}g`, 'a'.repeat(66)]
  const digests = digestSet([...others, 'a'.repeat(64)])
  expect([...digests]).toEqual(['a'.repeat(64)])
  for (const other of others) expect(digests.has(other)).toBe(false)
})

test('contents in columns are read back unchanged, over many blocks, with and without texts of options', () => {
  const columns = contentColumns()
  const given = Array.from({ length: 2500 }, (_, at) => {
    const options = at % 3 === 0 ? ['A', 'B'] : { A: `one ${at % 40}`, B: 'two' }
    const content = contentOf({ question: `Question ${at % 100}?`, options })
    if (content === null) throw new Error('there is no content')
    columns.set(`q${at}`, content)
    return content
  })
  expect([...columns]).toEqual(given)
  for (const [at, content] of given.entries()) expect(columns.keyOf(`q${at}`)).toBe(contentKey(content))
  expect(columns.keyOf('unknown')).toBeUndefined()
})
