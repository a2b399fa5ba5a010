import type { BoundPaths, Quantiles } from '../../src/figures/bound-paths.ts'
import type { BudgetGauge } from '../../src/figures/budget-gauge.ts'
import type { CellBars } from '../../src/figures/cell-bars.ts'
import type { CertifiedBins } from '../../src/figures/certified-bins.ts'
import type { DebatePath } from '../../src/figures/debate-path.ts'
import type { DebateSteps } from '../../src/figures/debate-steps.ts'
import type { Frontier } from '../../src/figures/frontier.ts'
import type { Groups } from '../../src/figures/groups.ts'
import type { StateLine } from '../../src/figures/state-line.ts'
import type { StatePlane } from '../../src/figures/state-plane.ts'
import type { StoppingRounds } from '../../src/figures/stopping-rounds.ts'
import type { Waterfall } from '../../src/figures/waterfall.ts'

/** Hand-made data of every figure: nothing here was measured. */
export const gauge: BudgetGauge = {
  beta: 0.15,
  alpha: 0.12,
  epsilon: 0,
  wrongActions: { value: 0.026, low: 0.022, high: 0.031 },
}

export const frontier: Frontier = {
  beta: 0.15,
  ours: { name: 'cells', act: 0.42, wrongActions: 0.026 },
  path: [
    { beta: 0.1, act: 0.17, wrongActions: 0.006 },
    { beta: 0.15, act: 0.42, wrongActions: 0.026 },
    { beta: 0.2, act: 0.57, wrongActions: 0.054 },
    { beta: 0.3, act: 0.74, wrongActions: 0.103 },
  ],
  others: [
    { name: 'tight', act: 0.42, wrongActions: 0.023 },
    { name: 'paper', act: 0, wrongActions: 0 },
    { name: 'knn-no-envelope', act: 0.62, wrongActions: 0.08 },
    { name: 'conformal-risk-control', act: 0.85, wrongActions: 0.149 },
    { name: 'learn-then-test', act: 0.82, wrongActions: 0.136 },
    { name: 'selective-prediction', act: 0.86, wrongActions: 0.151 },
    { name: 'calibrated-learned', act: 0.865, wrongActions: 0.15 },
    { name: 'isotonic-confidence', act: 0.82, wrongActions: 0.146 },
    { name: 'consensus', act: 0.9, wrongActions: 0.19 },
    { name: 'confidence-threshold', act: 0.7, wrongActions: 0.11 },
    { name: 'learned-stopper', act: 0.95, wrongActions: 0.22 },
    { name: 'majority-final', act: 1, wrongActions: 0.26 },
    { name: 'majority-first', act: 1, wrongActions: 0.31 },
    { name: 'oracle', act: 0.78, wrongActions: 0 },
  ],
}

export const waterfall: Waterfall = {
  threshold: 0.88,
  debates: [
    {
      kind: 'acts in round 1',
      id: 'mmlu-pro-00123',
      decision: 'act',
      isRight: true,
      rows: [
        {
          label: 'round 1: B',
          lower: 0.921,
          mean: 0.952,
          envelope: 0,
          slack: 0.031,
          rows: 1840,
          successes: 1752,
          mark: 'act',
        },
      ],
    },
    {
      kind: 'acts late',
      id: 'mmlu-pro-04711',
      decision: 'act',
      isRight: false,
      rows: [
        {
          label: 'round 1: A',
          lower: 0.61,
          mean: 0.66,
          envelope: 0.02,
          slack: 0.03,
          rows: 700,
          successes: 462,
          mark: null,
        },
        { label: 'round 2: A', lower: null, reason: 'no agent voted' },
        {
          label: 'round 3: B',
          lower: 0.883,
          mean: 0.93,
          envelope: 0.012,
          slack: 0.035,
          rows: 512,
          successes: 476,
          mark: 'wrong',
        },
      ],
    },
    {
      kind: 'defers nearest to the line',
      id: 'mmlu-pro-00815',
      decision: 'defer',
      isRight: true,
      rows: [
        {
          label: 'round 1: C',
          lower: 0.55,
          mean: 0.64,
          envelope: 0.06,
          slack: 0.03,
          rows: 900,
          successes: 576,
          mark: null,
        },
        {
          label: 'round 2: C',
          lower: 0.81,
          mean: 0.86,
          envelope: 0,
          slack: 0.05,
          rows: 256,
          successes: 220,
          mark: null,
        },
        {
          label: 'round 3: C',
          lower: 0.876,
          mean: 0.91,
          envelope: 0,
          slack: 0.034,
          rows: 640,
          successes: 582,
          mark: 'defer',
        },
      ],
    },
  ],
}

export const cells: CellBars = {
  threshold: 0.88,
  rounds: [
    {
      round: 1,
      heldOut: 5980,
      cells: [
        { name: '3', rows: 1840, successes: 1752, lower: 0.938, heldOut: 2300 },
        { name: '2', rows: 900, successes: 770, lower: 0.83, heldOut: 1100 },
        { name: '0', rows: 1300, successes: 500, lower: 0.35, heldOut: 1600 },
      ],
    },
    {
      round: 2,
      heldOut: 3680,
      cells: [
        { name: '2 › 3', rows: 410, successes: 379, lower: 0.893, heldOut: 480 },
        { name: '2 › 2', rows: 320, successes: 262, lower: 0.77, heldOut: 400 },
        { name: '0 › 0', rows: 1100, successes: 410, lower: 0.34, heldOut: 1250 },
      ],
    },
  ],
}

export const certified: CertifiedBins = {
  threshold: 0.88,
  bins: [
    { bound: 0.31, n: 900, right: 0.36, low: 0.33, high: 0.39 },
    { bound: 0.55, n: 620, right: 0.6, low: 0.56, high: 0.64 },
    { bound: 0.72, n: 410, right: 0.77, low: 0.73, high: 0.81 },
    { bound: 0.84, n: 200, right: 0.76, low: 0.69, high: 0.82 },
    { bound: 0.91, n: 1500, right: 0.938, low: 0.925, high: 0.949 },
  ],
}

export const paths: BoundPaths = {
  threshold: 0.88,
  rounds: 4,
  spreads: [
    spread(1, 'act', 2500, [0.6, 0.88, 0.92, 0.93, 0.95]),
    spread(1, 'defer', 3480, [0.2, 0.35, 0.5, 0.62, 0.83]),
    spread(2, 'act', 380, [0.7, 0.84, 0.89, 0.9, 0.91]),
    spread(2, 'defer', 3480, [0.18, 0.3, 0.48, 0.65, 0.85]),
    spread(3, 'act', 90, [0.8, 0.86, 0.885, 0.89, 0.9]),
    spread(3, 'defer', 3480, [0.15, 0.3, 0.49, 0.66, 0.85]),
    spread(4, 'defer', 3480, [0.15, 0.3, 0.5, 0.68, 0.86]),
  ],
  samples: [
    { kind: 'act', bounds: [0.7, 0.89] },
    { kind: 'act', bounds: [0.6, 0.8, 0.89] },
    { kind: 'defer', bounds: [0.4, 0.5, null, 0.6] },
    { kind: 'defer', bounds: [0.7, 0.3, 0.2, 0.1] },
  ],
}

function spread(round: number, kind: 'act' | 'defer', n: number, quantiles: Quantiles) {
  return { round, kind, n, quantiles }
}

export const stopping: StoppingRounds = {
  threshold: 0.88,
  debates: 5980,
  deferred: 3450,
  rounds: [
    { round: 1, acted: 2080, accuracy: { value: 0.942, low: 0.931, high: 0.952 } },
    { round: 2, acted: 360, accuracy: { value: 0.9, low: 0.864, high: 0.929 } },
    { round: 3, acted: 90, accuracy: { value: 0.71, low: 0.6, high: 0.8 } },
    { round: 4, acted: 0, accuracy: null },
  ],
}

export const groups: Groups = {
  threshold: 0.88,
  groups: [
    'biology',
    'business',
    'chemistry',
    'computer science',
    'economics',
    'engineering',
    'health',
    'history',
    'law',
  ].map((name, index) => ({
    name,
    n: 400 + index * 90,
    act: 0.2 + index * 0.06,
    accuracy:
      index === 4 ? null : { value: 0.84 + index * 0.015, low: 0.78 + index * 0.017, high: 0.87 + index * 0.013 },
  })),
}

export const plane: StatePlane = {
  xName: 'top probability p1',
  yName: 'margin p1 - p2',
  x: { from: 0, to: 1 },
  y: { from: 0, to: 1 },
  rounds: [1, 2, 3, 4].map((round) => ({
    round,
    region: [{ x: { from: 0.8, to: 1 }, y: { from: 0.6 + round * 0.02, to: 1 } }],
    points: [
      { x: 1, y: 1, outcome: 'act', count: 400 },
      { x: 0.95, y: 0.9, outcome: 'wrong', count: 12 },
      { x: 0.67, y: 0.33, outcome: 'defer', count: 300 },
      { x: 0.5, y: 0.1, outcome: 'defer', count: 40 },
    ],
  })),
}

export const line: StateLine = {
  threshold: 0.88,
  name: 'learned score, as a probability',
  rounds: [1, 2, 3].map((round) => ({
    round,
    running: 1000,
    acting: 300,
    points: Array.from({ length: 30 }, (_, index) => ({
      x: 0.2 + index * 0.026,
      lower: 0.1 + index * 0.029 - round * 0.02,
    })),
  })),
}

export const path: DebatePath = { threshold: 0.93, rounds: 4, bounds: [0.61, null, 0.943] }

export const steps: DebateSteps = {
  threshold: 0.93,
  rows: [
    { label: 'round 1', lower: 0.61, mean: 0.7, envelope: 0.02, slack: 0.07, rows: 120, successes: 84, mark: null },
    { label: 'round 2', lower: null, reason: 'too few labelled debates' },
    { label: 'round 3', lower: 0.943, mean: 0.96, envelope: 0, slack: 0.017, rows: 900, successes: 864, mark: 'act' },
  ],
}
