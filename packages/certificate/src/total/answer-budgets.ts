import { type ActedRows, shareAbovePValue, sumOf } from './exact-tests.ts'
import { promiseLevels, type TotalPromise } from './promise.ts'
import type { StoppingRows } from './stopping-rows.ts'

export interface AnswerCount {
  readonly answer: string
  readonly beta: number
  /** Debates that end with this answer: at the round where the policy stops, or else after the last round. */
  readonly rows: number
  /** Those that the policy stops on, and the wrong ones among these. */
  readonly stopped: number
  readonly wrong: number
  readonly pValue: number
  /** `refused`: the budget is not shown to hold, so this answer always goes to a person. */
  readonly state: 'acts' | 'refused'
}

/** Rows under one policy: which it acts on, which of these are wrong, and the answer that each row ends with. */
interface AnsweredRows extends ActedRows {
  /** Index of the answer; -1 for an answer without its own budget. Null if no answer has one. */
  readonly answers: Int16Array | null
}

/**
 * Tests the budgets of answers, each from the strictest policy on, ending at its first failure, like the total. The
 * first true null decides, so the number of policies costs nothing. A debate belongs to the answer that it ends with,
 * so the count of such debates is conditioned on, and the wrong actions among them are binomial. Returns the counts
 * under a policy. An answer whose sequence ended before that policy is refused there.
 */
export function testAnswers(
  all: number,
  replayOf: (place: number) => AnsweredRows,
  neighbours: StoppingRows,
  promise: TotalPromise,
): (place: number) => readonly AnswerCount[] {
  const { answers } = promise
  if (answers.length === 0) return () => []
  const level = promiseLevels(promise).answers / answers.length
  const countOf = (answer: number, place: number): AnswerCount => {
    const replay = replayOf(place)
    const members = { acts: new Uint8Array(neighbours.rows), wrong: new Uint8Array(neighbours.rows) }
    let stopped = 0
    for (let row = 0; row < neighbours.rows; row++) {
      if (replay.answers![row] !== answer) continue
      members.acts[row] = 1
      members.wrong[row] = replay.wrong[row]!
      stopped += replay.acts[row]!
    }
    const { beta } = answers[answer]!
    const pValue = shareAbovePValue(members, neighbours.questions, beta)
    const state = pValue <= level ? 'acts' : 'refused'
    return { ...answers[answer]!, rows: sumOf(members.acts), stopped, wrong: sumOf(members.wrong), pValue, state }
  }
  const passed = answers.map((_, answer) => {
    let place = 0
    while (place < all && countOf(answer, place).state === 'acts') place++
    return place
  })
  return (place) =>
    answers.map((_, answer) => {
      const count = countOf(answer, place)
      return place < passed[answer]! ? count : { ...count, state: 'refused' }
    })
}
