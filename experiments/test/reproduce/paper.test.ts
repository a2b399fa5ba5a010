import { describe, expect, test } from 'vitest'
import { ACTIVATED } from '../../src/reproduce/paper/activated.ts'
import { ALIGNMENT_BUDGETS, BUDGET_ALIGNMENT } from '../../src/reproduce/paper/budget-alignment.ts'
import { BUDGET_SPLIT, SPLIT_DELTAS, SPLIT_EPSILONS } from '../../src/reproduce/paper/budget-split.ts'
import { DECOMPOSITION } from '../../src/reproduce/paper/decomposition.ts'
import { ENVELOPE_STRESS } from '../../src/reproduce/paper/envelope-stress.ts'
import { EPSILON_TABLE, EPSILONS, TWO_TWINS } from '../../src/reproduce/paper/epsilon-sensitivity.ts'
import { FIXED_BUDGET_TABLE, FIXED_BUDGETS } from '../../src/reproduce/paper/fixed-budget.ts'
import { FRONTIER, frontierBudgets } from '../../src/reproduce/paper/frontier.ts'
import { FULL_TABLE, FULL_TABLE_TWINS } from '../../src/reproduce/paper/full-table.ts'
import { LAMBDA_ROBUSTNESS } from '../../src/reproduce/paper/lambda-robustness.ts'
import { INDUCED_BUDGETS, MAIN_TABLE } from '../../src/reproduce/paper/main-table.ts'
import { MATCHED_RULES, MATCHED_TABLE } from '../../src/reproduce/paper/matched.ts'
import { PRINTED_POLICIES } from '../../src/reproduce/paper/printed.ts'
import { SMOOTHNESS_TABLE } from '../../src/reproduce/paper/smoothness.ts'
import { STATE_TABLE } from '../../src/reproduce/paper/state-dimension.ts'
import { SUBGROUP_TABLE } from '../../src/reproduce/paper/subgroups.ts'
import { TARGETS, TWIN_NAMES } from '../../src/twins/targets.ts'

/** Whether WA fits Act and Acc. All three are in per cent; Act and Acc are rounded to a tenth, WA to `step`. */
function canBeWrong(act: number, accuracy: number, wrong: number, step = 0.1): boolean {
  const low = ((act - 0.05) * (100 - accuracy - 0.05)) / 100
  const high = ((act + 0.05) * (100 - accuracy + 0.05)) / 100
  return wrong >= low - step / 2 - 1e-9 && wrong <= high + step / 2 + 1e-9
}

describe('Table 1', () => {
  test('spot checks against the page', () => {
    expect(MAIN_TABLE.paper.logiqa).toEqual([27.9, 88.9, 3.2, 0.1, 3.5])
    expect(MAIN_TABLE['conformal-risk-control'].gpqa).toEqual([99.9, 63, 36.9, 0.48, 1.2])
    expect(MAIN_TABLE['learned-stopper'].gpqa).toEqual([null, null, null, null, null])
    expect(MAIN_TABLE.oracle.musr).toEqual([69.8, 100, 0, 0, 2])
    expect(MAIN_TABLE['calibrated-learned'].bbh).toEqual([99.7, 91.4, 8.6, 0.26, 1])
    expect(MAIN_TABLE['final-round'].musr).toEqual([46.3, 69.3, 14.3, 0.19, 4])
  })

  test('WA is Act x (1 - Acc), except in means over splits that do not all act and in the rules whose WA is 1 - Acc', () => {
    const inconsistent = PRINTED_POLICIES.flatMap((policy) =>
      TWIN_NAMES.flatMap((twin) => {
        const [act, accuracy, wrong] = MAIN_TABLE[policy][twin]
        if (act === null || accuracy === null || wrong === null) return []
        return canBeWrong(act, accuracy, wrong) ? [] : `${policy} on ${twin}`
      }),
    )
    const oneLessAccuracy = ['consensus', 'confidence-threshold', 'learned-stopper']
    const rest = inconsistent.filter((place) => !oneLessAccuracy.some((policy) => place.startsWith(policy)))
    // The mean of a product is not the product of the means. These are near misses, where Act varies over splits.
    expect(rest).toEqual([
      'paper on logiqa',
      'paper on arc',
      'knn-no-envelope on bbh',
      'final-round on logiqa',
      'calibrated-learned on gpqa',
    ])
    expect(inconsistent.length - rest.length).toBeGreaterThan(8)
    for (const policy of ['consensus', 'confidence-threshold'] as const) {
      for (const twin of TWIN_NAMES) {
        const [, accuracy, wrong] = MAIN_TABLE[policy][twin]
        expect(wrong).toBeCloseTo(100 - accuracy!, 6)
      }
    }
  })

  test('the learned stopper on LogiQA repeats its row of MMLU-Pro but for the budget', () => {
    expect(MAIN_TABLE['learned-stopper'].logiqa.filter((_, at) => at !== 3)).toEqual(
      MAIN_TABLE['learned-stopper']['mmlu-pro'].filter((_, at) => at !== 3),
    )
  })

  test('the twins are fitted to what it prints', () => {
    for (const twin of TWIN_NAMES) {
      const { aggregates } = TARGETS[twin]
      expect(100 * aggregates.everUnanimous).toBeCloseTo(MAIN_TABLE.consensus[twin][0]!, 6)
      expect(100 * aggregates.everConfident).toBeCloseTo(MAIN_TABLE['confidence-threshold'][twin][0]!, 6)
      expect(100 * aggregates.everRight).toBeCloseTo(MAIN_TABLE.oracle[twin][0]!, 6)
      expect(1 - aggregates.lastAccuracy).toBeCloseTo(INDUCED_BUDGETS[twin].lastError, 1)
    }
    for (const twin of ACTIVATED) {
      const [act, accuracy] = MATCHED_TABLE[twin]['confidence-threshold']
      expect(100 * TARGETS[twin].confident!.act).toBeCloseTo(act, 6)
      expect(100 * TARGETS[twin].confident!.accuracy).toBeCloseTo(accuracy, 6)
    }
    const { edges, shares } = TARGETS['mmlu-pro'].pairs!
    const pairs = SMOOTHNESS_TABLE.reduce((sum, row) => sum + row.pairs, 0)
    expect(SMOOTHNESS_TABLE.map(({ to }) => to)).toEqual(edges)
    for (const [bin, row] of SMOOTHNESS_TABLE.entries()) expect(shares[bin]).toBeCloseTo(row.pairs / pairs, 9)
  })
})

describe('numbers that stand in two tables are the same in both', () => {
  test('ours of Tables 1 and 2', () => {
    for (const twin of ACTIVATED) {
      const [act, accuracy, wrong] = MAIN_TABLE.paper[twin]
      const [matchedAct, matchedAccuracy, matchedWrong] = MATCHED_TABLE[twin].ours
      expect([matchedAct, matchedAccuracy]).toEqual([act, accuracy])
      expect(Math.abs(matchedWrong - wrong!)).toBeLessThanOrEqual(0.05)
    }
  })

  test('beta = .15 of Tables 4, 6, 8, 10, 14, 15 and 16', () => {
    for (const twin of TWO_TWINS) {
      const [act, accuracy, wrong] = FULL_TABLE.paper[twin]
      expect(ENVELOPE_STRESS[twin][0]).toEqual([wrong, act])
      expect(BUDGET_ALIGNMENT[twin][ALIGNMENT_BUDGETS.indexOf(0.15)]).toEqual([wrong, act])
      expect(FIXED_BUDGET_TABLE[twin][FIXED_BUDGETS.indexOf(0.15)]!.slice(0, 3)).toEqual([act, accuracy, wrong])
      expect(EPSILON_TABLE[twin][EPSILONS.indexOf(0.02)]).toEqual([wrong, act, accuracy])
      const cell = BUDGET_SPLIT[twin][SPLIT_DELTAS.indexOf(0.03)]![SPLIT_EPSILONS.indexOf(0.02)]!
      expect(cell.slice(0, 2)).toEqual([act, accuracy])
      expect(STATE_TABLE[twin][1]).toEqual([act, wrong])
    }
  })

  test('ARC at .20, .25 and .30 of Tables 7 and 8, and the default row of Table 19', () => {
    expect(FRONTIER.arc.slice(2).map((cell) => [cell![2], cell![0]])).toEqual(BUDGET_ALIGNMENT.arc.slice(2))
    expect(frontierBudgets('arc').slice(2)).toEqual([0.2, 0.25, 0.3])
    for (const twin of ['mmlu-pro', 'bbh', 'logiqa'] as const) {
      expect(LAMBDA_ROBUSTNESS.usual.cells[twin].slice(0, 2)).toEqual(MAIN_TABLE.paper[twin].slice(0, 2))
    }
    expect(LAMBDA_ROBUSTNESS.usual.cells.arc[0]).toBe(73.1)
  })
})

test('Table 6: WA is Act x (1 - Acc) for every rule that is not 1 - Acc, where all splits act', () => {
  const odd = PRINTED_POLICIES.flatMap((policy) =>
    FULL_TABLE_TWINS.flatMap((twin) => {
      const [act, accuracy, wrong] = FULL_TABLE[policy][twin]
      if (act === null || accuracy === null || wrong === null) return []
      return canBeWrong(act, accuracy, wrong) ? [] : `${policy} on ${twin}`
    }),
  )
  // Some of these are means over splits with some that never act (accuracy 0 there). Others are heuristics with WA = 1 - Acc.
  expect(odd).toContain('isotonic-confidence on musr')
  expect(odd).toContain('consensus on mmlu-pro')
  expect(odd).not.toContain('paper on mmlu-pro')
  expect(odd).not.toContain('paper on bbh')
})

test('Table 2: budgets used are WA over the budget of Table 1, to its rounding', () => {
  for (const twin of ACTIVATED) {
    for (const rule of MATCHED_RULES) {
      const [, , wrong, used] = MATCHED_TABLE[twin][rule]
      expect(Math.abs(wrong / 100 / used - INDUCED_BUDGETS[twin].beta)).toBeLessThan(0.025)
    }
  }
})

test('Table 17: groups are those of the twins, with their sizes', () => {
  for (const twin of TWO_TWINS) {
    expect(SUBGROUP_TABLE[twin].map(({ group, size }) => ({ group, size }))).toEqual(
      TARGETS[twin].subgroups.map(({ name, size }) => ({ group: name, size })),
    )
  }
})

test('Table 23: the bound is what is left of the mean, and its slack is below what k = 512 allows', () => {
  for (const { mean, envelope, slack, lower } of Object.values(DECOMPOSITION)) {
    expect(mean - envelope - slack).toBeCloseTo(lower, 1)
  }
  const smallest = Math.sqrt(Math.log(12 / 0.03) / (2 * 512))
  expect(smallest).toBeGreaterThan(0.076)
  expect(DECOMPOSITION['mmlu-pro'].slack).toBeLessThan(smallest)
})
