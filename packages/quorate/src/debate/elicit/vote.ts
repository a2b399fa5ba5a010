import { readReply } from '../reply/read-reply.ts'
import { answerOf, type Elicitation, reasonedForm } from './elicitation.ts'

/** The answer alone. */
export const VOTE: Elicitation = {
  reading: 'vote',
  isRepeated: false,
  asksLogprobs: false,
  readsOpenAnswers: true,
  ...reasonedForm(false),
  read(reply, request) {
    const parsed = readReply(reply, { ...request, hasConfidence: false })
    return { parsed, beliefs: null, isComplete: parsed.kind === 'answer' }
  },
  turn: ([reading]) => ({ answer: answerOf(reading), beliefs: null }),
}
