import { sha256 } from '@quorate/certificate'
import fc from 'fast-check'
import { test } from 'vitest'
import { textDigest } from '../../src/debate/text-digest.ts'

test('equals the sha256 of the certificate for any text, so seeds, codes and cache keys do not depend on the implementation', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', 'a\udc00b', '🦉'.repeat(50)))
  fc.assert(fc.property(text, (value) => textDigest(value) === sha256(value)))
})
