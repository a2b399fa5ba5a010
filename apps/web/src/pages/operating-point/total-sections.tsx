import { BINDING_WORDS, type DialPoint } from '@quorate/certificate'
import { countText, percentText } from 'quorate/figures'
import { TEXT } from '../../text/english.ts'
import type { DecidedTotal } from './replay/create-replay.ts'

/** Each class with what was counted, its limit and whether it acts. */
export function ClassesSection({ total }: { readonly total: DecidedTotal }) {
  const { classColumns: columns, classStates } = TEXT.operating
  return (
    <section aria-labelledby="operating-classes">
      <h2 id="operating-classes">{TEXT.operating.classes}</h2>
      <p className="soft">{TEXT.operating.classesLead}</p>
      {total.classes.length === 0 ? null : (
        <table className="operating-rounds">
          <thead>
            <tr>
              <th scope="col">{columns.name}</th>
              <th scope="col" className="number">
                {columns.right}
              </th>
              <th scope="col" className="number">
                {columns.lower}
              </th>
              <th scope="col">{columns.state}</th>
            </tr>
          </thead>
          <tbody>
            {total.classes.map(({ name, rows, right, lower, state }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="number">{TEXT.operating.rightOf(countText(right), countText(rows))}</td>
                <td className="number">{percentText(lower)} %</td>
                <td>{classStates[state]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {total.silence.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  )
}

/** Both dials: which one binds, and how much is acted on along each while the other stays. */
export function DialsSection({ total: { dials } }: { readonly total: DecidedTotal }) {
  if (dials === null) return null
  const { dialColumns } = TEXT.operating
  return (
    <section aria-labelledby="operating-dials">
      <h2 id="operating-dials">{TEXT.operating.dials}</h2>
      <p>
        <strong>{BINDING_WORDS[dials.binds]}</strong>
      </p>
      <DialTable caption={TEXT.operating.byBeta} name={dialColumns.beta} points={dials.byBeta} />
      {dials.byFloor.length === 0 ? null : (
        <DialTable caption={TEXT.operating.byFloor} name={dialColumns.floor} points={dials.byFloor} />
      )}
    </section>
  )
}

interface DialTableProps {
  readonly caption: string
  readonly name: string
  readonly points: readonly DialPoint[]
}

function DialTable({ caption, name, points }: DialTableProps) {
  return (
    <table className="operating-rounds">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <th scope="col" className="number">
            {TEXT.operating.dialColumns.act}
          </th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ value, act }) => (
          <tr key={value}>
            <th scope="row">{value}</th>
            <td className="number">{percentText(act)} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
