import { rateText } from '../report/operating-table.ts'
import { countText } from '../text/number-text.ts'
import type { PageFrame } from '../text/page-frame.ts'
import { actedWrongly, type Decided } from './decided.ts'
import type { DemoReview } from './demo-review.ts'
import { aside } from './page-text.ts'

/** What spot checks say about the decisions, and whether the policy may go on. */
export function reviewSection(review: DemoReview, decided: readonly Decided[], page: PageFrame): string[] {
  return [
    ...aside('Check', checkText(review, decided), page),
    ...aside('Queue', queueText(review), page),
    ...aside('Policy', policyText(review), page),
  ]
}

function checkText({ monitor, labelled, left, reviewer }: DemoReview, decided: readonly Decided[]): string {
  const { drawn, wrong } = monitor.spotChecks
  const all = decided.filter(actedWrongly).length
  const realised =
    wrong === null
      ? ''
      : `, so the realised rate of wrong actions is ${wrong.count} of ${countText(wrong.of)}, ${rateText(wrong.count, wrong.of)} %`
  return (
    `${countText(drawn)} questions were drawn for a spot check before anyone was asked, more than usual. A simulated reviewer, "${reviewer}", ` +
    `who knows the answers, labelled ${countText(labelled)} of them and left you ${left}${realised}. All answers being known ` +
    `here: ${countText(all)} of ${countText(decided.length)}, ${rateText(all, decided.length)} %.`
  )
}

function queueText({ monitor, left, deferrals }: DemoReview): string {
  const waiting = countText(monitor.queue.waiting - left)
  return (
    `${waiting} deferrals and ${left} spot checks wait for a person. The reviewer labelled ${countText(deferrals)} deferrals ` +
    'too: they say nothing about other questions, so no rate and no certificate is made from them.'
  )
}

function policyText({ monitor: { policy } }: DemoReview): string {
  if (policy.state !== 'held') return 'live: the monitors found nothing against it'
  return (
    `held, and the ledger says why: ${policy.reason ?? ''} What comes from here on goes to a person, until an admin ` +
    'releases the policy with a note.'
  )
}
