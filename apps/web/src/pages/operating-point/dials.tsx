import { BINDING_WORDS, type DialPoint, type Dials } from '@quorate/certificate'
import { countText, percentText } from 'quorate/figures'
import { Chart, Tip } from '../../parts/chart.tsx'
import { declaredText, ENOUGH } from '../../parts/number-text.ts'
import { Term } from '../../parts/term.tsx'
import type { Decided } from './replay/create-replay.ts'
import { isSame, moved, type Settings } from './replay/settings.ts'
import { Slider } from './slider.tsx'

interface DialsProps {
  readonly decided: Decided
  readonly settings: Settings
  readonly declared: Settings
  readonly change: (settings: Settings) => void
}

/** Both dials, each with the share acted on along it while the other stays fixed. The dial that binds has a frame. */
export function DialsSection({ decided, settings, declared, change }: DialsProps) {
  const dials = decided.total?.dials ?? null
  const { beta, floor } = settings
  const acted = decided.figures.acted
  const isFew = acted !== null && acted.of < ENOUGH
  const binds = (name: 'beta' | 'floor') => !isFew && (dials?.binds === name || dials?.binds === 'both')
  const bindingText = dials === null || isFew ? '' : BINDING_WORDS[dials.binds]
  return (
    <section className="section operating-dials" aria-labelledby="operating-dials">
      <header>
        <h2 id="operating-dials">Two dials</h2>
        <span className="right">{bindingText}</span>
      </header>
      <p className="small soft">
        Moving a dial decides stored debates again, in this browser. Nothing changes until you activate.{' '}
        {acted === null
          ? 'No stored debate stands for new questions yet.'
          : isFew
            ? `Only ${countText(acted.of)} stored debates stand for new questions yet; ${ENOUGH} are needed to draw the curves.`
            : `The curves are shares of ${countText(acted.of)} stored debates that stand for new questions; the certificate was made from none of them.`}
      </p>
      <div className="dials">
        <Dial
          title="wrong actions, of all questions"
          name="beta"
          value={beta}
          points={isFew ? [] : (dials?.byBeta ?? [])}
          of={acted?.of ?? 0}
          isBinding={binds('beta')}
          other={binds('floor') ? 'the floor binds' : ''}
          along={floor === null ? 'beta, without a floor' : `beta, at floor ${declaredText(floor)} %`}
          change={(value) => change(moved(settings, 'beta', value))}
        />
        {floor === null ? (
          <p className="soft">No floor: a class may be wrong far more often than the total.</p>
        ) : (
          <Dial
            title="right, in every class"
            name="floor"
            value={floor}
            points={isFew ? [] : (dials?.byFloor ?? [])}
            of={acted?.of ?? 0}
            isBinding={binds('floor')}
            other={binds('beta') ? 'beta binds' : ''}
            along={`floor, at beta ${declaredText(beta)} %`}
            change={(value) => change(moved(settings, 'floor', value))}
          />
        )}
      </div>
      {acted === null || isFew || dials === null ? null : (
        <Suggestion dials={dials} settings={settings} now={acted.share} of={acted.of} change={change} />
      )}
      {isSame(settings, declared) ? (
        <p className="small soft">
          A moved dial makes a draft. Chosen after looking, it has no promise until fresh labels confirm it.
        </p>
      ) : (
        <p className="draft" role="status">
          <strong>
            Draft: beta {declaredText(beta)} %{floor === null ? ', no floor' : `, floor ${declaredText(floor)} %`}.
          </strong>{' '}
          Chosen after looking: no promise until fresh labels confirm it.
        </p>
      )}
    </section>
  )
}

interface SuggestionProps {
  readonly dials: Dials
  readonly settings: Settings
  /** The share of stored debates that is acted on now. */
  readonly now: number
  /** The number of stored debates. */
  readonly of: number
  readonly change: (settings: Settings) => void
}

/** Suggests the smallest step of the binding dial that acts on at least one percentage point more, if there is one. */
function Suggestion({ dials, settings, now, of, change }: SuggestionProps) {
  const isMore = ({ act }: DialPoint) => act - now >= FLAT
  const floors = dials.byFloor.filter(({ value }) => value < (settings.floor ?? 0)).toReversed()
  const betas = dials.byBeta.filter(({ value }) => value > settings.beta)
  const name = dials.binds === 'beta' ? 'beta' : 'floor'
  const found = dials.binds === 'neither' ? undefined : (name === 'beta' ? betas : floors).find(isMore)
  if (found === undefined) return null
  const title = name === 'beta' ? 'Beta' : 'Floor'
  return (
    <p className="suggestion">
      <span>
        <strong>
          {title} {declaredText(found.value)} %
        </strong>{' '}
        would act on {percentText(found.act)} % of {countText(of)} stored debates (+
        {((found.act - now) * 100).toFixed(1)} points).
      </span>
      <button type="button" onClick={() => change(moved(settings, name, found.value))}>
        Try {name} {declaredText(found.value)} %
      </button>
    </p>
  )
}

interface DialProps {
  readonly name: 'beta' | 'floor'
  readonly title: string
  readonly value: number
  readonly points: readonly DialPoint[]
  /** The number of stored debates that the shares refer to. */
  readonly of: number
  readonly isBinding: boolean
  /** Names the axis and the fixed dial. */
  readonly along: string
  /** What limits the share where this dial is flat; empty if nothing does. */
  readonly other: string
  readonly change: (value: number) => void
}

const TOP = 24
const BOTTOM = 108
const LEFT = 44
const RIGHT = 14
/** A change below one percentage point counts as none. */
const FLAT = 0.01

function Dial({ name, title, value, points, of, isBinding, along, other, change }: DialProps) {
  const now = points.find((point) => point.value === value)
  const [from = 0, to = 1] = [points[0]?.value, points.at(-1)?.value]
  const flat = flatFrom(name, points)
  const label = `Acts on against ${along}: ${points.map((point) => `${percentText(point.act)} % at ${declaredText(point.value)} %`).join(', ')}`
  return (
    <div className={`dial ${isBinding ? 'is-binding' : ''}`}>
      <header>
        <h3>
          <Term name={name}>{name === 'beta' ? 'Beta' : 'Floor'}</Term>: {title}
        </h3>
        {points.length === 0 ? null : (
          <span className={`chip ${isBinding ? 'is-ink' : ''}`}>{isBinding ? 'this one binds' : 'room left'}</span>
        )}
      </header>
      <div className="dial-value">
        <p className="value">{declaredText(value)} %</p>
        <Slider name={name} value={value} isUnused={false} isTotal change={change} />
      </div>
      {points.length === 0 ? null : (
        <Chart
          label={label}
          height={142}
          draw={(width) => {
            const x = (at: number) => LEFT + ((at - from) / Math.max(1e-9, to - from)) * (width - LEFT - RIGHT)
            const y = (act: number) => BOTTOM - act * (BOTTOM - TOP)
            return (
              <>
                {flat === null ? null : (
                  <>
                    <rect
                      className="flat"
                      x={Math.min(x(flat), x(name === 'beta' ? to : from))}
                      y={TOP}
                      width={Math.abs(x(name === 'beta' ? to : from) - x(flat))}
                      height={BOTTOM - TOP}
                    />
                    <text className="middle" x={(x(flat) + x(name === 'beta' ? to : from)) / 2} y={BOTTOM - 8}>
                      {other === '' ? 'flat' : `flat: ${other}`}
                    </text>
                  </>
                )}
                {[0, 0.5, 1].map((act) => (
                  <g key={act}>
                    <line className="grid" x1={LEFT} x2={width - RIGHT} y1={y(act)} y2={y(act)} />
                    <text className="end" x={LEFT - 6} y={y(act) + 4}>
                      {act * 100} %
                    </text>
                  </g>
                ))}
                <text x={LEFT} y="12">
                  acts on, of {countText(of)} stored debates
                </text>
                <polyline
                  className="act-line"
                  points={points.map((point) => `${x(point.value)},${y(point.act)}`).join(' ')}
                />
                <line className="limit" x1={x(value)} x2={x(value)} y1={TOP} y2={BOTTOM} />
                {points.map((point) => (
                  <g key={point.value} className="point">
                    <rect className="hit" x={x(point.value) - 8} y={TOP} width="16" height={BOTTOM - TOP} />
                    <circle className="act" cx={x(point.value)} cy={y(point.act)} r={point.value === value ? 5 : 3} />
                    <Tip
                      x={x(point.value)}
                      y={TOP}
                      within={width}
                      lines={[
                        `${percentText(point.act)} % acted on`,
                        `${countText(Math.round(point.act * of))} of ${countText(of)}, ${name} ${declaredText(point.value)} %`,
                      ]}
                    />
                  </g>
                ))}
                {now === undefined ? null : (
                  <text
                    className="strong"
                    x={Math.min(x(value) + 8, width - 80)}
                    y={Math.max(TOP + 10, y(now.act) - 8)}
                  >
                    {percentText(now.act)} % now
                  </text>
                )}
                <text x={LEFT} y="122">
                  {declaredText(from)} %
                </text>
                <text className="end" x={width - RIGHT} y="122">
                  {declaredText(to)} %
                </text>
                <text className="middle" x={(LEFT + width - RIGHT) / 2} y="136">
                  {along}
                </text>
              </>
            )
          }}
        />
      )}
      <details className="numbers" hidden={points.length === 0}>
        <summary>Show as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{name}</th>
              <th scope="col" className="number">
                Acts on
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.value}>
                <th scope="row">{declaredText(point.value)} %</th>
                <td className="number">{percentText(point.act)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}

/** The value from which a looser dial changes nothing; null if every step changes something. */
function flatFrom(name: 'beta' | 'floor', points: readonly DialPoint[]): number | null {
  const looser = name === 'beta' ? points : points.toReversed()
  const last = looser.at(-1)
  if (last === undefined) return null
  const first = looser.findIndex(({ act }) => Math.abs(act - last.act) < FLAT)
  return first < 0 || first >= looser.length - 1 ? null : (looser[first]?.value ?? null)
}
