import type { OperatingPoint } from 'quorate/contract'
import { ApiError, request } from '../../../api/client.ts'
import { storeSessionKey } from '../../../api/session-key.ts'
import { createReplay, type ReplayEngine } from './create-replay.ts'
import type { FromWorker, ToWorker } from './replay-messages.ts'

// The slow work runs here, off the page's thread: loading, reading, fitting and deciding.

let replay: ReplayEngine | null = null

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  answer(data).then(post, (error: unknown) => post(failure(error)))
})

async function answer(message: ToWorker): Promise<FromWorker> {
  if (message.kind === 'open') {
    if (message.sessionKey !== null) storeSessionKey(message.sessionKey)
    replay = createReplay(await request<OperatingPoint>('/v1/operating-point'))
    return { kind: 'opened', facts: replay?.facts ?? null }
  }
  if (replay === null) throw new Error('the worker must receive `open` first')
  if (message.kind === 'path') return { kind: 'path', profile: message.profile, path: replay.path(message.profile) }
  const { settings } = message
  try {
    const start = performance.now()
    const decided = replay.decide(settings, (stage) => post({ kind: 'stage', stage }))
    return { kind: 'decided', decided, milliseconds: performance.now() - start, work: replay.workDone() }
  } catch (error) {
    return { kind: 'undecided', settings, reason: error instanceof Error ? error.message : String(error) }
  }
}

function failure(error: unknown): FromWorker {
  const { status, problem } = error instanceof ApiError ? error : { status: 0, problem: null }
  return { kind: 'failed', status, problem, message: error instanceof Error ? error.message : String(error) }
}

function post(message: FromWorker): void {
  postMessage(message)
}
