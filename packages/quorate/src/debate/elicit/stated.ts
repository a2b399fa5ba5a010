import { readReply } from '../reply/read-reply.ts'
import { answerOf, type Elicitation, reasonedForm } from './elicitation.ts'

/** The answer with the confidence that the agent states. An answer without one is asked for again. */
export const STATED: Elicitation = {
  reading: 'stated',
  isRepeated: false,
  asksLogprobs: false,
  readsOpenAnswers: true,
  ...reasonedForm(true),
  read(reply, request) {
    const parsed = readReply(reply, { ...request, hasConfidence: true })
    return { parsed, beliefs: null, isComplete: parsed.kind === 'answer' && parsed.confidence !== null }
  },
  turn([reading]) {
    const confidence = reading?.parsed.kind === 'answer' ? reading.parsed.confidence : null
    return { answer: answerOf(reading), beliefs: null, conf: { verbal: confidence } }
  },
}
