import type { FrontierPoint } from 'quorate/figures'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { sessionKey } from '../../api/session-key.ts'
import { type LatestWins, latestWins } from './latest-wins.ts'
import type { Decided, ReplayFacts, Stage } from './replay/create-replay.ts'
import type { FromWorker, ToWorker } from './replay/replay-messages.ts'
import type { Profile, Settings } from './replay/settings.ts'

export interface ReplayState {
  /** `none`: no certificate is there to decide with. */
  readonly status: 'loading' | 'ready' | 'none' | 'failed'
  readonly facts: ReplayFacts | null
  readonly decided: { readonly decided: Decided; readonly milliseconds: number } | null
  /** The stage of the work that is under way; null if none is. */
  readonly stage: Stage | null
  readonly undecided: { readonly settings: Settings; readonly reason: string } | null
  readonly path: { readonly profile: Profile; readonly points: readonly FrontierPoint[] } | null
  readonly error: Error | null
}

export interface Replaying {
  readonly state: ReplayState
  readonly decide: (settings: Settings) => void
  readonly requestPath: (profile: Profile) => void
  readonly again: () => void
}

const START: ReplayState = {
  status: 'loading',
  facts: null,
  decided: null,
  stage: null,
  undecided: null,
  path: null,
  error: null,
}

/** The performance mark of the last decision, with the work done so far as its detail. */
const MARK = 'operating-point-decided'

/** Runs the worker that loads the stored debates and decides them again, as long as the page is shown. */
export function useReplay(): Replaying {
  const [state, dispatch] = useReducer(after, START)
  const [attempt, setAttempt] = useState(0)
  const worker = useRef<Worker | null>(null)
  const moves = useRef<LatestWins<Settings> | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another worker
  useEffect(() => {
    const started = new Worker(new URL('./replay/replay-worker.ts', import.meta.url), { type: 'module' })
    const send = (message: ToWorker) => started.postMessage(message)
    const queue = latestWins<Settings>((settings) => send({ kind: 'decide', settings }))
    started.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'decided') {
        performance.clearMarks(MARK)
        performance.mark(MARK, { detail: { ...data.work, milliseconds: data.milliseconds } })
      }
      if (data.kind === 'decided' || data.kind === 'undecided') queue.done()
      dispatch(data)
    }
    // The event has no message if the file of the worker could not be loaded.
    started.onerror = ({ message }: { readonly message?: string }) =>
      dispatch({
        kind: 'failed',
        status: 0,
        problem: null,
        message: message ?? 'This page could not be loaded. Try again when the server runs and you are online.',
      })
    worker.current = started
    moves.current = queue
    send({ kind: 'open', sessionKey: sessionKey() })
    return () => {
      started.terminate()
      dispatch('start')
    }
  }, [attempt])
  return {
    state,
    decide: useCallback((settings: Settings) => moves.current?.submit(settings), []),
    requestPath: useCallback((profile: Profile) => worker.current?.postMessage({ kind: 'path', profile }), []),
    again: useCallback(() => setAttempt((count) => count + 1), []),
  }
}

function after(state: ReplayState, message: FromWorker | 'start'): ReplayState {
  if (message === 'start') return START
  switch (message.kind) {
    case 'stage':
      return { ...state, stage: message.stage }
    case 'opened':
      return { ...state, status: message.facts === null ? 'none' : 'ready', facts: message.facts }
    case 'decided': {
      const { decided, milliseconds } = message
      return { ...state, stage: null, undecided: null, decided: { decided, milliseconds } }
    }
    case 'undecided':
      return { ...state, stage: null, undecided: { settings: message.settings, reason: message.reason } }
    case 'path':
      return { ...state, path: { profile: message.profile, points: message.path } }
    case 'failed':
      return { ...state, status: 'failed', error: new ApiError(message.status, message.problem, message.message) }
  }
}
