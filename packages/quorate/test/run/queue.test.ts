import { expect, test } from 'vitest'
import { createLocalQueue, type LocalQueue } from '../../src/run/queue.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { startWork, type Work } from '../../src/run/work.ts'
import type { RunQuestion } from '../../src/store/store.ts'
import { onlyParts } from '../workers/only-parts.ts'

/** Questions whose text was erased. Each ends when the store has written the error. */
function erased(change: { readonly questions?: AsyncIterator<string>; readonly room?: number } = {}) {
  const writing: (() => void)[] = []
  const events: string[] = []
  const stopping = new AbortController()
  const run = onlyParts<RunContext>({
    telemetry: null,
    opened: { fence: 'fence' } as never, // the only part that is used
    tools: {
      store: { runs: { setQuestion: () => new Promise<void>((resolve) => writing.push(resolve)) } },
    } as never, // the only part that is used
  })
  const queue: LocalQueue<string> = createLocalQueue<string>({
    ...(change.questions && { questions: change.questions }),
    idOf: (id) => id,
    open: (questionId) => ({
      run,
      row: onlyParts<RunQuestion>({ runId: 'run', questionId, question: null } as never), // an erased one
      terms: { kind: 'command' },
    }),
    paused: () => {},
    failed(_, error) {
      throw error
    },
  })
  const work: Work<string> = {
    queue,
    room: () => change.room ?? 2,
    stopping: stopping.signal,
    onBegin: (id) => events.push(`${id} begins`),
    onSettled: (id, { status }) => events.push(`${id} ${status}`),
  }
  const loop = startWork(work)
  const settled = () => new Promise(setImmediate)
  const end = async () => {
    await settled()
    writing.shift()?.()
    await settled()
  }
  return { queue, events, stopping, loop, end, settled }
}

test('questions that come while there is no room wait in order until one has ended', async () => {
  const { queue, events, loop, end, settled, stopping } = erased({ room: 1 })
  for (const id of ['a', 'b', 'c']) queue.add(id)
  await settled()
  expect(events).toEqual(['a begins'])
  await end()
  expect(events).toEqual(['a begins', 'a error', 'b begins'])
  await end()
  await end()
  expect(events.slice(3)).toEqual(['b error', 'c begins', 'c error'])
  expect(loop.isIdle()).toBe(true)
  stopping.abort()
  await loop.ended
})

test('a stopped loop begins nothing more, and ends when all questions in progress have ended', async () => {
  const { queue, events, loop, end, settled, stopping } = erased({ room: 1 })
  queue.add('a')
  queue.add('b')
  await settled()
  stopping.abort()
  let hasEnded = false
  const ended = loop.ended.then(() => {
    hasEnded = true
  })
  await settled()
  expect(hasEnded).toBe(false)
  await end()
  await ended
  expect(events).toEqual(['a begins', 'a error'])
})

test('a queue over a list is drained after its last question', async () => {
  const questions = (async function* () {
    yield 'a'
    yield 'b'
    yield 'c'
  })()
  const { events, loop, end } = erased({ questions })
  await end()
  await end()
  await end()
  await loop.ended
  expect(events.filter((event) => event.endsWith('error'))).toHaveLength(3)
})
