import type { Audit, AuditOptions, BeliefReading, CalibrateOptions, RelativeChoice } from '@quorate/certificate'
import { FileError } from '../../../files/file-error.ts'
import { forkBeside } from '../../../files/fork-beside.ts'
import type { CalibrationDebates } from '../../../run/calibration/calibration-debates.ts'
import { serverStopping } from '../../problem-response.ts'

/** A computation that would block every request. Its debates are in a JSONL file. */
export type HeavyWork =
  | {
      readonly kind: 'calibrate'
      readonly path: string
      readonly where: string
      /** Undefined: determined from the debates. */
      readonly beliefs: BeliefReading | undefined
      readonly options: Omit<CalibrateOptions, 'questionOf'>
      readonly relative: RelativeChoice | undefined
    }
  | {
      readonly kind: 'audit'
      readonly path: string
      readonly beliefs: BeliefReading
      readonly options: Omit<AuditOptions, 'questionOf'>
    }

export type HeavyResult =
  | {
      readonly kind: 'calibrate'
      readonly file: string
      readonly dropped: CalibrationDebates['dropped']
      readonly reading: CalibrationDebates['reading']
    }
  | { readonly kind: 'audit'; readonly audit: Audit }
  | { readonly kind: 'failed'; readonly message: string }

type Done<Work extends HeavyWork> = Extract<HeavyResult, { readonly kind: Work['kind'] }>

/** Runs the work in a child process, which ends with the server. */
export function doHeavyWork<Work extends HeavyWork>(work: Work, stopping: AbortSignal): Promise<Done<Work>> {
  if (stopping.aborted) return Promise.reject(serverStopping())
  const child = forkBeside(import.meta.url, 'heavy-process')
  return new Promise<Done<Work>>((resolve, reject) => {
    const stop = () => {
      child.kill('SIGKILL')
      reject(serverStopping())
    }
    stopping.addEventListener('abort', stop, { once: true })
    const over = () => stopping.removeEventListener('abort', stop)
    child.on('error', (error) => {
      over()
      child.kill('SIGKILL')
      reject(error)
    })
    child.once('exit', (code, killer) => {
      over()
      reject(new Error(`a process for ${work.kind} ended with ${killer ?? code} before its work was done`))
    })
    child.once('message', (result: HeavyResult) => {
      if (result.kind === 'failed') reject(new FileError(result.message))
      else if (isOf(work, result)) resolve(result)
      else reject(new Error(`expected the result of ${work.kind}, got ${result.kind}`))
      child.kill('SIGKILL')
    })
    child.send(work)
  })
}

function isOf<Work extends HeavyWork>({ kind }: Work, result: HeavyResult): result is Done<Work> {
  return result.kind === kind
}
