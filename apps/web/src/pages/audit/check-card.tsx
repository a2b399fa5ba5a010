import type { Check, CheckName, CheckRow } from '@quorate/certificate'
import { countText, figureText, pValueText } from 'quorate/figures'
import { DataText } from '../../parts/data-text.tsx'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { VerdictMark } from './verdict-mark.tsx'

const WORDS = {
  names: {
    total: 'Wrong actions stay within beta',
    classes: 'Every class is as right as the floor',
    kinds: 'Every kind of debate is as right as its class',
    'stopping-rounds': 'Every stopping round is as right as promised',
    groups: 'Every group is as right as promised',
    'bound-calibration': 'Bounds are no higher than what comes true',
    smoothness: 'Correctness near a question is like its own',
    'representation-gap': 'The state forgets no more than epsilon',
    'exchangeability-permutation': 'Questions come from one population',
    'exchangeability-martingale': 'Questions do not drift over time',
  } satisfies Record<CheckName, string>,
  words: { falsified: 'falsified', 'not falsified': 'not falsified', 'not enough data': 'not enough data' },
  rows: (count: string) => `Every place that was tested (${count})`,
  tooMany: (shown: string, of: string) => `The first ${shown} of ${of} are shown.`,
} as const

const MAX_ROWS = 200

/** One assumption: its statement, the test, the finding and what to do next. */
export function CheckCard({ check }: { readonly check: Check }) {
  return (
    <section className="check">
      <div className="check-head">
        <h3>{WORDS.names[check.name]}</h3>
        <p>
          <VerdictMark verdict={check.verdict} words={WORDS.words[check.verdict]} />
        </p>
        <p className="soft">
          p {pValueText(check.pValue)}
          <br />
          p, Holm {pValueText(check.adjustedPValue)}
        </p>
      </div>
      <div>
        <dl className="check-words">
          <Word name="Assumes" text={check.assumption} />
          <Word name="Tested" text={check.null} />
          <Word name="Seen" text={check.finding} />
          <Word name="Next" text={check.next} />
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

function Rows({ rows, name }: { readonly rows: readonly CheckRow[]; readonly name: CheckName }) {
  if (rows.length === 0) return <p className="soft">No place could be tested.</p>
  return (
    <details>
      <summary>{WORDS.rows(countText(rows.length))}</summary>
      {rows.length > MAX_ROWS ? (
        <p className="soft">{WORDS.tooMany(countText(MAX_ROWS), countText(rows.length))}</p>
      ) : null}
      <ScrollRegion name={`Place: ${WORDS.names[name]}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Place</th>
              {['n', 'Seen', 'Threshold', 'p', 'p, Holm'].map((title) => (
                <th key={title} scope="col" className="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row, index) => (
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
      <td className="number">{pValue === null ? <span className="soft">– not tested</span> : pValueText(pValue)}</td>
      <td className="number">{pValueText(row.adjustedPValue)}</td>
    </tr>
  )
}
