import type { ActingBar } from '../record/decision.ts'
import type { PolicyEvent } from '../store/decisions/policy-events.ts'
import type { Verdict } from './debate-question.ts'
import type { QuestionContext } from './run-context.ts'

/** What a suspension means for questions. In shadow mode they are still decided and recorded. */
export function barOf(suspension: PolicyEvent | null): ActingBar | null {
  if (suspension === null) return null
  return suspension.cause === 'shadow' ? 'shadow' : 'suspended'
}

/**
 * What forbids acting, according to the store; the user of the command gets a notice. Another process may suspend the policy
 * at any time, so this is checked before each debate. The commit of an action checks it again, in its own transaction.
 */
export async function barInStore({ tools, calls }: QuestionContext): Promise<ActingBar | null> {
  const suspension = await tools.store.policy.currentSuspension()
  if (suspension !== null) calls.notices.add(suspensionNotice(suspension))
  return barOf(suspension)
}

/** The run while the policy is suspended: everything is deferred, and only spot checks are debated. */
export function suspendedRun(run: QuestionContext): QuestionContext {
  return run.deciding === null ? run : { ...run, deciding: { ...run.deciding, upFront: 'suspended' } }
}

/** Turns an action into a deferral while the policy is suspended or in shadow mode. */
export function unlessBarred(verdict: Verdict, bar: ActingBar | null): Verdict {
  return bar !== null && verdict.kind === 'act' ? { kind: 'defer', reason: bar, path: verdict.path } : verdict
}

/** The message of a command on a store with a suspended policy. */
export function suspensionNotice({ at, note, cause }: PolicyEvent): string {
  if (cause === 'shadow') {
    return (
      `the policy of this store has been in shadow mode since ${new Date(at).toISOString()}: questions are decided and recorded, but nothing is ` +
      'acted on. An admin ends shadow mode on the overview of quorate serve, or with POST /v1/policy/release {"note": "why it may act"}'
    )
  }
  return (
    `the policy of this store has been suspended since ${new Date(at).toISOString()}, so nothing is acted on: ${note ?? 'no reason'} ` +
    'An admin releases it on the overview of quorate serve, or with POST /v1/policy/release {"note": "why it may act"}'
  )
}
