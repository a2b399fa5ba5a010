import type { EvaluationView } from 'quorate/contract'
import { DataText } from '../../parts/data-text.tsx'
import { Rate } from '../../parts/rate.tsx'
import { TEXT } from '../../text/english.ts'

interface PoliciesProps {
  readonly policies: EvaluationView['policies']
  /** Name of the policy that the figure shows as ours. */
  readonly ours: string
}

export function PoliciesTable({ policies, ours }: PoliciesProps) {
  const { columns, none } = TEXT.operating
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="scroll" aria-label={TEXT.operating.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{columns.policy}</th>
            {[columns.acted, columns.right, columns.wrong, columns.rounds, columns.calls].map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
            <th scope="col">{columns.standing}</th>
          </tr>
        </thead>
        <tbody>
          {policies.map(({ name, title, acted, accuracy, wrong, rounds, calls, standing }) => (
            <tr key={name} className={name === ours ? 'operating-ours' : undefined}>
              <th scope="row">
                {name === ours ? '● ' : ''}
                <DataText text={name} />
                <br />
                <span className="soft">
                  <DataText text={title} />
                </span>
              </th>
              {[acted, accuracy, wrong].map((share, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: three columns that never change places
                <td key={column} className="number">
                  <Rate share={share} why={none} />
                </td>
              ))}
              <td className="number">{rounds === null ? '–' : rounds.toFixed(2)}</td>
              <td className="number">{calls === null ? '–' : calls.toFixed(1)}</td>
              <td>
                <DataText text={standing} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
