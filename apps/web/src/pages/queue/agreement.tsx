import { useQuery } from '@tanstack/react-query'
import type { AgreementFigures, AgreementView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { request } from '../../api/client.ts'
import { DataText } from '../../parts/data-text.tsx'
import { ENOUGH } from '../../parts/number-text.ts'
import { Failure, Loading } from '../../parts/page-states.tsx'

/** How far people agree with each other, and agents with people. Low agreement suggests that labels are wrong. */
export function Agreement() {
  const found = useQuery({
    queryKey: ['agreement'],
    queryFn: ({ signal }) => request<AgreementView>('/v1/agreement', { signal }),
  })
  return (
    <section className="agreement" aria-labelledby="agreement">
      <h2 id="agreement">Agreement</h2>
      {found.data !== undefined ? (
        <Found view={found.data} />
      ) : found.isError ? (
        <Failure error={found.error} again={() => void found.refetch()} />
      ) : (
        <Loading what="agreement" />
      )}
    </section>
  )
}

function Found({ view: { people, agents, readTwice, disagreed, confidence } }: { readonly view: AgreementView }) {
  return (
    <>
      <p>
        {readTwice === 0
          ? 'No item was read by two people yet. The setting review.second in the config asks for second readers.'
          : `${countText(readTwice)} ${readTwice === 1 ? 'item was' : 'items were'} read by two people. They disagreed on ${countText(disagreed)}.`}
      </p>
      {people.length === 0 ? null : (
        <Table
          title="People with each other"
          subject="Reviewers"
          rows={people.map(({ reviewers, ...row }) => ({ name: reviewers.join(' and '), ...row }))}
          confidence={confidence}
        />
      )}
      {agents.length === 0 ? null : (
        <Table
          title="Agents with the labels of spot checks"
          subject="Agent"
          rows={agents.map(({ agent, ...row }) => ({ name: agent, ...row }))}
          confidence={confidence}
        />
      )}
    </>
  )
}

interface TableProps {
  readonly title: string
  readonly subject: string
  readonly rows: readonly (AgreementFigures & { readonly name: string })[]
  readonly confidence: number
}

function Table({ title, subject, rows, confidence }: TableProps) {
  return (
    <table className="figures">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{subject}</th>
          <th scope="col">Items</th>
          <th scope="col">Same answer</th>
          <th scope="col">Beyond chance (kappa), {Math.round(confidence * 100)} % interval</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, items, agreed, kappa }) => (
          <tr key={name} className={items < ENOUGH ? 'few' : ''}>
            <th scope="row">
              <DataText text={name} />
            </th>
            <td>{countText(items)}</td>
            <td>{countText(agreed)}</td>
            <td>
              {items < ENOUGH ? (
                `too few: ${ENOUGH} are needed`
              ) : kappa === null ? (
                'not known: all answers are the same'
              ) : (
                <>
                  {kappa.value.toFixed(2)}{' '}
                  <span className="interval">
                    {kappa.lower.toFixed(2)} to {kappa.upper.toFixed(2)}
                  </span>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
