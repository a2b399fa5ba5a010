import type { MonitorView, Wealth } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Mark } from '../../parts/mark.tsx'
import { declaredText } from '../../parts/number-text.ts'
import { useCertificate } from '../certificates/certificate-queries.ts'
import { evidenceText } from './evidence-text.ts'

/** The tests that can suspend the policy, and how far each is from doing so. */
export function Watch({ view }: { readonly view: MonitorView }) {
  const { alarm, drift, missing, mismatch, certificate, others } = view
  return (
    <section className="section">
      <header>
        <h2>What could suspend it</h2>
        <span className="right">each test stays valid after every question and restarts in each period</span>
      </header>
      <table className="stack">
        <thead>
          <tr>
            <th scope="col">Test</th>
            <th scope="col">State</th>
            <th scope="col">Evidence, and the threshold of the alarm</th>
            <th scope="col" className="number">
              Counted
            </th>
          </tr>
        </thead>
        <tbody>
          <TestRow
            name={`Wrong actions stay below the promised ${declaredText(certificate?.promised ?? 0)} %`}
            test={alarm}
            unit="questions"
          />
          <TestRow name="New debates look like the labelled ones" test={drift} unit="debates" />
          {missing !== null && missing.limit !== null ? (
            <TestRow
              name={`Answers have a confidence as often as in calibration${missing.share === null ? '' : `: ${percentText(missing.share)} % lack it, ${percentText(missing.limit)} % is allowed`}`}
              test={missing}
              unit="questions"
            />
          ) : null}
          {view.classes
            .filter((one) => one.alarm.isAlarm)
            .map((one) => (
              <TestRow
                key={one.name}
                name={`Right in the class ${one.name}`}
                test={one.alarm}
                unit={`spot checks${openText(one)}`}
              />
            ))}
          {others.map((other) => (
            <OtherRow key={other.certificate} other={other} />
          ))}
          <PanelRow mismatch={mismatch} certificate={certificate?.id ?? ''} />
        </tbody>
      </table>
      <p className="small soft">
        A spot check counts as right in its test until it is labelled, which can only delay an alarm. A quiet test is no
        proof. The total is watched, and each class with a floor. A single group of questions may be worse without an
        alarm.
      </p>
    </section>
  )
}

function openText({ sampled, labelled }: MonitorView['classes'][number]): string {
  return labelled < sampled ? `, ${countText(sampled - labelled)} of them open` : ''
}

interface TestRowProps {
  readonly name: string
  /** Null if its figures would reveal questions that are hidden from this user. */
  readonly test: Wealth | null
  readonly unit: string
}

function TestRow({ name, test, unit }: TestRowProps) {
  return (
    <tr>
      <th scope="row" className="wide">
        <DataText text={name} />
      </th>
      {test === null ? (
        <td colSpan={3} className="soft wide">
          Hidden until the questions in Review are reviewed. An alarm still suspends the policy.
        </td>
      ) : (
        <>
          <td className="state-of">
            <State isAlarm={test.isAlarm} />
          </td>
          <td className="gone">
            <EvidenceBar test={test} />
          </td>
          <td className="number">
            {countText(test.counted)} {unit}
          </td>
        </>
      )}
    </tr>
  )
}

/** A summary of a certificate that is not the active one. */
function OtherRow({ other: { certificate, alarm, drift } }: { readonly other: MonitorView['others'][number] }) {
  return (
    <tr>
      <th scope="row" className="wide">
        Another certificate:{' '}
        <a href={linkTo('certificates', [certificate])}>
          <DataText text={certificate.slice(0, 6)} />
        </a>
      </th>
      <td className="state-of">
        <State isAlarm={alarm.isAlarm || drift?.isAlarm === true} />
      </td>
      <td className="gone">
        <EvidenceBar test={alarm} />
      </td>
      <td className="number">{countText(alarm.counted)} questions</td>
    </tr>
  )
}

function PanelRow({ mismatch, certificate }: { readonly mismatch: readonly string[]; readonly certificate: string }) {
  const fingerprint = useCertificate(certificate).data?.fingerprint
  const unknown = fingerprint === undefined ? [] : unknownFields(fingerprint)
  return (
    <tr>
      <th scope="row" className="wide">
        The panel is the one that was calibrated
      </th>
      <td className="state-of">
        <State isAlarm={mismatch.length > 0} />
      </td>
      <td colSpan={2} className="wide">
        {mismatch.length > 0 ? (
          <>
            differs in <DataText text={mismatch.join(', ')} />
          </>
        ) : unknown.length === 0 ? (
          'the same'
        ) : (
          `the same as far as is known (not known: ${unknown.map((name) => PANEL_FIELDS[name]).join(', ')})`
        )}
      </td>
    </tr>
  )
}

const PANEL_FIELDS = {
  models: 'models',
  prompts: 'prompts',
  settings: 'settings',
  reader: 'reader of answers',
  agents: 'agents',
  panels: 'panels',
  elicitation: 'beliefs',
} as const
type PanelField = keyof typeof PANEL_FIELDS

/** The fields that cannot be compared because the imported record lacks them. */
function unknownFields(fingerprint: Readonly<Record<string, unknown>>): readonly PanelField[] {
  const names = Object.keys(PANEL_FIELDS) as readonly PanelField[] // it has no other keys
  return names.filter((name) => fingerprint[name] === null || fingerprint[name] === undefined)
}

function State({ isAlarm }: { readonly isAlarm: boolean }) {
  return isAlarm ? (
    <span className="text-wrong">
      <Mark name="wrong" /> alarm
    </span>
  ) : (
    <span>
      <Mark name="right" /> no alarm
    </span>
  )
}

const WIDTH = 120
/** The position of the alarm, which leaves space for evidence beyond it. */
const ALARM_AT = 100

/** Evidence multiplies, so its scale is logarithmic, from 1 (no evidence) to the alarm and beyond. */
function EvidenceBar({ test: { wealth, alarmAt, isAlarm } }: { readonly test: Wealth }) {
  const share = Math.max(0, Math.log(wealth)) / Math.log(alarmAt)
  const end = Math.min(WIDTH, Math.max(0, share * ALARM_AT) || 0)
  return (
    <span className="bound-bar">
      <svg className="chart evidence-bar" viewBox={`0 0 ${WIDTH} 12`} aria-hidden="true">
        <rect className="track" y="2" width={WIDTH} height="8" />
        <rect className={isAlarm ? 'is-wrong-fill' : 'band'} y="2" width={end} height="8" />
        <line className="floor" x1={ALARM_AT} x2={ALARM_AT} y1="0" y2="12" />
      </svg>{' '}
      <span>
        {evidenceText(wealth)}, threshold {evidenceText(alarmAt)}
      </span>
    </span>
  )
}
