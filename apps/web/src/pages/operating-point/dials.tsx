import { BINDING_WORDS, type DialPoint, type Dials } from '@quorate/certificate'
import { countText, percentText } from 'quorate/figures'
import { declaredText, ENOUGH } from '../../parts/number-text.ts'
import { Dial, SMALLEST_CHANGE } from './dial.tsx'
import type { Decided } from './replay/create-replay.ts'
import { isSame, moved, type Settings } from './replay/settings.ts'

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
            ? `Only ${countText(acted.of)} stored debates stand for new questions yet. ${ENOUGH} are needed to draw the curves.`
            : `The curves are shares of ${countText(acted.of)} stored debates that stand for new questions. The certificate was made from none of them.`}
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
  const isMore = ({ act }: DialPoint) => act - now >= SMALLEST_CHANGE
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
