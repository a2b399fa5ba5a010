import { POLICY_NAMES } from '@quorate/certificate'
import { GROUP_BETAS, GROUP_RULE_NAMES } from '../../src/reproduce/measure/group-control.ts'
import type { Cell } from '../../src/reproduce/measure/outcome.ts'
import { DELTAS, EPSILONS } from '../../src/reproduce/measure/paper-cells.ts'
import type { CellByKind } from '../../src/reproduce/measure/policy-cells.ts'
import type { TwinSplit } from '../../src/reproduce/measure/twin-split.ts'
import { VARIANTS } from '../../src/reproduce/measure/variants.ts'
import type { Measurements, TwinMeasurements } from '../../src/reproduce/tasks.ts'
import { TARGETS, TWIN_NAMES, type TwinName } from '../../src/twins/targets.ts'

const DEBATES = 1000

const row = (name: string, value: number) => ({ name, n: 10, value })
const MEASURES = [
  { name: 'smoothness coverage', meaning: 'pairs', rows: [0, 1, 2, 3, 4].map((bin) => row(`bin ${bin}`, 1)) },
  { name: 'modulus', meaning: 'change', rows: [0.15, 0.2, 0.3, 0.4, 0.45].map((value) => row('within', value)) },
  { name: '[q_state - q_rich]+', meaning: 'gap', rows: [row('acted on, mean', 0.001), row('acted on, largest', 0.02)] },
]

/** Of 1000 debates, a share of `act` is acted on, all in the first of four rounds. A share of `accuracy` of these is right. */
export function madeCell(beta: number, act: number, accuracy = 1): Cell {
  const acted = Math.round(DEBATES * act)
  return {
    beta,
    outcome: { debates: DEBATES, acted: [acted, 0, 0, 0], right: [Math.round(acted * accuracy), 0, 0, 0] },
  }
}

/** A cell whose actions are all of one kind. */
export function madeCellByKind(beta: number, act: number, accuracy = 1): CellByKind {
  const cell = madeCell(beta, act, accuracy)
  return { ...cell, kinds: act === 0 ? [] : [[0, cell.outcome.acted[0]!, cell.outcome.right[0]!]] }
}

/** A split in which every policy acts on half of all debates and is right in 98 % of these, except for `changes`. */
export function madeSplit(twin: TwinName, changes: Partial<TwinSplit> = {}): TwinSplit {
  const usual = (beta: number) => madeCell(beta, 0.5, 0.98)
  return {
    rounds: 4,
    debates: 2 * DEBATES,
    sweep: { trainError: 0.1, lambda: { strict: 1, usual: 2, loose: 3 }, largerLambda: 2.5 },
    paper: {
      operating: {
        usual: usual(0.2),
        strict: usual(0.1),
        loose: usual(0.3),
        'fixed-1.5': usual(0.15),
        'fixed-2.5': usual(0.25),
        pooled: usual(0.2),
      },
      absolute: [0.1, 0.15, 0.2, 0.25, 0.3, 0.35].map(usual),
      shares: DELTAS.map(() => EPSILONS.map(() => usual(0.15))),
      multiples: [1, 1.5, 2, 2.5, 3].map((multiple) => usual(0.1 * multiple)),
    },
    variants: VARIANTS.filter(({ twins }) => twins.includes(twin)).map(({ name }) => ({
      name,
      fixed: usual(0.15),
      operating: usual(0.2),
    })),
    policies: POLICY_NAMES.map((name) => ({
      kind: 'ran',
      name,
      operating: usual(0.2),
      five: [0.05, 0.1, 0.15, 0.2, 0.3].map((beta) => madeCellByKind(beta, 0.5, 0.98)),
    })),
    matched: { ours: usual(0.2), 'confidence-threshold': usual(0.2), 'calibrated-learned': usual(0.2) },
    confidence: usual(1),
    terms: { mean: 0.95, envelope: 0.03, slack: 0.08, lower: 0.84 },
    threshold: 0.85,
    medianBest: 0.84,
    entropy: { acted: 0.2, deferred: 0.6 },
    subgroups: TARGETS[twin].subgroups.map(({ name }) => ({
      group: name,
      size: 100,
      asked: 0.2,
      tally: { debates: 50, acted: 25, right: 24 },
    })),
    groupActions: TARGETS[twin].subgroups.map(({ name }) => ({ group: name, debates: 50, acted: 25, right: 24 })),
    groupControl: GROUP_RULE_NAMES.flatMap((rule) =>
      GROUP_BETAS.flatMap((beta) =>
        TARGETS[twin].subgroups.map(({ name: group }) => {
          return { rule, beta, group, labels: 50, debates: 50, acted: 25, right: 24 }
        }),
      ),
    ),
    calibrationSizes: [1329, 2659, 5319].map((neighbourRows) => ({
      neighbourRows,
      cell: usual(0.15),
      radius: 50 / neighbourRows,
      allowance: 0.1,
    })),
    tradeOff: [128, 256, 512].map((k) => ({ k, mean: 0.95, envelope: 0.03, slack: 0.08, lower: 0.84 })),
    overview: {
      threshold: 0.85,
      states: [
        { p1: 0.5, margin: 0.2, right: 3, wrong: 4 },
        { p1: 0.95, margin: 0.9, right: 40, wrong: 1 },
      ],
      debate: [
        { p1: 0.5, margin: 0.2, lower: 0.6 },
        { p1: 0.9, margin: 0.8, lower: 0.9 },
      ],
    },
    ...changes,
  }
}

export function madeTwin(name: TwinName, changes: Partial<TwinSplit> = {}): TwinMeasurements {
  return {
    aggregates: [
      {
        twin: name,
        title: TARGETS[name].title,
        quantity: 'acc round 1',
        published: 0.5,
        fitted: 0.55,
        gap: 0.05,
        unit: 'share',
        isTarget: true,
      },
    ],
    pooledLambda: 2,
    splits: [madeSplit(name, changes), madeSplit(name, changes)],
    audit: {
      beta: 0.2,
      verdict: 'not falsified',
      checks: [{ name: 'stopping-rounds', verdict: 'not falsified', finding: 'Nothing was seen.' }],
      diagnostics:
        name === 'mmlu-pro' ? { measures: MEASURES, moduli: { gam: [0.2, 0.3], isotonic: [0.3, 0.4] } } : null,
    },
  }
}

/** Measurements in which all twins except the given ones are alike. */
export function madeMeasurements(given: Partial<Record<TwinName, TwinMeasurements>> = {}): Measurements {
  return {
    seeds: [7, 11],
    twins: new Map(TWIN_NAMES.map((name) => [name, given[name] ?? madeTwin(name)])),
    recorded: [],
    real: [],
    prototype: [],
  }
}
