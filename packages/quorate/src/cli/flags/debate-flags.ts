import {
  BELIEF_READINGS,
  type Budget,
  checkBudget,
  resolvePromise,
  type TotalBudget,
  usualBudget,
} from '@quorate/certificate'
import type { GrowingPanel } from '../../files/growing-panel.ts'
import type { DebateReading } from '../../files/read-debate-file.ts'
import { LIMITS } from '../../record/limits.ts'
import { UsageError } from '../usage-error.ts'
import {
  areDistinct,
  type Flags,
  type FlagTable,
  integersFlag,
  numberFlag,
  OUTPUT_FLAGS,
  wordFlag,
} from './parse-flags.ts'

/**
 * Flags of every command over a file of debates (evaluate, audit, plan, report): the budget and how the file is read.
 *
 * A command spreads DEBATE_FLAGS into its own flag table and asks `debateFlags`:
 *
 *     const FLAGS = { ...DEBATE_FLAGS, profile: { value: 'P', about: 'how to certify' } }
 *     const { flags, operands } = parseFlags('audit', args, FLAGS, ['DEBATES.jsonl'])
 *     const { budget, file } = debateFlags(flags)
 *     const debates = await readDebateFile(operands[0], file)
 */
export const DEBATE_FLAGS = Object.freeze({
  beta: { value: 'B', about: 'largest share of questions on which the panel may act wrongly' },
  floor: {
    value: 'F',
    about: 'smallest share right in every class acted on, or none (default 1 - 2 beta, at least 0.70); profile total',
  },
  promise: {
    value: 'P',
    about:
      'pac (default): this certificate keeps beta with confidence. average: certificates keep it on average. ' +
      'selective: beta is a share of the questions acted on. Profile total',
  },
  delta: {
    value: 'D',
    about:
      'profile total: allowed probability that any promise fails (default 0.05). Others: probability that a bound is too high ' +
      '(default 0.03; 30 % of a beta below 0.10)',
  },
  epsilon: {
    value: 'E',
    about:
      'part of beta for the information that a state loses (default 0.02; 20 % of a beta below 0.10). Profiles total and cells need none',
  },
  beliefs: {
    value: 'HOW',
    about:
      `${BELIEF_READINGS.join(' | ')}: how an answer becomes a probability, for all turns alike. A turn that lacks the value ` +
      'is an abstention. Default: given if any turn of the file has beliefs, else stated if any has a confidence, else vote',
  },
  protocol: {
    value: 'P',
    about:
      'debate (default), or growing-panel: the file has one round, and round t asks the first agents of --panel-sizes',
  },
  'panel-sizes': { value: 'N,..', about: 'agents polled after each round of a growing panel, such as 3,6,9,12' },
  'panel-order': { value: 'I,..', about: 'positions of the agents in the file, from 0, in the order of polling' },
  ...OUTPUT_FLAGS,
}) satisfies FlagTable

/** The parsed flags. */
export interface DebateFlags {
  readonly budget: Budget
  /** Options for `readDebateFile`. */
  readonly file: DebateReading
}

/** `beta` is the default for the flag. Without a default the flag is required. */
export function debateFlags(flags: Flags, { beta }: { readonly beta?: number } = {}): DebateFlags {
  if (beta === undefined && !flags.has('beta')) {
    throw new UsageError('--beta is missing: the largest share of questions to act on wrongly, such as --beta 0.15')
  }
  const beliefs = wordFlag(flags, 'beliefs', BELIEF_READINGS)
  const growingPanel = growingPanelFlags(flags)
  return {
    budget: budgetFlags(flags, beta ?? Number.NaN),
    file: { ...(beliefs && { beliefs }), ...(growingPanel && { growingPanel }) },
  }
}

/** Beyond these limits values cannot be distinguished from rounding errors. */
const SMALLEST_BETA = 1e-6
const SMALLEST_DELTA = 1e-12
const LARGEST_SHARE = 0.999999

function budgetFlags(flags: Flags, beta: number): Budget {
  const share = (name: string, fallback: number, example: number, least: number) =>
    numberFlag(flags, name, {
      fallback,
      expected: `a number from ${least} to ${LARGEST_SHARE}, such as ${example}`,
      accepts: (value) => value >= least && value <= LARGEST_SHARE,
    })
  const usual = usualBudget(share('beta', beta, 0.15, SMALLEST_BETA))
  const delta = share('delta', usual.delta, 0.03, SMALLEST_DELTA)
  const budget = {
    beta: usual.beta,
    delta,
    epsilon: share('epsilon', usual.epsilon, 0.02, 0),
    ...(flags.has('delta-omega') ? { deltaOmega: deltaOmegaFlag(flags, delta) } : {}),
  }
  checkBudget('quorate', budget)
  const total = promiseFlags(flags, budget)
  return total === null ? budget : { ...budget, total }
}

/** The settings of the profile `total` besides beta, or null if no flag sets one. */
function promiseFlags(flags: Flags, { beta, delta }: Budget): TotalBudget | null {
  const kind = wordFlag(flags, 'promise', ['pac', 'average', 'selective'] as const)
  const isNone = flags.get('floor') === 'none'
  const floor = isNone || !flags.has('floor') ? undefined : floorFlag(flags)
  const total: TotalBudget = {
    ...(kind === undefined ? {} : { kind }),
    ...(flags.has('delta') ? { delta } : {}),
    ...(isNone ? { floor: 'none' as const } : floor === undefined ? {} : { floor }),
  }
  if (Object.keys(total).length === 0) return null
  resolvePromise('quorate', { beta, ...total })
  return total
}

function deltaOmegaFlag(flags: Flags, delta: number): number {
  return numberFlag(flags, 'delta-omega', {
    fallback: 0,
    expected: `a number from 0 on and below delta, ${delta}, which it is a part of`,
    accepts: (value) => value >= 0 && value < delta,
  })
}

function floorFlag(flags: Flags): number {
  return numberFlag(flags, 'floor', {
    fallback: Number.NaN,
    expected: 'a number above 0 and below 1, such as 0.8, or none',
    accepts: (value) => value > 0 && value < 1,
  })
}

function growingPanelFlags(flags: Flags): GrowingPanel | undefined {
  const protocol = wordFlag(flags, 'protocol', ['debate', 'growing-panel']) ?? 'debate'
  const sizes = integersFlag(flags, 'panel-sizes', {
    expected: `numbers of agents from 1 to ${LIMITS.agents}, each larger than the one before, such as 3,6,9,12`,
    accepts: (values) =>
      values.every((size, round) => size > (values[round - 1] ?? 0)) && (values.at(-1) ?? 0) <= LIMITS.agents,
  })
  const order = integersFlag(flags, 'panel-order', {
    expected: 'different places of agents in the file, from 0, such as 1,3,5,0,2,4',
    accepts: areDistinct,
  })
  if (protocol === 'debate') {
    const given = ['panel-sizes', 'panel-order'].find((name) => flags.has(name))
    if (given !== undefined) throw new UsageError(`--${given} needs --protocol growing-panel`)
    return undefined
  }
  if (sizes === undefined) throw new UsageError('--protocol growing-panel needs --panel-sizes, such as 3,6,9,12')
  const largest = sizes.at(-1) ?? 0
  if (order !== undefined && order.length < largest) {
    throw new UsageError(
      `--panel-order must name at least ${largest} agents, as many as --panel-sizes, got ${order.length}`,
    )
  }
  return order === undefined ? { sizes } : { sizes, order }
}
