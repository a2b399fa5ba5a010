import { type Debate, type ReadDebate, readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { isUnanimous } from '../../src/twins/aggregates.ts'
import { shiftedGroups } from '../../src/twins/knobs.ts'
import { simulateTwin } from '../../src/twins/simulate-twin.ts'
import { TARGETS } from '../../src/twins/targets.ts'

const OPTIONS = { seed: 12, beliefs: 'soft', count: 2000 } as const
const plain = simulateTwin('mmlu-pro', OPTIONS)

test('knobs at 0 change no bit', () => {
  expect(simulateTwin('mmlu-pro', { ...OPTIONS, lateAgreement: 0, groupShift: 0, drift: 0 })).toEqual(plain)
})

test('knobs out of range are refused, and a shift of groups where there are none', () => {
  for (const knobs of [{ lateAgreement: -0.1 }, { groupShift: 1.1 }, { drift: NaN }]) {
    expect(() => simulateTwin('bbh', { ...OPTIONS, ...knobs })).toThrow(/expected/)
  }
  expect(() => simulateTwin('arc', { ...OPTIONS, groupShift: 0.2 })).toThrow('ARC has no subgroups')
})

describe('late agreement', () => {
  const persuaded = simulateTwin('mmlu-pro', { ...OPTIONS, lateAgreement: 0.5 })
  const overruled = simulateTwin('mmlu-pro', { ...OPTIONS, lateAgreement: 1 })

  test('does not change debates that agree at once', () => {
    const { debates: read } = readDebates(plain)
    const agreed = (debates: readonly Debate[]) =>
      debates.filter((_, row) => isUnanimous(read[row]!.record.rounds[0]!.votes))
    expect(agreed(persuaded)).toEqual(agreed(plain))
    expect(persuaded.map(({ rounds }) => rounds[0])).toEqual(plain.map(({ rounds }) => rounds[0]))
  })

  test('makes an answer agreed on late far worse than one agreed on at once, at the same state', () => {
    const early = sureAccuracy(persuaded, (round) => round === 0)
    const late = sureAccuracy(persuaded, (round) => round > 0)
    expect(early).toBeGreaterThan(0.8)
    expect(late).toBeLessThan(early - 0.3)
    expect(late).toBeLessThan(sureAccuracy(plain, (round) => round > 0) - 0.2)
  })

  test('is in the end as sure as agreement from the start', () => {
    const { debates } = readDebates(overruled)
    const isAgreed = ({ record }: ReadDebate, round: number) => isUnanimous(record.rounds[round]!.votes)
    const early = debates.filter((debate) => [0, 1, 2, 3].every((round) => isAgreed(debate, round)))
    const late = debates.filter((debate) => !isAgreed(debate, 0))
    expect(late.every((debate) => isAgreed(debate, 3))).toBe(true)
    for (const level of [0.8, 0.9, 1]) {
      const sure = (found: readonly ReadDebate[]) =>
        found.filter(({ rounds }) => rounds.at(-1)!.p1 >= level - 1e-9).length / found.length
      expect(Math.abs(sure(late) - sure(early))).toBeLessThan(0.07)
    }
  })

  test('is the worse the higher it is', () => {
    const slightly = simulateTwin('mmlu-pro', { ...OPTIONS, lateAgreement: 0.25 })
    const files = [plain, slightly, persuaded, overruled]
    const accuracies = files.map((debates) => lastAccuracy(readDebates(debates).debates))
    expect(accuracies).toEqual(accuracies.toSorted((left, right) => right - left))
  })
})

describe('a shift of groups', () => {
  const shifted = simulateTwin('mmlu-pro', { ...OPTIONS, groupShift: 0.3 })
  const groups = new Set<string | null | undefined>(shiftedGroups(TARGETS['mmlu-pro']))

  test('changes no turn of a debate, and no label outside the shifted groups', () => {
    expect(shifted.map(({ rounds }) => rounds)).toEqual(plain.map(({ rounds }) => rounds))
    const others = (debates: readonly Debate[]) => debates.filter(({ group }) => !groups.has(group))
    expect(others(shifted)).toEqual(others(plain))
  })

  test('makes the panel less often right in the shifted groups at every level of p1', () => {
    const isHit = ({ record }: ReadDebate) => groups.has(record.group)
    const [before, after] = [plain, shifted].map((debates) => readDebates(debates).debates.filter(isHit))
    for (const [low, high] of [
      [0.4, 0.7],
      [0.7, 0.95],
      [0.95, 1.01],
    ] as const) {
      const inBin = ({ rounds }: ReadDebate) => rounds.at(-1)!.p1 >= low && rounds.at(-1)!.p1 < high
      const drop = lastAccuracy(before!.filter(inBin)) - lastAccuracy(after!.filter(inBin))
      expect(drop).toBeGreaterThan(0.08)
    }
  })
})

test('drift makes the last questions of a file harder than the first', () => {
  const { debates } = readDebates(simulateTwin('mmlu-pro', { ...OPTIONS, drift: 3 }))
  const quarters = [0, 1, 2, 3].map((quarter) => lastAccuracy(debates.slice(quarter * 500, (quarter + 1) * 500)))
  expect(quarters).toEqual(quarters.toSorted((left, right) => right - left))
  expect(quarters[0]! - quarters[3]!).toBeGreaterThan(0.1)
})

/** Share right in the last round of the debates that are unanimous and sure in it, by the round they first agreed in. */
function sureAccuracy(debates: readonly Debate[], counts: (firstUnanimous: number) => boolean): number {
  const taken = readDebates(debates).debates.flatMap(({ record, rounds }) => {
    const first = record.rounds.findIndex(({ votes }) => isUnanimous(votes))
    const { p1, prediction } = rounds.at(-1)!
    return p1 >= 0.9 && counts(first) ? [prediction === record.gold] : []
  })
  expect(taken.length).toBeGreaterThan(50)
  return taken.filter(Boolean).length / taken.length
}

function lastAccuracy(debates: readonly ReadDebate[]): number {
  return debates.filter(({ record, rounds }) => rounds.at(-1)!.prediction === record.gold).length / debates.length
}
