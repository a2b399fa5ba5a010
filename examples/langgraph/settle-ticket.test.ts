import { Command, MemorySaver } from '@langchain/langgraph'
import { expect, test } from 'vitest'
import { exampleWorld } from '../example-world.ts'
import { ticketGraph } from './settle-ticket.ts'

test('acts on its own, stops for a person, and goes on once with what the person said, also after a crash', async () => {
  const { quorate, acted, deferred, review, calls } = await exampleWorld()
  const before = calls()
  const settled: [string, string][] = []
  const checkpointer = new MemorySaver()
  const settle = async (id: string, answer: string) => {
    settled.push([id, answer])
  }
  const config = (id: string) => ({ configurable: { thread_id: id } })
  await ticketGraph(quorate, { settle, checkpointer }).invoke({ ticket: acted }, config(acted.id))
  expect(settled.map(([id]) => id)).toEqual([acted.id])

  const stopped = await ticketGraph(quorate, { settle, checkpointer }).invoke({ ticket: deferred }, config(deferred.id))
  expect(settled.length).toBe(1)
  const [asked] = Object(stopped).__interrupt__
  const { reviewId } = asked.value
  expect(await quorate.reviewed(reviewId)).toBeNull()

  await review(reviewId, 'B')
  const resume = await quorate.reviewed(reviewId)
  // The process was killed: a new graph finds the thread in the checkpoints.
  const again = ticketGraph(quorate, { settle, checkpointer })
  await again.invoke(new Command({ resume }), config(deferred.id))
  expect(settled.slice(1)).toEqual([[deferred.id, 'B']])
  await again.invoke(null, config(deferred.id))
  expect(settled.length).toBe(2)
  expect(calls()).toBe(before)
})
