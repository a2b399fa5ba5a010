import { describe, expect, test } from 'vitest'
import { calibrationDebates, type RecordedDebate } from '../../src/run/calibration/calibration-debates.ts'

/** Debates of two rounds. The `short` ones have one round, for the given reason. */
function* debates(short: object, every = 100): Generator<RecordedDebate> {
  for (let row = 0; row < 200; row++) {
    const answer = row % 4 === 0 ? 'B' : 'A'
    const turns = ['ada', 'bob'].map((agent) => ({ agent, answer }))
    const isShort = row % every === 7
    const rounds = isShort ? [turns] : [turns, turns]
    yield {
      value: { id: `q${row}`, options: ['A', 'B'], gold: 'A', rounds, ...(isShort ? short : {}) },
      place: `line ${row + 1}`,
    }
  }
}

async function* each(input: Iterable<RecordedDebate>): AsyncGenerator<RecordedDebate> {
  yield* input
}

const read = (short: object, profile?: 'total' | 'cells', every?: number) =>
  calibrationDebates(each(debates(short, every)), {
    where: 'debates.jsonl',
    beliefs: 'vote',
    ...(profile && { profile }),
  })

describe('debates that a decision stopped', () => {
  test('are refused for profile total, even a single one, with what to do', async () => {
    await expect(read({ ended: 'stopped' }, 'total', 1000)).rejects.toThrow(
      'debates.jsonl: line 8: ended must be null or "protocol" for profile total, got "stopped": a decision stopped this debate, so wrong actions that a new policy would take in later rounds are hidden. Debate on wherever `isSpotCheck` is true and post every round, or calibrate with another profile, which counts the missing rounds as wrong',
    )
  })

  test('count as failed for other profiles, up to 2 %', async () => {
    const debates = await read({ ended: 'stopped' }, 'cells')
    expect([debates.padded, debates.rounds, debates.read.debates.length]).toEqual([2, 2, 200])
    expect(debates.read.debates[7]?.record).toMatchObject({ isFailed: true, ended: null })
    await expect(read({ ended: 'stopped' }, 'cells', 20)).rejects.toThrow('10 of 200 debates that were sampled')
  })

  test('that were not sampled are left out', async () => {
    const debates = await read({ ended: 'stopped', isSpotCheck: false }, 'total')
    expect([debates.dropped.unsampled, debates.read.debates.length]).toEqual([2, 198])
  })
})

test('debates that their protocol ended are kept, and do not count as failures', async () => {
  const debates = await read({ ended: 'protocol' }, 'total')
  expect([debates.padded, debates.rounds, debates.dropped.short]).toEqual([0, 2, 0])
  expect(debates.read.debates[7]?.record).toMatchObject({ isFailed: false, ended: 'protocol' })
})

test('short debates that do not say why they ended are refused', async () => {
  await expect(read({}, 'total')).rejects.toThrow('line 8.rounds must be 2 rounds like the first debate')
})
