import { TEXT } from '../../text/english.ts'
import { type DeskState, handOf } from './desk-state.ts'
import { OutcomeText, PanelText } from './outcome-text.tsx'

const WORDS = TEXT.queue

/** What the status line shows, read aloud once, when there is time. */
export function Announcement({ state }: { readonly state: DeskState }) {
  const { news, said } = state
  const hand = handOf(state)
  const last = said[0]
  return (
    <div className="hidden" role="status" aria-live="polite">
      {news === null ? null : (
        <p key={news.count}>
          {WORDS.news[news.kind]}{' '}
          {news.kind === 'submitted' && last !== undefined ? (
            <>
              {WORDS.youSaid} <OutcomeText outcome={last.outcome} />
              {last.item.evidence === null ? null : (
                <>
                  , <PanelText evidence={last.item.evidence} />
                </>
              )}
              . {hand === null ? null : hand.item.isBlind ? WORDS.nextIs.blind : WORDS.nextIs.open}
            </>
          ) : null}
        </p>
      )}
    </div>
  )
}
