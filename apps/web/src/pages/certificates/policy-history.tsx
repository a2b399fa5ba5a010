import type { MonitorView } from 'quorate/contract'
import { dayText } from 'quorate/record'
import { useMonitor } from '../../api/queries.ts'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { sentenceOf } from '../overview/rate-chart.tsx'

/** The events of the policy, latest first, with the figures of every period. */
export function History({ id }: { readonly id: string }) {
  const monitor = useMonitor().data
  const entries = monitor === undefined ? [] : entriesOf(monitor)
  return (
    <section className="section">
      <header>
        <h2>History</h2>
        <span className="right">figures of every period stay</span>
      </header>
      {entries.length === 0 ? (
        <p className="soft">Nothing has happened yet.</p>
      ) : (
        <ol className="history">
          {entries.map(({ key, at, what, certificate, by, note, figures }) => (
            <li key={key} className={certificate === null || certificate === id ? '' : 'soft'}>
              <time dateTime={new Date(at).toISOString()}>{dayText(at)}</time>
              <span>
                <strong>{what}</strong>
                {certificate === null ? null : (
                  <>
                    {' '}
                    <a href={linkTo('certificates', [certificate])}>{certificate.slice(0, 6)}</a>
                  </>
                )}
                {by === null ? null : (
                  <>
                    {' '}
                    by <DataText text={by} />
                  </>
                )}
                .{' '}
                {note === null || note === '' ? null : (
                  <>
                    “<DataText text={note} />”{' '}
                  </>
                )}
                {figures}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

interface Entry {
  readonly key: string
  readonly at: number
  readonly what: string
  readonly certificate: string | null
  readonly by: string | null
  readonly note: string | null
  readonly figures: string | null
}

const CAUSES = {
  monitor: 'Suspended by the spot checks',
  drift: 'Suspended by the drift check',
  fingerprint: 'Suspended by the fingerprint check',
  admin: 'Suspended',
  shadow: 'Shadow begun',
} as const

function entriesOf({ periods, suspensions }: MonitorView): readonly Entry[] {
  const endsShadow = (at: number) => suspensions.some(({ cause, to }) => cause === 'shadow' && to === at)
  const began = periods.map((period) => ({
    key: `period ${period.number}`,
    at: period.from,
    what:
      period.start.kind !== 'release'
        ? 'Activated'
        : endsShadow(period.from)
          ? 'Shadow mode ended, acts with'
          : 'Released',
    certificate: period.certificate,
    by: period.start.by,
    note: period.start.note,
    figures: sentenceOf(period),
  }))
  const ended = suspensions.map(({ from, cause, by, note }) => ({
    key: `suspension ${from}`,
    at: from,
    what: CAUSES[cause ?? 'admin'],
    certificate: null,
    by,
    note,
    figures: null,
  }))
  return [...began, ...ended].sort((left, right) => right.at - left.at)
}
