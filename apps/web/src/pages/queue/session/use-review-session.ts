import type { MonitorView } from 'quorate/contract'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../../../api/browser-storage.ts'
import { request } from '../../../api/client.ts'
import { queryClient, useMonitor } from '../../../api/queries.ts'
import { createReviewSession } from './review-session.ts'
import type { ReviewState } from './review-state.ts'

const REMEMBERED = 'quorate-review-item'

/** The session belongs to the tab and not to the page, so the current item survives visits to other pages. */
export const reviewSession = createReviewSession({
  request,
  now: () => Date.now(),
  memory: {
    read: () => readStored('sessionStorage', REMEMBERED),
    write: (id) => writeStored('sessionStorage', REMEMBERED, id),
  },
  onSignedOut: () => void queryClient.invalidateQueries({ queryKey: ['session'] }),
})

/** Updates the count in the navigation at once, without waiting for the next response of the monitor. */
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

/** The current time, updated every `everyMs` milliseconds. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** The server's clock minus ours, in milliseconds. Claims expire by the server's clock. */
export function useServerAhead(): number {
  const { data, dataUpdatedAt } = useMonitor()
  return data === undefined ? 0 : data.at - dataUpdatedAt
}

const ACTIVITY = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const

/** Keeps the claim while the reviewer is active on this page. */
export function useClaimRenewal(): void {
  const serverAhead = useServerAhead()
  const activeAt = useRef(0)
  useEffect(() => {
    const recordActivity = () => {
      activeAt.current = Date.now()
    }
    for (const name of ACTIVITY) window.addEventListener(name, recordActivity, { passive: true, capture: true })
    return () => {
      for (const name of ACTIVITY) window.removeEventListener(name, recordActivity, { capture: true })
    }
  }, [])
  useEffect(() => {
    const timer = setInterval(() => reviewSession.tick({ serverAhead, activeAt: activeAt.current }), 1000)
    return () => clearInterval(timer)
  }, [serverAhead])
}
