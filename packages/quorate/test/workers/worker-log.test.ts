import { expect, test } from 'vitest'
import { createWorkerLog } from '../../src/run/workers/worker-log.ts'

function workerLog() {
  let time = 5000
  const logged: string[] = []
  const { took, report } = createWorkerLog(
    (words) => logged.push(words),
    () => time,
  )
  /** Reports every two seconds, for this many seconds. */
  const pass = (seconds: number, seen: Parameters<typeof report>[0]) => {
    for (let second = 0; second < seconds; second += 2) {
      time += 2000
      report(seen)
    }
    return logged.splice(0)
  }
  return { took, pass, logged }
}

test('a worker logs each run from which it takes questions, once', () => {
  const { took, logged } = workerLog()
  for (const run of ['a', 'b', 'a', 'a', 'b']) took(run)
  expect(logged).toEqual(['takes questions from run a', 'takes questions from run b'])
})

test('it logs its speed every half minute, and nothing if nothing was answered', () => {
  const { took, pass } = workerLog()
  took('a')
  const [, ...reported] = pass(60, { ended: 1, answered: 300, debates: 4 })
  expect(reported).toEqual(['1 debate ended, 10.0 calls/s in 30 s, 4 in progress (so far 1 debate, 300 calls)'])
  expect(pass(60, { ended: 40, answered: 1500, debates: 4 })).toEqual([
    '39 debates ended, 37.5 calls/s in 32 s, 4 in progress (so far 40 debates, 1,500 calls)',
  ])
})

test('it logs once that it waits, and restarts after that: speed is not counted over the wait', () => {
  const { took, pass, logged } = workerLog()
  expect(pass(600, { ended: 0, answered: 0, debates: 0 })).toEqual([])
  took('a')
  logged.splice(0)
  expect(pass(600, { ended: 7, answered: 90, debates: 0 })).toEqual([
    'waits for questions (so far 7 debates, 90 calls)',
  ])
  took('a')
  expect(pass(30, { ended: 8, answered: 390, debates: 1 })).toEqual([
    'takes questions from run a',
    '1 debate ended, 10.0 calls/s in 30 s, 1 in progress (so far 8 debates, 390 calls)',
  ])
})

test('short pauses between questions are not logged', () => {
  const { took, pass } = workerLog()
  const reported: string[] = []
  for (let question = 1; question <= 20; question++) {
    took('a')
    reported.push(...pass(10, { ended: question, answered: question, debates: 0 }))
  }
  expect(reported.filter((words) => /takes|waits/.test(words))).toEqual(['takes questions from run a'])
})
