import { expect, test } from 'vitest'
import { retryAfterMs } from '../../src/model/ai-sdk-errors.ts'

const now = () => Date.UTC(2026, 0, 1, 0, 0, 30)

test.each([
  [{}, null],
  [{ 'Retry-After': '3' }, 3000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': ' 1.5 ' }, 1500],
  [{ 'retry-after': '-4' }, null],
  [{ 'retry-after': 'NaN' }, null],
  [{ 'retry-after': '1e9' }, null],
  [{ 'retry-after-ms': '12.2' }, 13],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, 30_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 0],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT', Date: 'Thu, 01 Jan 2026 00:00:10 GMT' }, 50_000],
])('%o asks for %s ms', (headers, expected) => {
  expect(retryAfterMs(headers, now)).toBe(expected)
})
