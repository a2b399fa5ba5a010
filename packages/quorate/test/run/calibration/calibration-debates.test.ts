import { isRightAt } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { calibrationDebates } from '../../../src/run/calibration/calibration-debates.ts'
import { debatesOfRun } from '../../../src/run/calibration/recorded-debates.ts'
import { readingSentences } from '../../../src/text/left-out.ts'
import { newStore } from '../../store/store-under-test.ts'
import { each, runWorld, samplePlan, sharedCertified, simulatedQuestions } from '../run-world.ts'

const TURN = { agent: 'ann', answer: 'A', conf: { verbal: 0.9 } }

function debate(id: string, change: object = {}) {
  return { value: { id, options: ['A', 'B'], gold: 'A', rounds: [[TURN], [TURN]], ...change }, place: id }
}

const OPTIONS = { where: 'test', beliefs: 'stated' } as const

test('rows without a label, that failed in round 1, stopped early or were not sampled are dropped and counted', async () => {
  const failure = { agent: 'ann', round: 1 }
  const rows = [
    debate('a'),
    debate('b', { gold: null }),
    debate('c', { failure, rounds: [] }),
    debate('d', { rounds: [[TURN]] }),
    debate('e', { isSpotCheck: false }),
    debate('f', { isSpotCheck: false, failure, rounds: [[TURN]] }),
  ]
  const { read, dropped, padded, rounds } = await calibrationDebates(each(rows), { ...OPTIONS, rounds: 2 })
  expect(read.debates.map(({ record }) => record.id)).toEqual(['a'])
  expect({ dropped, padded, rounds }).toEqual({
    dropped: { unlabelled: 1, failed: 1, short: 1, unsampled: 2 },
    padded: 0,
    rounds: 2,
  })
})

test('rows whose reviewer could not tell, or called the question bad, are kept and are right in no round', async () => {
  const rows = ['cannot-tell', 'bad-question'].map((verdict) => debate(verdict, { gold: null, verdict }))
  const { read, dropped, reading } = await calibrationDebates(each([debate('a'), ...rows]), OPTIONS)
  expect(read.debates.map((debate) => [1, 2].map((round) => isRightAt(debate, round)))).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ])
  expect([dropped.unlabelled, reading.unjudged]).toEqual([0, 2])
  expect(readingSentences(reading).join()).toContain('2 debates that nobody could judge')
})

test('rows that failed later are kept and counted, wherever they are', async () => {
  const failed = { failure: { agent: null, round: 2 }, rounds: [[TURN]] }
  for (const options of [OPTIONS, { ...OPTIONS, rounds: 2 }]) {
    const rows = [debate('a', failed), debate('b'), debate('c', failed), debate('d', { ...failed, gold: null })]
    const { read, dropped, padded, rounds } = await calibrationDebates(each(rows), options)
    expect(read.debates.map(({ record }) => [record.id, record.rounds.length])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ])
    expect([padded, rounds, dropped.unlabelled]).toEqual([2, 2, 1])
  }
})

test('failed rows alone, and failed rows with more rounds than the others, are refused', async () => {
  const failure = { agent: 'ann', round: 2 }
  const alone = each([debate('a', { failure, rounds: [[TURN]] })])
  await expect(calibrationDebates(alone, OPTIONS)).rejects.toThrow(/at least one labelled debate .* 1 that failed/)
  const long = each([debate('a', { failure, rounds: [[TURN], [TURN], [TURN]] }), debate('b')])
  await expect(calibrationDebates(long, OPTIONS)).rejects.toThrow('a.rounds must be 2 rounds like the first debate')
})

test('a file whose debates have different numbers of rounds is refused with the place', async () => {
  const rows = [debate('a'), debate('b', { rounds: [[TURN]] })]
  await expect(calibrationDebates(each(rows), OPTIONS)).rejects.toThrow(
    'b.rounds must be 2 rounds like the first debate',
  )
})

test('without any label the error counts what was found', async () => {
  const rows = each([debate('a', { gold: null })])
  await expect(calibrationDebates(rows, OPTIONS)).rejects.toThrow('1 without the right option')
})

test('values that are no debates are refused, never skipped', async () => {
  for (const value of [null, 3, 'text', [], {}, { gold: 'A' }, { gold: 'A', rounds: [[null]] }]) {
    await expect(calibrationDebates(each([{ value, place: 'line 1' }]), OPTIONS)).rejects.toThrow(/test: |at least one/)
  }
})

test('in a run that decided only sampled questions count, with imported or spot-check labels, never with those of deferrals', async () => {
  const store = await newStore()
  const certified = await sharedCertified(simulatedQuestions(120))
  const unlabelled = simulatedQuestions(12, { from: 120 }).map((question) => ({ ...question, gold: null }))
  const plan = samplePlan({ kind: 'decide', spotCheckRate: 0.5 })
  const { runId } = await runWorld({ store, plan, questions: unlabelled, certified })
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  const rows = await store.runs.questions(runId, { after: -1, limit: 100 })
  const [first, second, third] = rows.filter(({ isSpotCheck }) => isSpotCheck)
  const [other] = rows.filter(({ isSpotCheck }) => !isSpotCheck)
  const label = { runId, gold: 'A', by: null, at: 1 }
  await store.labels.addAll([{ id: '1', questionId: first?.questionId ?? '', source: 'spot-check', ...label }])
  await store.labels.addAll([{ id: '2', questionId: second?.questionId ?? '', source: 'deferral', ...label }])
  await store.labels.addAll([{ id: '3', questionId: third?.questionId ?? '', source: 'import', ...label }])
  await store.labels.addAll([{ id: '4', questionId: other?.questionId ?? '', source: 'import', ...label }])
  const { read, dropped } = await calibrationDebates(debatesOfRun(store, run), { ...OPTIONS, rounds: 4 })
  const ids = read.debates.map(({ record }) => record.id).sort()
  expect(ids).toEqual([first?.questionId, third?.questionId].sort())
  expect(dropped.unsampled).toBe(rows.filter(({ isSpotCheck }) => !isSpotCheck).length)
})

test('a row from a deferral is refused, not dropped, because the user expects it to count', async () => {
  const rows = [debate('a'), debate('b', { source: 'deferral' })]
  await expect(calibrationDebates(each(rows), OPTIONS)).rejects.toThrow(/b: source must be .* got "deferral"/)
})
