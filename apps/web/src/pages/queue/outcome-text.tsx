import type { DebateView, ReviewOutcome } from 'quorate/contract'
import { DataText } from '../../parts/data-text.tsx'
import { QUEUE_TEXT } from './queue-words.ts'

export function OutcomeText({ outcome }: { readonly outcome: ReviewOutcome }) {
  if (outcome.kind === 'option') return <DataText text={outcome.option} />
  if (outcome.kind === 'answer') return <DataText text={outcome.text} />
  if (outcome.kind === 'grades') {
    const right = outcome.grades.filter((grade) => grade.right === true).length
    return <>{QUEUE_TEXT.rightOf(right, outcome.grades.length)}</>
  }
  return <>{outcome.kind === 'cannot-tell' ? QUEUE_TEXT.cannotTell : QUEUE_TEXT.badQuestion}</>
}

/** The answer that the panel acted with, or leaned to in the last round of a deferral; null if it had none. */
export function panelAnswer({ answer, verdict }: DebateView): string | null {
  return answer ?? verdict?.answer ?? verdict?.path.at(-1)?.answer ?? null
}

/** The name of an answer. An open answer is shown in the words of the agents. */
export function answerName({ openAnswers }: DebateView, answer: string): string {
  return openAnswers?.[answer] ?? answer
}

/** The panel's answer and decision, shown after the reviewer has answered. */
export function PanelText({ evidence }: { readonly evidence: DebateView }) {
  const answer = panelAnswer(evidence)
  if (answer === null) return <>{QUEUE_TEXT.panelSilent}</>
  return (
    <>
      {QUEUE_TEXT.panelSaid}{' '}
      <strong>
        <DataText text={answerName(evidence, answer)} />
      </strong>{' '}
      {evidence.kind === 'act' ? QUEUE_TEXT.panelActed : QUEUE_TEXT.panelDeferred}
    </>
  )
}
