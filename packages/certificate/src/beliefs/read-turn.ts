import { LIMITS } from '../limits.ts'
import { ownField, readList, readName, readObject } from './json-value.ts'
import { inside, type Place, refusal } from './place.ts'
import { listed, type OptionNames, readOptionOrNull } from './read-options.ts'

/** One agent's turn after checking, with options by index and null for everything that it lacks. */
export interface CheckedTurn {
  readonly agent: string
  readonly answer: number | null
  /** Probability of each option; sums to 1. */
  readonly given: Float64Array | null
  /** Probability in [0, 1] that the agent stated for its answer. */
  readonly stated: number | null
  /** Number of samples that answered each option; all zero if no sample was readable. */
  readonly sampled: Float64Array | null
  /** Whether the given beliefs were off by more than rounding and were scaled to a sum of 1. */
  readonly isRenormalised: boolean
}

export function readTurn(value: unknown, options: OptionNames, place: Place): CheckedTurn {
  const turn = readObject(value, place)
  const given = readBeliefs(ownField(turn, 'beliefs') ?? null, options, inside(place, 'beliefs'))
  return {
    agent: readName(ownField(turn, 'agent'), inside(place, 'agent')),
    // An absent answer is not null: a misspelt field name would silently turn a whole file into abstentions.
    answer: readOptionOrNull(ownField(turn, 'answer'), options, inside(place, 'answer')),
    given: given?.beliefs ?? null,
    stated: readStated(ownField(turn, 'conf') ?? null, inside(place, 'conf')),
    sampled: readSamples(ownField(turn, 'samples') ?? null, options, inside(place, 'samples')),
    isRenormalised: given?.isRenormalised ?? false,
  }
}

/** Probabilities written with seven digits or more sum to 1 within this. */
const EXACT_SUM = 1e-6
/** Probabilities written with two digits or more mostly sum to 1 within this; anything further off is a mistake. */
const SUM_TOLERANCE = 0.01
/** A decimal sum of .99 may be slightly smaller in binary. */
const SUM_ROUNDING = 1e-9

function readBeliefs(
  value: unknown,
  options: OptionNames,
  place: Place,
): { readonly beliefs: Float64Array; readonly isRenormalised: boolean } | null {
  if (value === null) return null
  const object = readObject(value, place)
  const beliefs = new Float64Array(options.names.length)
  for (const name of Object.keys(object)) {
    const index = options.indexOf.get(name)
    if (index === undefined) throw refusal(inside(place, name), `under the name of an option, ${listed(options)}`, name)
    const belief = ownField(object, name)
    if (!(typeof belief === 'number' && belief >= 0 && belief < Infinity)) {
      throw refusal(inside(place, name), 'a finite number of at least 0', belief)
    }
    // Adding to the initial zero turns -0 into 0.
    beliefs[index]! += belief
  }
  // The sum follows the order of the options, since the order of keys in a file is meaningless and must not change a
  // bit.
  const sum = beliefs.reduce((total, belief) => total + belief, 0)
  const error = Math.abs(sum - 1)
  if (!(error <= SUM_TOLERANCE + SUM_ROUNDING)) {
    throw refusal(place, `probabilities with a sum within ${SUM_TOLERANCE} of 1`, sum)
  }
  return { beliefs: beliefs.map((belief) => belief / sum), isRenormalised: error > EXACT_SUM }
}

function readStated(value: unknown, place: Place): number | null {
  if (value === null) return null
  const verbal = ownField(readObject(value, place), 'verbal') ?? null
  if (verbal === null) return null
  if (!(typeof verbal === 'number' && verbal >= 0 && verbal <= 1)) {
    throw refusal(inside(place, 'verbal'), 'null or in [0, 1]', verbal)
  }
  return verbal
}

function readSamples(value: unknown, options: OptionNames, place: Place): Float64Array | null {
  if (value === null) return null
  const counts = new Float64Array(options.names.length)
  for (const [index, item] of readList(value, LIMITS.samples, place).entries()) {
    const sample = readOptionOrNull(item, options, inside(place, index))
    if (sample !== null) counts[sample]!++
  }
  return counts
}
