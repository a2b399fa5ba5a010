import type { MonitorView } from 'quorate/contract'
import { countText, exactTexts, percentText, probabilityText } from 'quorate/figures'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { TEXT } from '../../text/english.ts'
import { useCertificate } from '../certificates/certificate-queries.ts'

/** The things that can suspend the policy, and how far each is from doing so. */
export function Watch({ view }: { readonly view: MonitorView }) {
  const { alarm, drift, missing, mismatch, certificate, others } = view
  const columns = TEXT.overview.columns
  const beta = certificate === null ? '' : (exactTexts([certificate.budget.beta])[0] ?? '')
  return (
    <section>
      <h2>{TEXT.overview.watch}</h2>
      <p className="reading">{TEXT.overview.watchReading}</p>
      <div className="watch">
        <table className="stacked">
          <thead>
            <tr>
              <th scope="col">{columns.test}</th>
              <th scope="col">{columns.state}</th>
              <th scope="col">{columns.wealth}</th>
              <th scope="col" className="number">
                {columns.counted}
              </th>
            </tr>
          </thead>
          <tbody>
            <TestRow
              name={TEXT.overview.risk}
              question={TEXT.overview.riskQuestion(beta)}
              test={alarm}
              unit="questions"
            />
            {drift === null ? (
              <HiddenRow name={TEXT.overview.drift} question={TEXT.overview.driftQuestion} />
            ) : (
              <TestRow name={TEXT.overview.drift} question={TEXT.overview.driftQuestion} test={drift} unit="debates" />
            )}
            {missing !== null && missing.limit !== null && (
              <TestRow
                name={TEXT.overview.missing}
                question={missingQuestion(missing.share, missing.limit)}
                test={missing}
                unit="questions"
              />
            )}
            {others.map((other) => (
              <OtherRow key={other.certificate} other={other} />
            ))}
            <FingerprintRow mismatch={mismatch} certificate={certificate?.id ?? ''} />
          </tbody>
        </table>
        <Power alarm={alarm} rate={view.spotChecks.rate} />
      </div>
    </section>
  )
}

function missingQuestion(share: number | null, limit: number): string {
  if (share === null) return TEXT.overview.missingUnknown
  return TEXT.overview.missingQuestion(percentText(share), percentText(limit))
}

interface TestRowProps {
  readonly name: string
  readonly question: string
  readonly test: NonNullable<MonitorView['drift']>
  readonly unit: 'questions' | 'debates'
}

function TestRow({ name, question, test, unit }: TestRowProps) {
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="interval">{question}</span>
      </th>
      <td>
        <AlarmState isAlarm={test.isAlarm} />
      </td>
      <td>
        <WealthBar wealth={test.wealth} alarmAt={test.alarmAt} />
      </td>
      <td className="number">{TEXT.overview[unit](countText(test.counted))}</td>
    </tr>
  )
}

/** A test whose figures would tell of questions that are hidden from this person. */
function HiddenRow({ name, question }: Pick<TestRowProps, 'name' | 'question'>) {
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="interval">{question}</span>
      </th>
      <td colSpan={3}>{TEXT.overview.hiddenTest}</td>
    </tr>
  )
}

/** A certificate that is not the active one, in short. */
function OtherRow({ other: { certificate, alarm, drift } }: { readonly other: MonitorView['others'][number] }) {
  const drifted = drift === null ? TEXT.overview.otherUnseen : TEXT.overview[drift.isAlarm ? 'alarm' : 'quiet']
  return (
    <tr>
      <th scope="row">
        {TEXT.overview.other}{' '}
        <a href={linkTo('certificates', [certificate])}>
          <DataText text={certificate.slice(0, 8)} />
        </a>
        <span className="interval">{TEXT.overview.otherQuestion}</span>
      </th>
      <td>
        <AlarmState isAlarm={alarm.isAlarm || drift?.isAlarm === true} />
        <span className="interval">{TEXT.overview.otherDrift(drifted)}</span>
      </td>
      <td>
        <WealthBar wealth={alarm.wealth} alarmAt={alarm.alarmAt} />
      </td>
      <td className="number">{TEXT.overview.questions(countText(alarm.counted))}</td>
    </tr>
  )
}

interface FingerprintRowProps {
  readonly mismatch: readonly string[]
  readonly certificate: string
}

function FingerprintRow({ mismatch, certificate }: FingerprintRowProps) {
  const fingerprint = useCertificate(certificate).data?.fingerprint
  const unknown = fingerprint === undefined ? [] : unknownFields(fingerprint)
  return (
    <tr>
      <th scope="row">
        {TEXT.overview.fingerprint}
        <span className="interval">{TEXT.overview.fingerprintQuestion}</span>
      </th>
      <td>
        <AlarmState isAlarm={mismatch.length > 0} />
      </td>
      <td colSpan={2}>
        {mismatch.length === 0 ? (
          unknown.length === 0 ? (
            TEXT.overview.same
          ) : (
            TEXT.overview.sameKnown(unknown.map((name) => TEXT.overview.panelFields[name]).join(', '))
          )
        ) : (
          <>
            {TEXT.overview.differs} <DataText text={mismatch.join(', ')} />. {TEXT.overview.uncounted}
          </>
        )}
      </td>
    </tr>
  )
}

/** Of a panel; what an imported record did not say cannot be compared. */
function unknownFields(fingerprint: Readonly<Record<string, unknown>>): readonly PanelField[] {
  return PANEL_FIELDS.filter((name) => fingerprint[name] === null || fingerprint[name] === undefined)
}

const PANEL_FIELDS = ['models', 'prompts', 'settings', 'reader', 'agents', 'panels', 'elicitation'] as const
type PanelField = (typeof PANEL_FIELDS)[number]

function AlarmState({ isAlarm }: { readonly isAlarm: boolean }) {
  return (
    <span className={`verdict ${isAlarm ? 'bad' : ''}`}>
      <span aria-hidden="true">{isAlarm ? '✕' : '○'}</span> {isAlarm ? TEXT.overview.alarm : TEXT.overview.quiet}
    </span>
  )
}

/** How long a bad policy would go unseen with these settings: a quiet test is no proof. */
function Power({ alarm, rate }: { readonly alarm: MonitorView['alarm']; readonly rate: number }) {
  const { power, falseAlarm, horizon, eta } = alarm
  return (
    <div className="power">
      <h3>{TEXT.overview.power}</h3>
      {horizon === null || power.length === 0 ? (
        <p>{TEXT.overview.nothingSampled}</p>
      ) : (
        <>
          <p>{TEXT.overview.powerHead(percentText(rate))}</p>
          <dl>
            {power.map((line) => (
              <div key={line.rate}>
                <dt>{TEXT.overview.powerRate(percentText(line.rate))}</dt>
                <dd>
                  {line.medianDelay === null
                    ? TEXT.overview.powerNever(countText(horizon))
                    : TEXT.overview.powerDelay(countText(Math.round(line.medianDelay)))}
                </dd>
              </div>
            ))}
          </dl>
          <p>{TEXT.overview.powerLater}</p>
          <p className="soft">
            {TEXT.overview.falseAlarm(probabilityText(falseAlarm), countText(horizon), String(eta))}
          </p>
        </>
      )}
    </div>
  )
}

const WIDTH = 180
const HEIGHT = 16
/** The line stands here, so that a wealth beyond it still shows. */
const LINE_AT = 150

interface WealthBarProps {
  readonly wealth: number
  readonly alarmAt: number
}

/** Wealth multiplies, so its scale is logarithmic: from 1 (nothing is known) to the line and beyond. */
function WealthBar({ wealth, alarmAt }: WealthBarProps) {
  const share = Math.max(0, Math.log(wealth)) / Math.log(alarmAt)
  const end = Math.min(WIDTH, Math.max(0, share * LINE_AT) || 0)
  const isAlarm = wealth >= alarmAt
  return (
    <span className="bound-bar">
      <svg className="figure" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <rect className="track" x="0" y="4" width={WIDTH} height="8" />
        <rect className={isAlarm ? 'wrong' : 'slack'} x="0" y="4" width={end} height="8" />
        <line className="threshold" x1={LINE_AT} x2={LINE_AT} y1="0" y2={HEIGHT} />
      </svg>{' '}
      <span>{TEXT.overview.wealth(wealthText(wealth), wealthText(alarmAt))}</span>
    </span>
  )
}

function wealthText(wealth: number): string {
  if (wealth >= 10_000) return wealth.toExponential(1)
  return wealth >= 100 || Number.isInteger(wealth) ? wealth.toFixed(0) : wealth.toFixed(2)
}
