import { expect } from 'vitest'
import { z } from 'zod'
import type { Store, StoredCall, StoredDebate } from '../../src/store/store.ts'
import { taggedReplies } from '../fake-provider/reply-tag.ts'
import { CHAOS_AGENTS } from './chaos-panel.ts'

const Turn = z.object({ agent: z.string(), text: z.string() })
const Debate = z.object({ id: z.string(), rounds: z.array(z.array(Turn)) })

/** Each question has one complete debate, and every text in it is a committed reply to that very place. */
export async function checkRecords(
  store: Store,
  runId: string,
  { questions, answered }: { readonly questions: number; readonly answered: readonly StoredCall[] },
): Promise<readonly StoredDebate[]> {
  expect(await store.runs.counts(runId)).toMatchObject({ done: questions, pending: 0 })
  const debates = await store.debates.list(runId, { after: null, limit: questions + 1 })
  expect(debates.length).toBe(questions)
  const debated = debates.flatMap(({ debate, questionId, rounds }) => {
    const record = Debate.parse(JSON.parse(debate))
    expect([record.id, record.rounds.length]).toEqual([questionId, rounds])
    expect(record.rounds.every((turns) => turns.length === CHAOS_AGENTS.length)).toBe(true)
    return record.rounds.flatMap((turns, round) =>
      turns.map(({ agent, text }) => [questionId, agent, round + 1, taggedReplies(text).join()].join(' ')),
    )
  })
  const committed = answered.map(({ questionId, agent, round, reply }) =>
    [questionId, agent, round, taggedReplies(reply ?? '').join()].join(' '),
  )
  expect(debated.toSorted()).toEqual(committed.toSorted())
  return debates
}
