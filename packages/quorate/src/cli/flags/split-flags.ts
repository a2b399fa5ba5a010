import { availableParallelism } from 'node:os'
import { splitSeeds } from '@quorate/certificate'
import { UsageError } from '../usage-error.ts'
import { areDistinct, type Flags, type FlagTable, integersFlag, numberFlag } from './parse-flags.ts'

/** Flags of commands that evaluate random halves on several threads. Use them like DEBATE_FLAGS. */
export const SPLIT_FLAGS = Object.freeze({
  splits: { value: 'N', about: 'random halves to try, 1 to 1000 (default 10)' },
  seeds: { value: 'A,B,..', about: 'one split for each of these seeds instead of 7, 11, 13, ...' },
  threads: { value: 'N', about: 'threads, 1 to 64 (default: one for each core); changes no result' },
  'group-conditional': { about: 'certificates decide each question from its own group' },
}) satisfies FlagTable

export interface SplitFlags {
  readonly seeds: readonly number[]
  readonly threads: number
  readonly groupConditional: boolean
}

export function splitFlags(flags: Flags): SplitFlags {
  if (flags.has('splits') && flags.has('seeds'))
    throw new UsageError('--splits and --seeds set the same thing: pass one of them')
  const integer = (name: string, fallback: number, most: number) =>
    numberFlag(flags, name, {
      fallback,
      expected: `an integer from 1 to ${most}`,
      accepts: (value) => Number.isInteger(value) && value >= 1 && value <= most,
    })
  const seeds = integersFlag(flags, 'seeds', {
    expected: 'different integers from 0 to 4294967295, such as 7,11,13',
    accepts: (values) => areDistinct(values) && values.every((seed) => seed < 2 ** 32),
  })
  return {
    seeds: seeds ?? splitSeeds(integer('splits', 10, 1000)),
    threads: integer('threads', Math.min(availableParallelism(), 64), 64),
    groupConditional: flags.has('group-conditional'),
  }
}
