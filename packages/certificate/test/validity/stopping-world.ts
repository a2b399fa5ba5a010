import { type Agreement, type KindCode, kindCode } from '../../src/kinds/kind.ts'
import type { Random } from '../../src/random.ts'
import { questionRuns } from '../../src/total/exact-tests.ts'
import { type Allowance, allowedStops, type StoppingRows, stopsOf } from '../../src/total/stopping-rows.ts'

/**
 * Debates of finitely many types, so the effect of a certificate on the whole population is a finite sum. Row-major
 * numbers represent debates, since `total` uses nothing else.
 */
export interface DebateType {
  readonly weight: number
  readonly rounds: readonly TypeRound[]
}

export interface TypeRound {
  readonly score: number
  readonly agreement: Agreement
  readonly hasChanged?: boolean
  readonly excluded?: boolean
  /** Chance that the answer of this round is right. */
  readonly right: number
}

export interface StoppingWorld {
  readonly types: readonly DebateType[]
  readonly rounds: number
  /** The types themselves as rows. */
  readonly rows: StoppingRows
  readonly weights: readonly number[]
  /** Row-major chances to be right. */
  readonly chances: readonly number[]
}

export function stoppingWorld(types: readonly DebateType[]): StoppingWorld {
  const rounds = types[0]!.rounds.length
  const total = types.reduce((sum, { weight }) => sum + weight, 0)
  const cells = types.flatMap((type) => type.rounds.map((round, at) => ({ ...round, at })))
  return {
    types,
    rounds,
    weights: types.map(({ weight }) => weight / total),
    chances: cells.map(({ right }) => right),
    rows: {
      rows: types.length,
      rounds,
      scores: Float64Array.from(cells, ({ score }) => score),
      kinds: Uint16Array.from(cells, ({ at, agreement, hasChanged = false }) =>
        kindCode({ round: at + 1, agreement, hasChanged }),
      ),
      excluded: Uint8Array.from(cells, ({ excluded = false }) => Number(excluded)),
      right: new Uint8Array(cells.length),
      questions: null,
    },
  }
}

/** The number of the type of each row. */
export function drawTypes({ weights }: StoppingWorld, rows: number, random: Random): Int32Array {
  return Int32Array.from({ length: rows }, () => {
    let left = random()
    let type = 0
    while (type + 1 < weights.length && left >= weights[type]!) left -= weights[type++]!
    return type
  })
}

/**
 * Labelled rows of these types. Each row has one luck: an answer that is right in a hard round is also right in an easy
 * one.
 */
export function labelledRows(world: StoppingWorld, types: ArrayLike<number>, random: Random): StoppingRows {
  return rowsOf(
    world,
    types,
    Float64Array.from({ length: types.length }, () => random()),
    null,
  )
}

/** Each question has its own type and luck, and that many runs with the same type and luck. */
export function questionRows(world: StoppingWorld, runs: readonly number[], random: Random): StoppingRows {
  const types = drawTypes(world, runs.length, random)
  const luck = Float64Array.from(runs, () => random())
  const of = Int32Array.from(runs.flatMap((count, question) => new Array<number>(count).fill(question)))
  return rowsOf(
    world,
    of.map((question) => types[question]!),
    Float64Array.from(of, (question) => luck[question]!),
    of,
  )
}

export function drawRows(world: StoppingWorld, rows: number, random: Random): StoppingRows {
  return labelledRows(world, drawTypes(world, rows, random), random)
}

export function rowsOf(
  { rows: { scores, kinds, excluded }, rounds, chances }: StoppingWorld,
  types: ArrayLike<number>,
  luck: Float64Array,
  questions: Int32Array | null,
): StoppingRows {
  const cells = types.length * rounds
  const drawn = {
    rows: types.length,
    rounds,
    scores: new Float64Array(cells),
    kinds: new Uint16Array(cells),
    excluded: new Uint8Array(cells),
    right: new Uint8Array(cells),
    questions: questions && questionRuns(questions),
  }
  for (let row = 0; row < types.length; row++) {
    for (let round = 0; round < rounds; round++) {
      const [from, to] = [types[row]! * rounds + round, row * rounds + round]
      drawn.scores[to] = scores[from]!
      drawn.kinds[to] = kinds[from]!
      drawn.excluded[to] = excluded[from]!
      drawn.right[to] = Number(luck[row]! < chances[from]!)
    }
  }
  return drawn
}

/** Share of all debates that a policy stops on and that are wrong there, by kind. */
export interface Acted {
  readonly acts: number
  readonly wrong: number
}

export function actedByKind(world: StoppingWorld, allowance: Allowance, cuts: readonly number[]): Map<KindCode, Acted> {
  const stops = stopsOf(world.rows, allowedStops(world.rows, allowance), cuts)
  const found = new Map<KindCode, Acted>()
  for (const [type, round] of stops.entries()) {
    if (round < 0) continue
    const at = type * world.rounds + round
    const { acts, wrong } = found.get(world.rows.kinds[at]!) ?? { acts: 0, wrong: 0 }
    const weight = world.weights[type]!
    found.set(world.rows.kinds[at]!, { acts: acts + weight, wrong: wrong + weight * (1 - world.chances[at]!) })
  }
  return found
}

export function sumActed(byKind: ReadonlyMap<KindCode, Acted>, kinds?: readonly KindCode[]): Acted {
  let [acts, wrong] = [0, 0]
  for (const [kind, each] of byKind) {
    if (kinds !== undefined && !kinds.includes(kind)) continue
    acts += each.acts
    wrong += each.wrong
  }
  return { acts, wrong }
}

/** Two rounds on a lattice of scores. `truth`: the chance to be right at a score of a round. */
export function gradedWorld(points: number, truth: (score: number, round: number) => number): StoppingWorld {
  const chance = (score: number, round: number) => Math.min(0.999, Math.max(0.001, truth(score, round)))
  const agreementOf = (score: number): Agreement =>
    score >= 0.85 ? 'unanimous' : score >= 0.7 ? 'two-thirds' : 'under-two-thirds'
  return stoppingWorld(
    Array.from({ length: points }, (_, step): DebateType[] => {
      const first = 0.45 + (0.54 * step) / (points - 1)
      return [-0.08, 0.06].map((move) => {
        const second = Math.min(0.995, first + move)
        return {
          weight: 1 + first,
          rounds: [
            { score: first, agreement: agreementOf(first), right: chance(first, 1) },
            { score: second, agreement: agreementOf(second), hasChanged: move < 0, right: chance(second, 2) },
          ],
        }
      })
    }).flat(),
  )
}
