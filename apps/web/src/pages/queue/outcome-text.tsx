import type { DebateView, ReviewOutcome } from 'quorate/contract'
import { DataText } from '../../parts/data-text.tsx'
import { TEXT } from '../../text/english.ts'

export function OutcomeText({ outcome }: { readonly outcome: ReviewOutcome }) {
  if (outcome.kind === 'option') return <DataText text={outcome.option} />
  return <>{outcome.kind === 'cannot-tell' ? TEXT.queue.cannotTell : TEXT.queue.badQuestion}</>
}

/** What it acted with or, of a deferral, leaned to in its last round; null where it had no answer. */
export function panelAnswer({ answer, verdict }: DebateView): string | null {
  return answer ?? verdict?.answer ?? verdict?.path.at(-1)?.answer ?? null
}

/** What the panel said and did about it, after the reviewer has spoken. */
export function PanelText({ evidence }: { readonly evidence: DebateView }) {
  const answer = panelAnswer(evidence)
  if (answer === null) return <>{TEXT.queue.panelSilent}</>
  return (
    <>
      {TEXT.queue.panelSaid}{' '}
      <strong>
        <DataText text={answer} />
      </strong>{' '}
      {evidence.kind === 'act' ? TEXT.queue.panelActed : TEXT.queue.panelDeferred}
    </>
  )
}
