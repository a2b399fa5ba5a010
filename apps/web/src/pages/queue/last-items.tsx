import { visibleText } from 'quorate/figures'
import { DataText } from '../../parts/data-text.tsx'
import { Evidence } from './evidence.tsx'
import { OutcomeText, PanelText, panelAnswer } from './outcome-text.tsx'
import { QUEUE_TEXT } from './queue-words.ts'
import type { Submission } from './session/review-state.ts'
import { PanelLater, TakeBack } from './take-back.tsx'

const WORDS = QUEUE_TEXT
const EXCERPT = 160

/** The last reviews beside the panel's answers, with their evidence. They open over the page, so that nothing moves. */
export function LastItems({
  submissions,
  isBusy,
  onTakeBack,
}: {
  readonly submissions: readonly Submission[]
  readonly isBusy: boolean
  readonly onTakeBack: (id: string) => void
}) {
  return (
    <section className="last-items" aria-label={WORDS.lastItems}>
      {submissions.length === 0 ? <p className="soft">{WORDS.noneYet}</p> : null}
      {submissions.map((one) => (
        <article key={`${one.item.id} ${one.undoUntil}`}>
          <p className="excerpt">
            <DataText text={excerptOf(one.item.question ?? WORDS.noQuestion)} />
          </p>
          <div className="compared">
            <p>
              {WORDS.youSaid}{' '}
              <strong>
                <OutcomeText outcome={one.outcome} />
              </strong>
              {one.item.evidence === null ? null : (
                <>
                  , <PanelText evidence={one.item.evidence} />
                </>
              )}
              . <PanelLater submission={one} />
              {comparison(one)}
            </p>
            <TakeBack submission={one} isBusy={isBusy} keyText={null} onTakeBack={onTakeBack} />
          </div>
          {one.item.evidence === null ? null : (
            <details>
              <summary>{WORDS.evidence}</summary>
              <Evidence item={one.item} />
            </details>
          )}
        </article>
      ))}
    </section>
  )
}

function excerptOf(question: string): string {
  const letters = [...visibleText(question)]
  return letters.length <= EXCERPT ? letters.join('') : `${letters.slice(0, EXCERPT).join('')}…`
}

/** Whether both answers agree; null without two answers, because "cannot tell" agrees with nothing. */
function comparison({ outcome, item: { evidence } }: Submission): string | null {
  const answer = evidence === null ? null : panelAnswer(evidence)
  if (answer === null || outcome.kind !== 'option') return null
  return outcome.option === answer ? WORDS.agreed : WORDS.differed
}
