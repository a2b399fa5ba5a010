import { TEXT } from '../../text/english.ts'
import type { Hand } from './desk-state.ts'
import { lockLeft } from './keep-lock.ts'
import { useNow, useServerAhead } from './use-desk.ts'

/** Counts down without being read aloud every second. */
export function LockLeft({ hand }: { readonly hand: Hand }) {
  const left = lockLeft(hand, useNow(1000) + useServerAhead())
  return (
    <p className={`lock ${hand.isExpired ? 'over' : ''}`} title={TEXT.queue.lockTitle}>
      {TEXT.queue.lock}{' '}
      <span role="timer" aria-live="off">
        {left === null ? TEXT.queue.lockNone : TEXT.queue.minutes(hand.isExpired ? 0 : left)}
      </span>
    </p>
  )
}
