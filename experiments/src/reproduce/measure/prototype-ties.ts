import { crc32 } from 'node:zlib'
import { type Debate, predict, readDebates } from '@quorate/certificate'

/**
 * The same debates under ids for which our hash breaks every tie as the prototype does. Both implementations choose
 * among equal options by a hash of the id, each with its own hash.
 */
export function withPrototypeTies(debates: readonly Debate[]): Debate[] {
  const { debates: read, reading } = readDebates(debates)
  return debates.map((debate, row) => {
    const ties = read[row]!.rounds.flatMap(({ isTied, social }, at) => (isTied ? [{ at, social }] : []))
    const wanted = ties.map(({ at, social }) => prototypeChoice(social, debate.id, at))
    for (let salt = 0; salt < MOST_IDS; salt++) {
      const id = salt === 0 ? debate.id : `${debate.id} / ${salt}`
      if (ties.every(({ at, social }, tie) => predict(social, id, at + 1, reading.seed) === wanted[tie])) {
        return id === debate.id ? debate : { ...debate, id }
      }
    }
    throw new Error(`no id settles the ties of ${debate.id} as the prototype does`)
  })
}

/** Most ids that are tried. Each has the same chance to fit. */
const MOST_IDS = 10_000
/** Social probabilities this close are equal for the prototype. */
const PROTOTYPE_TIE = 1e-9

function prototypeChoice(social: Float64Array, id: string, at: number): number {
  const most = social.reduce((largest, value) => Math.max(largest, value), 0)
  const tied = Array.from(social.keys()).filter((option) => social[option]! >= most - PROTOTYPE_TIE)
  return tied[crc32(`${id}/${at}`) % tied.length]!
}
