import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Audit, AuditOptions, CalibrateOptions, Elicitation } from '@quorate/certificate'
import { FileError } from '../../files/file-error.ts'
import type { CalibrationPanels } from '../../runs/calibration-panels.ts'
import { ProblemError } from '../problem-response.ts'

/** What would hold up every request while it is computed; debates come as a file of JSONL. */
export type HeavyWork =
  | {
      readonly kind: 'calibrate'
      readonly path: string
      readonly where: string
      readonly beliefs: Elicitation
      readonly options: Omit<CalibrateOptions, 'questionOf'>
    }
  | {
      readonly kind: 'audit'
      readonly path: string
      readonly beliefs: Elicitation
      readonly options: Omit<AuditOptions, 'questionOf'>
    }

export type HeavyResult =
  | { readonly kind: 'calibrate'; readonly file: string; readonly dropped: CalibrationPanels['dropped'] }
  | { readonly kind: 'audit'; readonly audit: Audit }
  | { readonly kind: 'failed'; readonly message: string }

/** What comes from the thread: first that it has begun. */
export type HeavyMessage = HeavyResult | { readonly kind: 'begun' }

type Done<Work extends HeavyWork> = Extract<HeavyResult, { readonly kind: Work['kind'] }>

/** On a thread of its own, which ends when the server does. */
export function doHeavyWork<Work extends HeavyWork>(work: Work, stopping: AbortSignal): Promise<Done<Work>> {
  // The thread's file lies beside this one, as source or as compiled.
  const extension = extname(import.meta.url)
  const url = new URL(`./heavy-thread${extension}`, import.meta.url)
  const sources = extension === '.ts' ? { execArgv: ['--conditions=quorate-source'] } : {}
  const thread = new Worker(url, { workerData: work, ...sources })
  return new Promise<Done<Work>>((resolve, reject) => {
    const end = () => {
      void thread.terminate()
      reject(serverEnding())
    }
    thread.once('error', reject)
    thread.once('exit', () => {
      stopping.removeEventListener('abort', end)
      reject(new Error('a thread ended before its work was done'))
    })
    thread.on('message', (result: HeavyMessage) => {
      // Not before, see the thread.
      if (result.kind === 'begun') stopping.aborted ? end() : stopping.addEventListener('abort', end, { once: true })
      else if (result.kind === 'failed') reject(new FileError(result.message))
      else if (isOf(work, result)) resolve(result)
      else reject(new Error(`expected the result of ${work.kind}, got ${result.kind}`))
    })
  })
}

export function serverEnding(): ProblemError {
  return new ProblemError({ status: 503, detail: 'the server is ending', next: 'ask again when it is back' })
}

function isOf<Work extends HeavyWork>({ kind }: Work, result: HeavyResult): result is Done<Work> {
  return result.kind === kind
}
