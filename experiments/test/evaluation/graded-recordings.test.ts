import {
  calibrate,
  type Debate,
  halves,
  isRightAt,
  questionKeys,
  type ReadDebates,
  readDebates,
  replay,
} from '@quorate/certificate'
import { beforeAll, describe, expect, test } from 'vitest'
import { sized } from '../../../tools/lane.ts'
import { hasRecordedData, type RecordedName, readRecorded } from '../../src/data/recorded.ts'

/** LLM judges against people, and open mathematics. Their labels are grades of an answer, not options of an exam. */
const GRADED: readonly RecordedName[] = ['umass-judges-triviaqa', 'dylan-math-open-3agents']
const SEEDS = [7, 11, 13, 17, 19, 23, 29, 31, 37, 41].slice(0, sized({ short: 4, full: 10 }))
const BETAS = sized({ short: [0.1], full: [0.05, 0.1, 0.2] })

describe.skipIf(!hasRecordedData).each(GRADED)('%s with grades', (name) => {
  let plain: ReadDebates
  let graded: ReadDebates
  let keys: ReturnType<typeof questionKeys>
  beforeAll(() => {
    plain = readDebates(readRecorded(name))
    graded = readDebates(readRecorded(name).map((debate, row) => withGrades(debate, plain.debates[row]!)))
    keys = questionKeys(graded.debates)
  })

  test('has the labels that the right options give', () => {
    const labels = ({ debates }: ReadDebates) =>
      debates.map((debate) => debate.rounds.map((_, at) => isRightAt(debate, at + 1)))
    expect(labels(graded)).toEqual(labels(plain))
  })

  test('keeps the promise in every half, each question on one side', () => {
    for (const seed of SEEDS) {
      const { train, test: held } = halves(keys, seed)
      const taught = new Set(Array.from(train, (row) => keys[row]))
      expect(Array.from(held).filter((row) => taught.has(keys[row]))).toEqual([])
      const debatesOf = (rows: Uint32Array) => ({ ...graded, debates: Array.from(rows, (row) => graded.debates[row]!) })
      const tested = debatesOf(held)
      for (const beta of BETAS) {
        const budget = { beta, delta: 0.05, epsilon: 0 }
        const { actedAt } = replay(calibrate(debatesOf(train), { profile: 'total', budget }), tested).at(budget)
        const wrong = tested.debates.filter(
          (debate, row) => actedAt[row]! > 0 && !isRightAt(debate, actedAt[row]!),
        ).length
        expect(wrong / tested.debates.length, `seed ${seed}, beta ${beta}`).toBeLessThanOrEqual(beta)
      }
    }
  })
})

/** The debate as a grader would have graded it: each grade names the answer of its round, and there is no gold answer. */
function withGrades(debate: Debate, read: Parameters<typeof isRightAt>[0]): Debate {
  const options = Array.isArray(debate.options) ? debate.options : Object.keys(debate.options)
  const grades = read.rounds.map(({ prediction }, at) => ({
    round: at + 1,
    right: isRightAt(read, at + 1),
    by: 'person',
    answer: options[prediction],
  }))
  return { ...debate, gold: null, grades }
}
