import { answerOf, type Elicitation, oneMaximum } from './elicitation.ts'
import { VOTE } from './vote.ts'

/** Several votes of one agent. The answer is the most frequent one, and a tie is no answer; the samples keep the rest. */
export const SAMPLES: Elicitation = {
  ...VOTE,
  reading: 'samples',
  isRepeated: true,
  readsOpenAnswers: false,
  turn(readings, options) {
    const samples = readings.map(answerOf)
    const counts = options.map(({ name }) => [name, samples.filter((sample) => sample === name).length] as const)
    return { answer: oneMaximum(counts), beliefs: null, samples }
  },
}
