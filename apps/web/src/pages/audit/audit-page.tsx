import '../../style/blocks.css'
import './audit.css'
import type { Audit, Measure } from '@quorate/certificate'
import { useQuery } from '@tanstack/react-query'
import type { AuditView } from 'quorate/contract'
import { countText, figureText } from 'quorate/figures'
import { request } from '../../api/client.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { declaredText } from '../../parts/number-text.ts'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { CheckCard } from './check-card.tsx'
import { VerdictMark } from './verdict-mark.tsx'

const WORDS = {
  verdicts: {
    falsified: 'An assumption is contradicted',
    'not falsified': 'Nothing contradicts the assumptions',
    'not enough data': 'Not enough data to contradict anything',
  },
  meanings: {
    falsified:
      'The held-out labels contradict at least one assumption. Do not rely on the budget until you have taken the step below.',
    'not falsified': 'This is not a proof. These labels show no contradiction.',
    'not enough data': 'The checks need more labelled debates.',
  },
  basis: (calibration: string, heldOut: string) =>
    `To test the method, a certificate was made from a random half, ${calibration} debates. The other ${heldOut} test it. It is not the active one.`,
} as const

/** Shows each assumption with its check and its verdict. */
export function AuditPage() {
  const audit = useQuery({
    queryKey: ['audit'],
    queryFn: ({ signal }) => request<AuditView>('/v1/audit', { signal }),
    // The audit takes seconds to compute and changes only with new labels.
    staleTime: 60_000,
  })
  return (
    <section className="section">
      <h2>Checks of the assumptions</h2>
      <p className="reading">
        Checks that can contradict the assumptions of the certificate. They can never prove one.
      </p>
      {audit.data === undefined ? (
        audit.isError ? (
          <Failure error={audit.error} again={() => void audit.refetch()} />
        ) : (
          <Loading what="the audit" />
        )
      ) : (
        <Shown view={audit.data} />
      )}
    </section>
  )
}

function Shown({ view: { audit, missing, at } }: { readonly view: AuditView }) {
  if (audit === null || audit === undefined) {
    return (
      <Empty title="No audit yet">
        {missing === null ? null : <p>{missing}</p>}
        <p>An audit needs labelled debates. Label spot checks in the review queue, or import debates with labels:</p>
        <pre>quorate import debates.jsonl --as debates</pre>
      </Empty>
    )
  }
  return <Audited audit={audit as Audit} at={at} /> // GET /v1/audit returns an Audit, by its contract
}

function Audited({ audit, at }: { readonly audit: Audit; readonly at: number }) {
  const { verdict } = audit
  return (
    <div className="audit">
      <section className={`audit-verdict ${verdict === 'falsified' ? 'is-falsified' : ''}`}>
        <h2>
          <VerdictMark verdict={verdict} words={WORDS.verdicts[verdict]} />
        </h2>
        <p>{WORDS.meanings[verdict]}</p>
        <p className="soft">
          {WORDS.basis(countText(audit.calibration), countText(audit.heldOut))} A check is falsified when its p-value,
          adjusted over all checks (Holm), is below 0.01.
        </p>
        <p className="soft">
          Audited <Moment at={at} /> with profile {audit.profile} and beta {declaredText(audit.beta)} %.
        </p>
      </section>
      {audit.checks
        .toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
        .map((check) => (
          <CheckCard key={check.name} check={check} />
        ))}
      <Measures measures={audit.measures} />
    </div>
  )
}

/** The order of the checks: contradicted assumptions first. */
const ORDER: readonly Audit['verdict'][] = ['falsified', 'not falsified', 'not enough data']

const MAX_ROWS = 100

/** Figures that the paper reports. They have no verdict. */
function Measures({ measures }: { readonly measures: readonly Measure[] }) {
  if (measures.length === 0) return null
  return (
    <details className="measures">
      <summary>Figures of the paper that test nothing</summary>
      {measures.map(({ name, meaning, rows }) => (
        <table key={name}>
          <caption>
            <strong>{name}</strong>: {meaning}
          </caption>
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col" className="number">
                n
              </th>
              <th scope="col" className="number">
                Value
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row, index) => (
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
