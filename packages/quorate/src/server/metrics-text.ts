import type { MonitorView } from '../contract/monitor.ts'
import { MICRO_USD } from '../record/money.ts'
import type { ConnectionCounts } from './connections.ts'

export interface Measured {
  readonly monitor: MonitorView
  /** Null: hidden from the caller. */
  readonly outbox: { readonly pending: number; readonly failed: number } | null
  readonly connections: ConnectionCounts
  readonly requests: readonly string[]
}

/** The metrics in Prometheus' text format, version 0.0.4. An unknown figure has no line. */
export function metricsText({ monitor, outbox, connections, requests }: Measured): string {
  const { automation, policy, queue, alarm, drift, missing, spotChecks, spend } = monitor
  const acted = automation.acted
  const decisions = [
    ...(acted === null ? [] : [['kind="act",reason=""', acted.count] as const]),
    ...Object.entries(automation.deferred).map(
      ([reason, count]) => [`kind="defer",reason="${labelText(reason)}"`, count] as const,
    ),
  ]
  return [
    ...family('decisions', 'Decisions of the active certificate by kind and reason.', decisions),
    ...family('acted_share', 'Share of questions that were acted on.', one(acted?.share)),
    ...family('review_queue', 'Items that wait for a person.', one(queue.waiting)),
    ...family('review_oldest_seconds', 'Age of the oldest waiting item.', one(age(monitor))),
    ...family(
      'policy_suspended',
      '1 while the policy is suspended and everything is deferred.',
      one(policy.state === 'suspended' ? 1 : 0),
    ),
    ...family('monitor_wealth', 'Evidence against the budget; an alarm at monitor_alarm.', one(alarm.wealth)),
    ...family('monitor_alarm', 'The wealth that raises an alarm.', one(alarm.alarmAt)),
    ...family('drift_wealth', 'Evidence that questions changed; an alarm at drift_alarm.', one(drift?.wealth)),
    ...family('drift_alarm', 'The wealth that raises an alarm.', one(drift?.alarmAt)),
    ...family(
      'missing_wealth',
      'Evidence that answers lack confidences; an alarm at missing_alarm.',
      one(missing?.wealth),
    ),
    ...family('missing_alarm', 'The wealth that raises an alarm.', one(missing?.alarmAt)),
    ...family('spot_checks', 'Spot checks that were sampled, and that are labelled.', [
      ['state="sampled"', spotChecks.sampled],
      ['state="labelled"', spotChecks.labelled],
    ]),
    ...family('wrong_action_share', 'Acted on and wrong, of the spot checks.', one(spotChecks.wrong?.share)),
    ...family('spend_usd', 'Cost of the calls that were answered.', one(spend.committedMicroUsd / MICRO_USD)),
    ...family(
      'webhooks',
      'Webhook messages that are pending, and that failed.',
      outbox === null ? [] : outboxSamples(outbox),
    ),
    ...family('connections', 'Open connections.', one(connections.open)),
    '# HELP quorate_connections_closed_total Connections closed at a limit: for a new one, or at once.',
    '# TYPE quorate_connections_closed_total counter',
    `quorate_connections_closed_total{why="displaced"} ${connections.displaced}`,
    `quorate_connections_closed_total{why="refused"} ${connections.refused}`,
    ...requests,
    '',
  ].join('\n')
}

function outboxSamples({ pending, failed }: NonNullable<Measured['outbox']>): Samples {
  return [
    ['state="pending"', pending],
    ['state="failed"', failed],
  ]
}

type Samples = readonly (readonly [labels: string, value: number])[]

function family(name: string, help: string, samples: Samples): readonly string[] {
  if (samples.length === 0) return []
  return [
    `# HELP quorate_${name} ${help}`,
    `# TYPE quorate_${name} gauge`,
    ...samples.map(([labels, value]) => `quorate_${name}${labels === '' ? '' : `{${labels}}`} ${value}`),
  ]
}

function one(value: number | null | undefined): Samples {
  return value === null || value === undefined ? [] : [['', value]]
}

function age({ at, queue: { oldestAt } }: MonitorView): number | null {
  return oldestAt === null ? null : Math.max(0, at - oldestAt) / 1000
}

function labelText(text: string): string {
  return text.replace(/[\\"\n]/g, (letter) => (letter === '\n' ? '\\n' : `\\${letter}`))
}
