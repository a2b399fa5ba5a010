import { expect, test } from 'vitest'
import { throttledLog } from '../../src/run/workers/worker-log.ts'

test('the same message is logged once a minute, other messages at once', () => {
  let time = 0
  const logged: string[] = []
  const log = throttledLog(
    (words) => logged.push(`${time / 1000}: ${words}`),
    () => time,
  )
  for (; time <= 150_000; time += 3000) {
    log('the connection broke')
    if (time === 6000) log('something else')
  }
  expect(logged).toEqual([
    '0: the connection broke',
    '6: something else',
    '60: the connection broke',
    '120: the connection broke',
  ])
})
