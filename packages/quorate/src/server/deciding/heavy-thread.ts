import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { audit, calibrate } from '@quorate/certificate'
import { readDebateFile } from '../../files/read-debate-file.ts'
import { errorSentence } from '../../report/error-sentence.ts'
import { calibrationPanels } from '../../runs/calibration-panels.ts'
import { sealCertified } from '../../runs/certified.ts'
import { debatesOfFile } from '../../runs/recorded-debates.ts'
import type { HeavyMessage, HeavyResult, HeavyWork } from './heavy-work.ts'

// The entry of a thread: it does what it was started for and ends. It begins when this module is evaluated: V8 can stop the whole
// process when a thread is ended before (nodejs/node#43182).
const port = parentPort
if (port !== null) setImmediate(() => void answer(port, workerData as HeavyWork)) // sent by doHeavyWork

async function answer(port: MessagePort, work: HeavyWork): Promise<void> {
  port.postMessage({ kind: 'begun' } satisfies HeavyMessage)
  const result = await resultOf(work).catch((error: unknown) => failed(error))
  port.postMessage(result)
}

async function resultOf(work: HeavyWork): Promise<HeavyResult> {
  const { path, beliefs } = work
  if (work.kind === 'audit') {
    const { panels, questionOf } = await readDebateFile(path, { beliefs })
    return { kind: 'audit', audit: audit(panels, { ...work.options, questionOf }) }
  }
  const { panels, questionOf, contents, served, dropped } = await calibrationPanels(debatesOfFile(path), {
    where: work.where,
    beliefs,
  })
  const certificate = calibrate(panels, { ...work.options, questionOf })
  return { kind: 'calibrate', file: sealCertified(certificate, { contents, served }).file, dropped }
}

/** Errors lose their class between threads; what they say must not be lost. */
function failed(error: unknown): HeavyResult {
  return { kind: 'failed', message: errorSentence(error) }
}
