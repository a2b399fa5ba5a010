import type { PolicyEvent } from '../store/policy-events.ts'
import type { Verdict } from './debate-question.ts'
import type { RunContext } from './run-context.ts'

/**
 * Whether the policy is suspended, as the store has it; whoever runs the command is notified. Another process may suspend it
 * at any time, so it is asked before each debate. The commit of an action asks once more, in its own transaction.
 */
export async function isSuspendedInStore({ tools, calls }: RunContext): Promise<boolean> {
  const suspension = await tools.store.policy.currentSuspension()
  if (suspension !== null) calls.notices.add(suspensionNotice(suspension))
  return suspension !== null
}

/** The run while the policy is suspended: everything is deferred, and only spot checks are debated. */
export function suspendedRun(run: RunContext): RunContext {
  return run.deciding === null ? run : { ...run, deciding: { ...run.deciding, upFront: 'suspended' } }
}

/** While the policy is suspended nothing acts, whatever the certificate says. */
export function unlessSuspended(verdict: Verdict, isSuspended: boolean): Verdict {
  return isSuspended && verdict.kind === 'act' ? { kind: 'defer', reason: 'suspended', path: verdict.path } : verdict
}

/** What somebody who runs a command on a store with a suspended policy reads. */
export function suspensionNotice({ at, note }: PolicyEvent): string {
  return (
    `the policy of this store is suspended since ${new Date(at).toISOString()}, so nothing is acted on: ${note ?? 'no reason'} ` +
    'To release it: quorate serve, then the overview as an admin, or POST /v1/policy/release {"note": "why it may act"}'
  )
}
