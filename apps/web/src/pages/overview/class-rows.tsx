import type { MonitorView } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { DataText } from '../../parts/data-text.tsx'
import { IntervalBar } from '../../parts/interval-bar.tsx'
import { declaredText, ENOUGH } from '../../parts/number-text.ts'
import { Term } from '../../parts/term.tsx'

/** The share right in each class by spot checks, against its floor. */
export function ClassRows({ classes }: { readonly classes: MonitorView['classes'] }) {
  const floor = classes[0]?.floor ?? 0
  const lowest = Math.max(0, Math.min(floor - 0.15, ...classes.flatMap(({ right }) => right?.share ?? [])))
  const from = Math.floor(lowest * 100 + 1e-9) / 100
  return (
    <section className="section">
      <header>
        <h2>Right in every class</h2>
        <span className="right">this period</span>
      </header>
      <table className="stack class-rows">
        <thead>
          <tr>
            <th scope="col">
              <Term name="class">Class</Term>
            </th>
            <th scope="col" className="is-bar">
              {`${declaredText(from)}\u00a0% to 100\u00a0%, `}
              <Term name="floor" opensLeft>
                floor
              </Term>
              {` ${declaredText(floor)}\u00a0%`}
            </th>
            <th scope="col" className="number">
              Right
            </th>
          </tr>
        </thead>
        <tbody>
          {classes.map(({ name, floor: own, right, uniform, sampled, alarm }) => {
            const isFew = right === null || right.of < ENOUGH
            return (
              <tr key={name}>
                <th scope="row" className="wide">
                  <DataText text={name} />
                </th>
                <td>
                  {right === null || uniform === null ? null : (
                    <IntervalBar
                      from={from}
                      share={right.share}
                      lower={uniform.lower}
                      upper={uniform.upper}
                      floor={own}
                      kind={isFew ? 'few' : 'act'}
                    />
                  )}
                </td>
                <td className="number">
                  {isFew ? <span className="few">too few</span> : <strong>{percentText(right.share)} %</strong>}
                  <br />
                  <span className="interval">
                    {right === null
                      ? sampled === 0
                        ? 'no spot check yet'
                        : `no label yet, ${countText(sampled)} spot checks`
                      : isFew
                        ? `${countText(right.of)} ${right.of === 1 ? 'label' : 'labels'}, ${ENOUGH} needed`
                        : `${countText(right.count)} of ${countText(right.of)}`}
                    {right !== null && right.of < sampled ? `, ${countText(sampled - right.of)} not counted yet` : ''}
                    {alarm.isAlarm ? ', alarm' : ''}
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="small soft">
        Classes with fewer than {ENOUGH} labels are grey and give no verdict. The share right ends before the first spot
        check that is open.
      </p>
    </section>
  )
}
