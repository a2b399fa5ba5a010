import { CertificateError } from '../certificate-error.ts'
import type { KindCode } from '../kinds/kind.ts'
import { type QuestionRuns, questionRuns } from './exact-tests.ts'

/** Labelled debates as numbers, row-major over rows x rounds: everything that `total` uses. */
export interface StoppingRows {
  readonly rows: number
  readonly rounds: number
  /** Estimated probability that the panel's answer is right. */
  readonly scores: Float64Array
  readonly kinds: Uint16Array
  /** 1 where the round never acts: a tie, no vote, no news, or a round that did not take place. */
  readonly excluded: Uint8Array
  readonly right: Uint8Array
  /** Null if every row is its own question. */
  readonly questions: QuestionRuns | null
  /** The panel's answers; absent if nothing needs them. */
  readonly answers?: PredictedAnswers
  /** A person's grades of a random sample of rows whose `right` a model graded; absent if no model graded. */
  readonly audit?: JudgeAudit
}

export interface JudgeAudit {
  /** 1 for a row that a person also graded. */
  readonly rows: Uint8Array
  /** Row-major: 1 where the model graded the answer as right and the person did not. */
  readonly misjudged: Uint8Array
}

/** Names of answers, and the index among them of the panel's answer in every round of every row. */
export interface PredictedAnswers {
  readonly names: readonly string[]
  readonly of: Uint16Array
}

/** Cuts of answers that have their own budget. */
export interface OwnCuts {
  /** Row-major: index in `cuts` of the panel's answer; -1 if it has no budget of its own. */
  readonly of: Int16Array
  readonly cuts: readonly (readonly number[])[]
}

/** Row-major: index of the panel's answer among the named ones; -1 for any other. */
export function placesOf(rows: StoppingRows, named: readonly string[]): Int16Array {
  if (rows.answers === undefined) {
    const expected = 'of answers that the certificate keeps: calibrate again with these budgets'
    throw new CertificateError('certificate', 'budget.total.answers', expected, named)
  }
  const { names, of } = rows.answers
  const placeOf = Int16Array.from(names, (name) => named.indexOf(name))
  return Int16Array.from(of, (name) => placeOf[name]!)
}

/** Where a policy may stop at all, fixed by pilot rows and the declared floor. */
export interface Allowance {
  /** A score below this never acts. */
  readonly least: number
  /** Kinds that never act. The debate continues, since only pilot labels chose them. */
  readonly blocked: readonly KindCode[]
}

/** Row-major: 1 where a policy may stop. */
export function allowedStops({ scores, kinds, excluded }: StoppingRows, { least, blocked }: Allowance): Uint8Array {
  const isBlocked = new Set(blocked)
  const allowed = new Uint8Array(scores.length)
  for (let at = 0; at < scores.length; at++) {
    if (excluded[at] === 0 && scores[at]! >= least && !isBlocked.has(kinds[at]!)) allowed[at] = 1
  }
  return allowed
}

/**
 * Round (from 0) at which each row stops: the first that is allowed and whose score reaches the cut; -1 if there is
 * none.
 */
export function stopsOf(
  { rows, rounds, scores }: StoppingRows,
  allowed: Uint8Array,
  cuts: readonly number[],
  own?: OwnCuts,
): Int8Array {
  const stops = new Int8Array(rows).fill(-1)
  for (let row = 0; row < rows; row++) {
    for (let round = 0; round < rounds; round++) {
      const at = row * rounds + round
      const place = own === undefined ? -1 : own.of[at]!
      const cut = place < 0 ? cuts[round]! : own!.cuts[place]![round]!
      if (allowed[at] === 1 && scores[at]! >= cut) {
        stops[row] = round
        break
      }
    }
  }
  return stops
}

/** A selection of the rows, in the given order. */
export function pickStoppingRows(all: StoppingRows, picked: readonly number[]): StoppingRows {
  const { rounds } = all
  const columns = <Column extends Float64Array | Uint16Array | Uint8Array>(column: Column, into: Column): Column => {
    for (const [at, row] of picked.entries()) into.set(column.subarray(row * rounds, (row + 1) * rounds), at * rounds)
    return into
  }
  const cells = picked.length * rounds
  const { answers, audit } = all
  return {
    rows: picked.length,
    rounds,
    scores: columns(all.scores, new Float64Array(cells)),
    kinds: columns(all.kinds, new Uint16Array(cells)),
    excluded: columns(all.excluded, new Uint8Array(cells)),
    right: columns(all.right, new Uint8Array(cells)),
    questions: all.questions && questionRuns(renumbered(picked.map((row) => all.questions!.of[row]!))),
    ...(answers === undefined
      ? {}
      : { answers: { names: answers.names, of: columns(answers.of, new Uint16Array(cells)) } }),
    ...(audit === undefined
      ? {}
      : {
          audit: {
            rows: Uint8Array.from(picked, (row) => audit.rows[row]!),
            misjudged: columns(audit.misjudged, new Uint8Array(cells)),
          },
        }),
  }
}

/** Numbers from 0 without gaps, in order of first appearance. */
export function renumbered(keys: readonly (string | number)[]): Int32Array {
  const numbers = new Map<string | number, number>()
  return Int32Array.from(keys, (key) => {
    if (!numbers.has(key)) numbers.set(key, numbers.size)
    return numbers.get(key)!
  })
}
