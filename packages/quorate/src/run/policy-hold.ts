import type { PolicyEvent } from '../store/policy-events.ts'
import type { Verdict } from './hold-question.ts'
import type { Job } from './run-job.ts'

/** The job as it is done while the policy is held: everything is deferred, and only what was drawn is debated. */
export function heldJob(job: Job, isHeld: boolean): Job {
  if (!isHeld || job.deciding === null) return job
  return { ...job, deciding: { ...job.deciding, upFront: 'held' } }
}

/** While the policy is held nothing acts, whatever the certificate says. */
export function heldBack(verdict: Verdict, isHeld: boolean): Verdict {
  return isHeld && verdict.kind === 'act' ? { kind: 'defer', reason: 'held', path: verdict.path } : verdict
}

/** What whoever runs a command on a held store is told. */
export function holdNotice({ at, note }: PolicyEvent): string {
  return (
    `the policy of this store is held since ${new Date(at).toISOString()}, so nothing is acted on: ${note ?? 'no reason'} ` +
    'To release it: quorate serve, then the overview as an admin, or POST /v1/policy/release {"note": "why it may act"}'
  )
}
