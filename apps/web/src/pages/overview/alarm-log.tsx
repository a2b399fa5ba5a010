import type { MonitorView } from 'quorate/contract'
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
          {alarms.map(({ at, kind, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two events may say the same at the same moment
            <li key={`${at} ${kind} ${index}`}>
              <Moment at={at} /> <strong>{kind}</strong>
              <br />
              <DataText text={text} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
