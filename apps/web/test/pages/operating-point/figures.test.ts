import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeOf } from '../../../src/pages/operating-point/replay/change.ts'
import { createReplay } from '../../../src/pages/operating-point/replay/create-replay.ts'
import { replayFigures, type SpannedShare } from '../../../src/pages/operating-point/replay/replay-figures.ts'
import type { StoredDebates } from '../../../src/pages/operating-point/replay/stored-debates.ts'
import { makeOperatingPoint, NO_CERTIFICATE } from '../../fixture/operating-point-fixture.ts'

interface Row {
  readonly isRepresentative: boolean
  readonly isLabelled: boolean
  readonly isUnjudged: boolean
  /** One value for each of three rounds. */
  readonly right: readonly boolean[]
  readonly before: number
  readonly now: number
}

const rowArbitrary: fc.Arbitrary<Row> = fc.record({
  isRepresentative: fc.boolean(),
  isLabelled: fc.boolean(),
  isUnjudged: fc.boolean(),
  right: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  before: fc.nat(3),
  now: fc.nat(3),
})

/** An unjudged debate is not right. */
function isRight({ isUnjudged, right }: Row, round: number): boolean {
  return !isUnjudged && right[round - 1] === true
}

function storedOf(rows: readonly Row[], unfinished = { short: 0, failed: 0 }): StoredDebates {
  return {
    read: { reading: { elicitation: 'given', seed: 0, weights: null }, debates: [] },
    rounds: 3,
    isRepresentative: Uint8Array.from(rows, ({ isRepresentative }) => Number(isRepresentative)),
    isLabelled: Uint8Array.from(rows, ({ isLabelled }) => Number(isLabelled)),
    isUnjudged: Uint8Array.from(rows, ({ isLabelled, isUnjudged }) => Number(isLabelled && isUnjudged)),
    unfinished,
    isRightAt: (row, round) => rows[row] !== undefined && isRight(rows[row], round),
  }
}

test('figures equal a count one by one', () => {
  fc.assert(
    fc.property(fc.array(rowArbitrary, { maxLength: 40 }), (rows) => {
      const figures = replayFigures(
        storedOf(rows),
        Uint8Array.from(rows, ({ now }) => now),
      )
      const representative = rows.filter(({ isRepresentative }) => isRepresentative)
      const labelled = representative.filter(({ isLabelled }) => isLabelled)
      const acted = labelled.filter(({ now }) => now > 0)
      const right = acted.filter((row) => isRight(row, row.now))
      expect(figures.unjudged).toBe(labelled.filter(({ isUnjudged }) => isUnjudged).length)
      expect(figures.representative).toBe(representative.length)
      expect(figures.acted?.count ?? 0).toBe(representative.filter(({ now }) => now > 0).length)
      expect(figures.wrong).toEqual(
        labelled.length === 0
          ? null
          : expect.objectContaining({ count: acted.length - right.length, of: labelled.length }),
      )
      expect(figures.right === null).toBe(acted.length === 0)
      expect(figures.right?.count ?? 0).toBe(right.length)
      const used = representative.reduce((sum, { now }) => sum + (now === 0 ? 3 : now), 0)
      expect(figures.meanRounds).toBe(representative.length === 0 ? null : used / representative.length)
      expect(figures.others.debates).toBe(rows.length - representative.length)
      for (const { round, labelled: known } of figures.byRound) {
        expect(known).toBe(acted.filter(({ now }) => now === round).length)
      }
    }),
  )
})

test('shares cover unknown outcomes: whatever they are, the counted share is inside', () => {
  const outcome = fc.record({ isActed: fc.boolean(), isRight: fc.boolean() })
  fc.assert(
    fc.property(
      fc.array(rowArbitrary, { minLength: 1, maxLength: 40 }),
      fc.array(outcome, { maxLength: 9 }),
      fc.nat(5),
      (rows, stopped, failed) => {
        const figures = replayFigures(
          storedOf(rows, { short: stopped.length, failed }),
          Uint8Array.from(rows, ({ now }) => now),
        )
        const representative = rows.filter(({ isRepresentative }) => isRepresentative)
        const judged = representative
          .filter(({ isLabelled }) => isLabelled)
          .map((row) => ({ isActed: row.now > 0, isRight: isRight(row, row.now) }))
        const all = [...judged, ...stopped]
        const acted =
          representative.filter(({ now }) => now > 0).length + stopped.filter(({ isActed }) => isActed).length
        const wrong = all.filter(({ isActed, isRight }) => isActed && !isRight).length
        const right = all.filter(({ isActed, isRight }) => isActed && isRight).length
        const of = representative.length + stopped.length + failed
        expect(figures.representative).toBe(of)
        if (figures.acted !== null) expect(isInside(figures.acted, acted / of)).toBe(true)
        if (figures.wrong !== null) expect(isInside(figures.wrong, wrong / all.length)).toBe(true)
        if (figures.right !== null) expect(isInside(figures.right, right / (right + wrong))).toBe(true)
        expect(figures.meanRounds === null).toBe(representative.length === 0 || stopped.length > 0)
      },
    ),
  )
})

function isInside({ count, most, of, lower, upper }: SpannedShare, share: number): boolean {
  const isSpanned = count / of <= share + 1e-9 && share <= most / of + 1e-9
  return isSpanned && lower <= share + 1e-9 && share <= upper + 1e-9
}

test('a difference counts each debate once', () => {
  fc.assert(
    fc.property(fc.array(rowArbitrary, { maxLength: 40 }), (rows) => {
      const column = (name: 'before' | 'now') => Uint8Array.from(rows, (row) => row[name])
      const { more, fewer, earlier, later } = changeOf(storedOf(rows), column('before'), column('now'))
      const came = rows.filter(({ before, now }) => before === 0 && now > 0)
      expect(more.count).toBe(came.length)
      expect(more.right).toBe(came.filter((row) => row.isLabelled && isRight(row, row.now)).length)
      expect(more.right + more.wrong + more.unlabelled).toBe(more.count)
      expect(fewer.count).toBe(rows.filter(({ before, now }) => before > 0 && now === 0).length)
      expect(more.count + fewer.count + earlier + later).toBe(rows.filter(({ before, now }) => before !== now).length)
    }),
  )
})

test('the replay fits a profile once, decides another beta without a fit, and promises that beta', () => {
  const replay = createReplay(makeOperatingPoint({ profile: 'tight', labelled: 600, stored: 120 }))
  if (replay === null) throw new Error('the fixture has a certificate')
  const stages: string[] = []
  const say = (stage: string) => stages.push(stage)
  const { declared } = replay.facts
  expect(replay.decide(declared, say).change).toMatchObject({ more: { count: 0 }, fewer: { count: 0 } })
  const wide = replay.decide({ ...declared, beta: 0.4 }, say)
  expect(wide.claim.join(' ')).toContain('beta = 0.4')
  expect(wide.change.fewer.count).toBe(0)
  expect(replay.workDone()).toEqual({ fits: 0, replays: 1, decisions: 2 })
  replay.decide({ ...declared, profile: 'cells' }, say)
  replay.decide({ ...declared, profile: 'cells', beta: 0.2 }, say)
  expect(replay.workDone()).toEqual({ fits: 1, replays: 2, decisions: 4 })
  expect(stages).toEqual(['reading', 'fitting', 'deciding'])
  expect(replay.path('tight').map(({ beta }) => beta)).toEqual([0.02, 0.05, 0.1, 0.15, 0.2, 0.3])
})

test('a beta that is only tried has no promise that it was fixed beforehand', () => {
  const replay = createReplay(makeOperatingPoint({ profile: 'total', labelled: 600, stored: 120 }))
  if (replay === null) throw new Error('a certificate was given')
  const declared = replay.facts.declared
  expect(replay.decide(declared, () => {}).claim.join(' ')).toContain(
    'were fixed before these labels were read (attempt 1)',
  )
  const tried = replay.decide({ ...declared, beta: declared.beta / 2 }, () => {}).claim.join(' ')
  expect(tried).toContain('One that is chosen by looking is a further attempt')
  expect(tried).not.toContain('Budget, floor and seed were fixed')
})

test('without a certificate there is no replay', () => {
  expect(createReplay(NO_CERTIFICATE)).toBeNull()
})
