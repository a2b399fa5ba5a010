import { clopperPearsonInterval } from '@quorate/certificate'
import type { CertificateView } from 'quorate/contract'
import { atLeastText, countText, percentText } from 'quorate/figures'
import { DataText } from '../../parts/data-text.tsx'
import { IntervalBar } from '../../parts/interval-bar.tsx'
import { Mark } from '../../parts/mark.tsx'
import { declaredText, ENOUGH } from '../../parts/number-text.ts'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { Term } from '../../parts/term.tsx'

type Outcome = NonNullable<CertificateView['promise']>['outcomes'][number]
type Class = Outcome['classes'][number]

/** The axis begins here or lower. */
const LOWEST = 0.55

/** Where the bars of all classes begin, in whole per cent. With one axis, the floor is at the same position in each. */
export function axisFrom({ classes }: Outcome, floor: number | null): number {
  const judged = classes.filter(({ rows }) => rows >= ENOUGH)
  const lowest = Math.min(LOWEST, floor ?? 1, ...judged.map(({ lower }) => lower))
  return Math.max(0, Math.floor(lowest * 100 + 1e-9) / 100)
}

interface GroupProps {
  readonly outcome: Outcome
  readonly floor: number | null
  /** Where the bars begin. */
  readonly from: number
}

/** The classes that act, are refused, or are not judged. Refused and blocked classes are kept apart. */
export function ClassTable({ outcome, floor }: { readonly outcome: Outcome; readonly floor: number | null }) {
  const from = axisFrom(outcome, floor)
  return (
    <ScrollRegion name={`Table of classes${outcome.group === null ? '' : ` of ${outcome.group}`}`}>
      <table className="classes stack">
        <thead>
          <tr>
            <th scope="col">
              <Term name="class">Class</Term>
            </th>
            <th scope="col" className="number">
              Labelled
            </th>
            <th scope="col" className="number">
              Wrong
            </th>
            <th scope="col" className="is-bar">
              Right against the floor
            </th>
            <th scope="col" className="number">
              Right
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <ActingClasses outcome={outcome} floor={floor} from={from} />
        <RefusedClasses outcome={outcome} floor={floor} from={from} />
        <AnswerBudgets answers={outcome.answers} />
        <UnjudgedKinds outcome={outcome} />
      </table>
      {outcome.kinds.some(({ state }) => state === 'unseen') ? (
        <p className="small soft">
          In no class: no debate like it was acted on among the labels that chose the classes.
        </p>
      ) : null}
    </ScrollRegion>
  )
}

function ActingClasses({ outcome: { classes, acted, wrong }, floor, from }: GroupProps) {
  const acting = classes.filter(({ state }) => state === 'acts')
  return (
    <Group title="Acts on">
      {acting.map((one) => (
        <Row key={one.name} row={one} floor={floor} from={from} />
      ))}
      {acting.length === 0 ? (
        <tr>
          <td colSpan={6} className="soft">
            It acts on nothing.
          </td>
        </tr>
      ) : null}
      {acted === 0 ? null : (
        <tr className="total">
          <th scope="row">All it acts on</th>
          <td className="number gone">{countText(acted)}</td>
          <td className="number gone">{countText(wrong)}</td>
          <td className="gone" />
          <td className="number">{acted < ENOUGH ? <Few /> : `${percentText(1 - wrong / acted)} %`}</td>
          <td />
        </tr>
      )}
    </Group>
  )
}

function RefusedClasses({ outcome: { classes, kinds }, floor, from }: GroupProps) {
  const refused = classes.filter(({ state }) => state !== 'acts')
  const vetoed = kinds.filter(({ state }) => state === 'vetoed')
  if (refused.length + vetoed.length === 0) return null
  return (
    <Group title="Refused: goes to people">
      {refused.map((one) => (
        <Row key={one.name} row={one} floor={floor} from={from} />
      ))}
      {vetoed.map(({ name, rows, right }) => (
        <tr key={`vetoed ${name}`}>
          <th scope="row" className="wide">
            <DataText text={name} />
          </th>
          <td className="number gone">{countText(rows)}</td>
          <td className="number gone">{countText(rows - right)}</td>
          <td className="gone" />
          <td className="number">{rows < ENOUGH ? <Few /> : <strong>{percentText(right / rows)} %</strong>}</td>
          <td>
            {rows < ENOUGH ? (
              <span className="faint">
                <Mark name="few" /> {countText(rows)} of {ENOUGH} labels, refused by itself
              </span>
            ) : (
              <span className="text-defer">
                <Mark name="defer" /> below the floor by itself
              </span>
            )}
          </td>
        </tr>
      ))}
    </Group>
  )
}

function AnswerBudgets({ answers }: { readonly answers: Outcome['answers'] }) {
  if (answers.length === 0) return null
  return (
    <Group title="Answers with a budget of their own">
      {answers.map(({ answer, beta, rows, stopped, wrong, state }) => (
        <tr key={answer}>
          <th scope="row" className="wide">
            <DataText text={answer} />
          </th>
          <td className="number gone">{countText(rows)}</td>
          <td className="number gone">{countText(wrong)}</td>
          <td className="gone interval">
            {countText(stopped)} acted on, beta {declaredText(beta)} %
          </td>
          <td className="number">{rows < ENOUGH ? <Few /> : `${percentText(wrong / rows)} % wrong`}</td>
          <td>
            {state === 'acts' ? (
              <span className="text-act">
                <Mark name="act" /> acts
              </span>
            ) : (
              <span className="text-defer">
                <Mark name="defer" /> refused
              </span>
            )}
          </td>
        </tr>
      ))}
    </Group>
  )
}

function UnjudgedKinds({ outcome: { kinds, blocked, counted } }: { readonly outcome: Outcome }) {
  const unseen = kinds.filter(({ state }) => state === 'unseen')
  const stopped = kinds.reduce((total, { rows }) => total + rows, 0)
  const never = Math.max(0, counted - stopped)
  if (blocked.length + unseen.length + never === 0) return null
  return (
    <Group title="Not judged">
      {blocked.map((name) => (
        <tr key={`blocked ${name}`} className="is-dim">
          <th scope="row">
            <DataText text={name} />
          </th>
          <td className="gone" colSpan={4} />
          <td>blocked: the debate continues</td>
        </tr>
      ))}
      {unseen.map(({ name, rows, right }) => (
        <tr key={`unseen ${name}`} className="is-dim">
          <th scope="row">
            <DataText text={name} />
          </th>
          <td className="number gone">{countText(rows)}</td>
          <td className="number gone">{countText(rows - right)}</td>
          <td className="gone" />
          <td className="number">{rows < ENOUGH ? <Few /> : `${percentText(right / rows)} %`}</td>
          <td>in no class</td>
        </tr>
      ))}
      {never === 0 ? null : (
        <tr className="is-dim">
          <th scope="row">No round that can be acted on met its threshold</th>
          <td className="number gone">{countText(never)}</td>
          <td className="gone" colSpan={3} />
          <td>never acts</td>
        </tr>
      )}
    </Group>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <tbody>
      <tr className="group">
        <th colSpan={6} scope="colgroup">
          {title}
        </th>
      </tr>
      {children}
    </tbody>
  )
}

function Row({ row, floor, from }: { readonly row: Class; readonly floor: number | null; readonly from: number }) {
  const { name, rows, right, lower, state, vetoed } = row
  const share = rows === 0 ? 0 : right / rows
  const isFew = rows < ENOUGH
  const kind = isFew ? 'few' : state === 'acts' ? 'act' : 'defer'
  const upper = rows === 0 ? 1 : clopperPearsonInterval(right, rows, 0.95).upper
  return (
    <tr>
      <th scope="row" className="wide">
        <DataText text={name} />
        {vetoed.length === 0 || vetoed.join(', ') === name ? null : (
          <span className="interval">
            {' '}
            without <DataText text={vetoed.join(', ')} />
          </span>
        )}
      </th>
      <td className="number gone">{countText(rows)}</td>
      <td className="number gone">{countText(rows - right)}</td>
      <td>
        <IntervalBar from={from} share={share} lower={lower} upper={upper} floor={floor} kind={kind} />
      </td>
      <td className="number">
        {isFew ? <Few /> : <strong>{percentText(share)} %</strong>}{' '}
        <span className="interval">at least {atLeastText(lower)} %</span>
      </td>
      <td>
        <State row={row} floor={floor} />
      </td>
    </tr>
  )
}

function Few() {
  return <span className="few">too few</span>
}

/** Whether a class acts, and otherwise what it lacks. */
function State({
  row: { state, rows, right, labelsMissing },
  floor,
}: {
  readonly row: Class
  readonly floor: number | null
}) {
  if (state === 'acts') {
    return (
      <span className="text-act">
        <Mark name="act" /> acts
      </span>
    )
  }
  if (rows < ENOUGH) {
    return (
      <span className="faint">
        <Mark name="few" /> {countText(rows)} of {ENOUGH} labels
      </span>
    )
  }
  const isBelow = floor !== null && rows > 0 && right / rows < floor
  const words =
    state === 'spoiled'
      ? 'a kind in it is below the floor'
      : isBelow
        ? 'below the floor'
        : labelsMissing === null
          ? 'too near the floor to prove it'
          : `about ${countText(roundedUp(labelsMissing))} more labels`
  return (
    <span className="text-defer">
      <Mark name="defer" /> {words}
    </span>
  )
}

/** Rounds up to two digits, as in the sentences below the table. */
function roundedUp(labels: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, labels))) - 1)
  return Math.ceil(labels / unit) * unit
}
