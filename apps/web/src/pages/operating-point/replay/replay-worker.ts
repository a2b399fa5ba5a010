import type { OperatingPoint } from 'quorate/contract'
import { ApiError, ask } from '../../../api/client.ts'
import { keepSessionKey } from '../../../api/session-key.ts'
import { createDesk, type Desk } from './create-desk.ts'
import type { FromWorker, ToWorker } from './replay-messages.ts'

/** All that takes long happens here, off the page's thread: loading, reading, fitting, deciding. */
let desk: Desk | null = null

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  answer(data).then(say, (error: unknown) => say(failure(error)))
})

async function answer(message: ToWorker): Promise<FromWorker> {
  if (message.kind === 'open') {
    if (message.sessionKey !== null) keepSessionKey(message.sessionKey)
    desk = createDesk(await ask<OperatingPoint>('/v1/operating-point'))
    return { kind: 'opened', facts: desk?.facts ?? null }
  }
  if (desk === null) throw new Error('the worker was asked before it was open')
  if (message.kind === 'path') return { kind: 'path', profile: message.profile, path: desk.path(message.profile) }
  const { settings } = message
  try {
    const start = performance.now()
    const decided = desk.decide(settings, (stage) => say({ kind: 'stage', stage }))
    return { kind: 'decided', decided, milliseconds: performance.now() - start, work: desk.workDone() }
  } catch (error) {
    return { kind: 'undecided', settings, reason: error instanceof Error ? error.message : String(error) }
  }
}

function failure(error: unknown): FromWorker {
  const { status, problem } = error instanceof ApiError ? error : { status: 0, problem: null }
  return { kind: 'failed', status, problem, message: error instanceof Error ? error.message : String(error) }
}

function say(message: FromWorker): void {
  postMessage(message)
}
