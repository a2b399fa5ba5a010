import type { MonitorView } from 'quorate/contract'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { request } from '../../../api/client.ts'
import { queryClient, useMonitor } from '../../../api/queries.ts'
import { createReviewSession } from './review-session.ts'
import type { ReviewState } from './review-state.ts'

const REMEMBERED = 'quorate-review-item'

/** One for the tab, not for the page: what is in hand stays so while other pages are looked at. */
export const reviewSession = createReviewSession({
  request,
  now: () => Date.now(),
  memory: {
    read: () => sessionStorage.getItem(REMEMBERED),
    write: (id) => (id === null ? sessionStorage.removeItem(REMEMBERED) : sessionStorage.setItem(REMEMBERED, id)),
  },
  onSignedOut: () => void queryClient.invalidateQueries({ queryKey: ['session'] }),
})

/** The count beside the page's name follows at once, not with the monitor's next answer. */
reviewSession.subscribe(() => {
  const waiting = reviewSession.snapshot().progress?.waiting
  const state = queryClient.getQueryState<MonitorView>(['monitor'])
  if (waiting === undefined || state?.data === undefined || state.data.queue.waiting === waiting) return
  if (reviewSession.snapshot().work !== null) return
  const data = { ...state.data, queue: { ...state.data.queue, waiting } }
  queryClient.setQueryData(['monitor'], data, { updatedAt: state.dataUpdatedAt })
})

export function useReviewSession(): ReviewState {
  return useSyncExternalStore(reviewSession.subscribe, reviewSession.snapshot)
}

/** The time now, again every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** The server's clock less ours: locks end by its clock, and clocks differ. */
export function useServerAhead(): number {
  const { data, dataUpdatedAt } = useMonitor()
  return data === undefined ? 0 : data.at - dataUpdatedAt
}

const ACTIVITY = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const

/** Keeps the lock while the reviewer does anything on this page. */
export function useLockRenewal(): void {
  const serverAhead = useServerAhead()
  const activeAt = useRef(0)
  useEffect(() => {
    const note = () => {
      activeAt.current = Date.now()
    }
    for (const name of ACTIVITY) window.addEventListener(name, note, { passive: true, capture: true })
    return () => {
      for (const name of ACTIVITY) window.removeEventListener(name, note, { capture: true })
    }
  }, [])
  useEffect(() => {
    const timer = setInterval(() => reviewSession.tick({ serverAhead, activeAt: activeAt.current }), 1000)
    return () => clearInterval(timer)
  }, [serverAhead])
}
