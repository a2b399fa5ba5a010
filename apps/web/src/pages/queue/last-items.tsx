import { visibleText } from 'quorate/figures'
import { DataText } from '../../parts/data-text.tsx'
import { TEXT } from '../../text/english.ts'
import { Evidence } from './evidence.tsx'
import { OutcomeText, PanelText, panelAnswer } from './outcome-text.tsx'
import { isUnrevealed, type Said } from './review-state.ts'
import { TakeBack } from './take-back.tsx'

const WORDS = TEXT.queue
const EXCERPT = 160

interface LastItemsProps {
  readonly said: readonly Said[]
  readonly isBusy: boolean
  readonly onTakeBack: (id: string) => void
}

/** Over the page, so that nothing moves: what was said last beside what the panel said, with its evidence. */
export function LastItems({ said, isBusy, onTakeBack }: LastItemsProps) {
  return (
    <section className="last-items" aria-label={WORDS.lastItems}>
      {said.length === 0 ? <p className="soft">{WORDS.noneYet}</p> : null}
      {said.map((one) => (
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
              . {isUnrevealed(one) ? WORDS.panelLater : comparison(one)}
            </p>
            <TakeBack said={one} isBusy={isBusy} keyText={null} onTakeBack={onTakeBack} />
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

/** Only of two answers: "cannot tell" agrees with nothing. */
function comparison({ outcome, item: { evidence } }: Said): string | null {
  const answer = evidence === null ? null : panelAnswer(evidence)
  if (answer === null || outcome.kind !== 'option') return null
  return outcome.option === answer ? WORDS.agreed : WORDS.differed
}
