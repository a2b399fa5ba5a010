import type { Check, CheckRow } from '@quorate/certificate'
import { countText } from 'quorate/figures'
import { DataText } from '../../parts/data-text.tsx'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { TEXT } from '../../text/english.ts'
import { figureText, pValueText } from './figure-text.ts'
import { VerdictMark } from './verdict-mark.tsx'

const MOST_ROWS = 200

/** One assumption: what it says, what was tested, what was seen and what to do. */
export function CheckCard({ check }: { readonly check: Check }) {
  return (
    <section className="check">
      <div className="check-head">
        <h3>{TEXT.audit.names[check.name] ?? check.name}</h3>
        <p>
          <VerdictMark verdict={check.verdict} words={TEXT.audit.words[check.verdict]} />
        </p>
        <p className="soft">
          {TEXT.audit.p} {pValueText(check.pValue)}
          <br />
          {TEXT.audit.pAdjusted} {pValueText(check.adjustedPValue)}
        </p>
      </div>
      <div>
        <dl className="check-words">
          <Word name={TEXT.audit.assumption} text={check.assumption} />
          <Word name={TEXT.audit.null} text={check.null} />
          <Word name={TEXT.audit.finding} text={check.finding} />
          <Word name={TEXT.audit.next} text={check.next} />
        </dl>
        <Rows rows={check.rows} name={check.name} />
      </div>
    </section>
  )
}

function Word({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <DataText text={text} />
      </dd>
    </div>
  )
}

function Rows({ rows, name }: { readonly rows: readonly CheckRow[]; readonly name: string }) {
  if (rows.length === 0) return <p className="soft">{TEXT.audit.noRows}</p>
  return (
    <details>
      <summary>{TEXT.audit.rows(countText(rows.length))}</summary>
      {rows.length > MOST_ROWS ? (
        <p className="soft">{TEXT.audit.tooMany(countText(MOST_ROWS), countText(rows.length))}</p>
      ) : null}
      <ScrollRegion name={`${TEXT.audit.place}: ${TEXT.audit.names[name] ?? name}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{TEXT.audit.place}</th>
              {[TEXT.audit.n, TEXT.audit.figure, TEXT.audit.line, TEXT.audit.p, TEXT.audit.pAdjusted].map((title) => (
                <th key={title} scope="col" className="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names come from files and may repeat
              <PlaceRow key={index} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  )
}

function PlaceRow({ row }: { readonly row: CheckRow }) {
  const { low, high, pValue } = row
  return (
    <tr>
      <th scope="row">
        <DataText text={row.name} />
      </th>
      <td className="number">{row.n === null ? '–' : countText(row.n)}</td>
      <td className="number">
        {figureText(row.figure)}{' '}
        {low === null || high === null ? null : (
          <span className="interval">
            ({figureText(low)}–{figureText(high)})
          </span>
        )}
      </td>
      <td className="number">{figureText(row.line)}</td>
      <td className="number">
        {pValue === null ? <span className="soft">– {TEXT.audit.untested}</span> : pValueText(pValue)}
      </td>
      <td className="number">{pValueText(row.adjustedPValue)}</td>
    </tr>
  )
}
