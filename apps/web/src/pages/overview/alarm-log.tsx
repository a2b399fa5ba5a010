import type { MonitorView } from 'quorate/contract'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { TEXT } from '../../text/english.ts'

export function AlarmLog({ alarms }: { readonly alarms: MonitorView['alarms'] }) {
  return (
    <section>
      <h2>{TEXT.overview.log}</h2>
      {alarms.length === 0 ? (
        <p className="blank">{TEXT.overview.noLog}</p>
      ) : (
        <ol className="log">
          {alarms.map((alarm, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two events may say the same at the same moment
            <li key={`${alarm.at} ${alarm.kind} ${index}`}>
              <Event alarm={alarm} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Event({ alarm: { at, kind, by, text, certificate } }: { readonly alarm: MonitorView['alarms'][number] }) {
  return (
    <>
      <Moment at={at} /> <strong>{TEXT.overview.events[kind] ?? <DataText text={kind} />}</strong>{' '}
      {certificate === null ? null : (
        <>
          <a href={linkTo('certificates', [certificate])}>
            <DataText text={certificate.slice(0, 8)} />
          </a>{' '}
        </>
      )}
      {TEXT.overview.by} {by === null ? TEXT.overview.program : <DataText text={by} />}
      {text === '' ? null : (
        <>
          <br />
          <DataText text={text} />
        </>
      )}
    </>
  )
}
