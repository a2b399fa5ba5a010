import type { MonitorView } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { dayText } from 'quorate/record'
import { declaredText, ENOUGH } from '../../parts/number-text.ts'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { Term } from '../../parts/term.tsx'
import { RateChart } from './rate-chart.tsx'
import { sampledText } from './verdict.ts'

interface RateSectionProps {
  readonly view: MonitorView
  /** Whether to show all periods, or only the last one. */
  readonly isAll: boolean
}

/** The rate of wrong actions by spot checks in each period. */
export function RateSection({ view, isAll }: RateSectionProps) {
  const { spotChecks, suspensions } = view
  const { rate } = spotChecks
  const all = view.periods.filter(({ history }) => history.length > 0)
  const last = view.periods.at(-1)
  const periods = isAll || all.length === 0 ? all : all.filter(({ number }) => number === (last?.number ?? 0))
  const beta = view.certificate?.promised ?? last?.beta ?? null
  const shown = periods.length === 0 ? all.slice(-1) : periods
  return (
    <section className="section">
      <header>
        <h2>Wrong actions over time</h2>
        <span className="right">
          share of all questions,{' '}
          <Term name="spotCheck" opensLeft>
            spot checks
          </Term>{' '}
          only
        </span>
      </header>
      {beta === null || shown.length === 0 ? (
        <p className="blank">
          {rate === 0
            ? 'No question is chosen for a spot check, so wrong actions cannot be counted.'
            : 'No spot check is counted yet.'}
        </p>
      ) : (
        <>
          <RateChart periods={shown} suspensions={suspensions} beta={beta} />
          <div className="legend" aria-hidden="true">
            <span>
              <i className="swatch is-line" /> rate in its period
            </span>
            <span>
              <i className="swatch is-band" /> holds at every moment, {declaredText(spotChecks.uniform?.level ?? 0.95)}{' '}
              %
            </span>
            {suspensions.length === 0 ? null : (
              <span>
                <i className="swatch is-hatch" /> suspended
              </span>
            )}
            <span>
              <i className="swatch is-limit" /> beta
            </span>
          </div>
        </>
      )}
      <p className="small soft">
        {declaredText(rate)} % of all questions are chosen for a spot check. {countsText(view)} They are counted in the
        order in which the questions arrived. An action counts as wrong if a reviewer cannot tell what is right.
      </p>
      {view.periods.length === 0 ? null : (
        <details className="numbers">
          <summary>Show as a table</summary>
          <ScrollRegion name="Table of periods">
            <PeriodTable periods={view.periods} />
          </ScrollRegion>
        </details>
      )}
    </section>
  )
}

/** How many spot checks were chosen and counted, once a period has begun. */
function countsText({ policy, periods, spotChecks, hidden }: MonitorView): string {
  if (policy.state === 'none') return 'They count once a certificate is active.'
  if (policy.cause === 'shadow' && periods.length === 0) return 'They count once the policy acts.'
  return sampledText(spotChecks, hidden)
}

function PeriodTable({ periods }: { readonly periods: MonitorView['periods'] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Period</th>
          <th scope="col">From</th>
          <th scope="col" className="number">
            Wrong
          </th>
          <th scope="col" className="number">
            Of spot checks
          </th>
          <th scope="col" className="number">
            Rate
          </th>
          <th scope="col" className="number">
            At every moment
          </th>
        </tr>
      </thead>
      <tbody>
        {periods.map(({ number, from, to, wrong, uniform }) => (
          <tr key={number}>
            <th scope="row">{number}</th>
            <td>
              {dayText(from)} to {to === null ? 'now' : dayText(to)}
            </td>
            <td className="number">{wrong === null ? '–' : countText(wrong.count)}</td>
            <td className="number">{wrong === null ? 'none counted' : countText(wrong.of)}</td>
            <td className="number">
              {wrong === null ? (
                '–'
              ) : wrong.of < ENOUGH ? (
                <span className="few">too few</span>
              ) : (
                `${percentText(uniform?.rate ?? wrong.share)} %`
              )}
            </td>
            <td className="number">
              {uniform === null ? '–' : `${percentText(uniform.lower)} to ${percentText(uniform.upper)} %`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
