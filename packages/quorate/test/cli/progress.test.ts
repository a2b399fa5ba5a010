import { expect, test } from 'vitest'
import { liveProgress } from '../../src/cli/progress.ts'

function watched({ isTTY = true, columns = 80 } = {}) {
  const written: string[] = []
  let time = 0
  const progress = liveProgress({ stream: { isTTY, columns, write: (text) => written.push(text) }, now: () => time })
  return { written, progress, at: (milliseconds: number) => (time = milliseconds) }
}

test('nothing is drawn in the first two seconds, and then one line that is drawn again', () => {
  const { written, progress, at } = watched()
  progress.update('0 of 10 splits')
  at(1999)
  progress.update('1 of 10 splits')
  expect(written).toEqual([])
  at(2000)
  progress.update('2 of 10 splits')
  progress.update('3 of 10 splits')
  at(2300)
  progress.update('4 of 10 splits')
  progress.end()
  expect(written).toEqual(['\r\u001b[K2 of 10 splits, 2 s', '\r\u001b[K4 of 10 splits, 2 s', '\r\u001b[K'])
})

test('the line never wraps', () => {
  const { written, progress, at } = watched({ columns: 10 })
  at(3000)
  progress.update('a long story')
  progress.end()
  expect(written[0]).toBe('\r\u001b[Ka lo, 3 s')
})

test('a line that does not fit loses its last parts one by one', () => {
  const { written, progress, at } = watched({ columns: 40 })
  at(3000)
  progress.update('340 of 2,000 done, 2 min left, 300 acted, 12 running')
  progress.end()
  expect(written[0]).toBe('\r\u001b[K340 of 2,000 done, 2 min left, 3 s')
})

test('without a terminal a plain line is written every 15 seconds', () => {
  const { written, progress, at } = watched({ isTTY: false })
  at(5000)
  progress.update('2 of 10 splits')
  at(15_000)
  progress.update('3 of 10 splits')
  at(16_000)
  progress.update('4 of 10 splits')
  progress.end()
  expect(written).toEqual(['quorate: 3 of 10 splits, 15 s\n'])
})

test('without a terminal nothing is written if the caller reports progress itself', () => {
  const written: string[] = []
  const progress = liveProgress({ stream: { write: (text) => written.push(text) }, now: () => 1e6, isOnlyLive: true })
  progress.update('2 of 10 splits')
  progress.end()
  expect(written).toEqual([])
})

test('a cleared line is not drawn again until the next update', () => {
  const { written, progress, at } = watched()
  progress.clear()
  at(3000)
  progress.update('report')
  progress.clear()
  progress.end()
  expect(written).toEqual(['\r\u001b[Kreport, 3 s', '\r\u001b[K'])
})
