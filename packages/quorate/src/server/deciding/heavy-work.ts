import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Audit, AuditOptions, CalibrateOptions, Elicitation } from '@quorate/certificate'
import { FileError } from '../../files/file-error.ts'
import type { CalibrationPanels } from '../../runs/calibration-panels.ts'

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

type Done<Work extends HeavyWork> = Extract<HeavyResult, { readonly kind: Work['kind'] }>

/** On a thread of its own. */
export function doHeavyWork<Work extends HeavyWork>(work: Work): Promise<Done<Work>> {
  // The thread's file lies beside this one, as source or as compiled.
  const extension = extname(import.meta.url)
  const url = new URL(`./heavy-thread${extension}`, import.meta.url)
  const sources = extension === '.ts' ? { execArgv: ['--conditions=quorate-source'] } : {}
  const thread = new Worker(url, { workerData: work, ...sources })
  return new Promise((resolve, reject) => {
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('a thread ended before its work was done')))
    thread.once('message', (result: HeavyResult) => {
      if (result.kind === 'failed') reject(new FileError(result.message))
      else if (isOf(work, result)) resolve(result)
      else reject(new Error(`expected the result of ${work.kind}, got ${result.kind}`))
    })
  })
}

function isOf<Work extends HeavyWork>({ kind }: Work, result: HeavyResult): result is Done<Work> {
  return result.kind === kind
}
