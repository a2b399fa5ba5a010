import type { Measure } from '@quorate/certificate'
import { countText } from 'quorate/figures'
import { DataText } from '../../parts/data-text.tsx'
import { TEXT } from '../../text/english.ts'
import { figureText } from './figure-text.ts'

const MOST_ROWS = 100

/** Figures that the paper reports: shown, never judged. */
export function Measures({ measures }: { readonly measures: readonly Measure[] }) {
  if (measures.length === 0) return null
  return (
    <details className="measures">
      <summary>{TEXT.audit.measures}</summary>
      {measures.map(({ name, meaning, rows }) => (
        <table key={name}>
          <caption>
            <strong>{name}</strong>: {meaning}
          </caption>
          <thead>
            <tr>
              <th scope="col">{TEXT.audit.place}</th>
              <th scope="col" className="number">
                {TEXT.audit.n}
              </th>
              <th scope="col" className="number">
                {TEXT.audit.value}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names come from files and may repeat
              <tr key={index}>
                <th scope="row">
                  <DataText text={row.name} />
                </th>
                <td className="number">{row.n === null ? '–' : countText(row.n)}</td>
                <td className="number">{figureText(row.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </details>
  )
}
