import { usualFloor } from '@quorate/certificate'
import { exactTexts, percentText } from 'quorate/figures'
import { useId } from 'react'
import { TEXT } from '../../text/english.ts'
import type { Decided, ReplayFacts } from './replay/create-replay.ts'
import {
  alphaOf,
  isFeasible,
  isSame,
  isUsualSplit,
  moved,
  PROFILES,
  RANGES,
  type Settings,
  type SliderName,
  SMALLEST_ALPHA,
  usualSplit,
  withProfile,
} from './replay/settings.ts'
import { Slider } from './slider.tsx'

interface ControlsProps {
  readonly facts: ReplayFacts
  readonly settings: Settings
  readonly change: (settings: Settings) => void
}

const SLIDERS: readonly SliderName[] = ['beta', 'delta', 'epsilon']
const TOTAL_SLIDERS: readonly SliderName[] = ['beta', 'floor', 'delta']

/** `decided`: what came of these settings or of the ones before; null before the first. */
export function Controls({ decided, ...controls }: ControlsProps & { readonly decided: Decided | null }) {
  const { facts, settings, change } = controls
  const isCurrent = isSame(settings, facts.declared)
  return (
    <form
      className="operating-controls"
      aria-label={TEXT.operating.controls}
      onSubmit={(event) => event.preventDefault()}
    >
      {(settings.profile === 'total' ? TOTAL_SLIDERS : SLIDERS).map((name) => (
        <Slider
          key={name}
          name={name}
          value={settings[name] ?? RANGES.floor.min}
          isUnused={
            (name === 'epsilon' && settings.profile === 'cells') || (name === 'floor' && settings.floor === null)
          }
          isTotal={settings.profile === 'total'}
          change={(value) => change(moved(settings, name, value))}
        />
      ))}
      {settings.profile === 'total' ? <FloorChoice settings={settings} change={change} /> : null}
      <ProfileChoice {...controls} />
      <BudgetSplit settings={settings} rounds={facts.rounds} />
      <Remedies settings={settings} change={change} decided={decided} />
      <p className="operating-reset">
        <button type="button" disabled={isCurrent} onClick={() => change(facts.declared)}>
          {TEXT.operating.reset}
        </button>
        <span className="soft">{isCurrent ? TEXT.operating.isCurrent : ''}</span>
      </p>
    </form>
  )
}

/** A floor may be given up, which says what that means. */
function FloorChoice({ settings, change }: Pick<ControlsProps, 'settings' | 'change'>) {
  const id = useId()
  const isNone = settings.floor === null
  return (
    <div className="operating-slider">
      <label htmlFor={id}>{TEXT.operating.noFloor}</label>
      <input
        id={id}
        type="checkbox"
        checked={isNone}
        onChange={({ target }) => change({ ...settings, floor: target.checked ? null : usualFloor(settings.beta) })}
      />
      {isNone ? <span className="soft operating-wide">{TEXT.operating.noFloorMeaning}</span> : null}
    </div>
  )
}

function ProfileChoice({ facts, settings, change }: ControlsProps) {
  const id = useId()
  return (
    <div className="operating-slider">
      <label htmlFor={id}>{TEXT.operating.names.profile}</label>
      <span id={`${id}-meaning`} className="soft">
        {TEXT.operating.profiles[settings.profile]}
      </span>
      <select
        id={id}
        aria-describedby={`${id}-meaning`}
        value={settings.profile}
        onChange={({ target }) => {
          const profile = PROFILES.find((name) => name === target.value)
          if (profile !== undefined) change(withProfile(settings, profile))
        }}
      >
        {PROFILES.map((profile) => (
          <option key={profile} value={profile} disabled={!facts.canFit && profile !== facts.declared.profile}>
            {profile}
          </option>
        ))}
      </select>
      {facts.canFit ? null : <span className="soft operating-wide">{TEXT.operating.cannotFit}</span>}
    </div>
  )
}

/** Where beta goes; what is missing where it leaves nothing to act with. */
function BudgetSplit({ settings, rounds }: { readonly settings: Settings; readonly rounds: number }) {
  const { beta, delta, profile } = settings
  if (profile === 'total') return <TotalSplit settings={settings} />
  const epsilon = profile === 'cells' ? 0 : settings.epsilon
  const alpha = alphaOf(settings, rounds)
  const [whole = '', first = '', second = '', third = '', line = '', least = '', excess = ''] = exactTexts([
    beta,
    delta,
    alpha,
    epsilon,
    1 - alpha,
    beta - alpha + SMALLEST_ALPHA,
    SMALLEST_ALPHA - alpha,
  ])
  if (isFeasible(settings, rounds)) {
    return (
      <p className="operating-split soft">
        {TEXT.operating.split(whole, first, second, third)}
        <br />
        {TEXT.operating.actsFrom(line)}
      </p>
    )
  }
  const spent = epsilon === 0 ? TEXT.operating.spentDelta(first) : TEXT.operating.spentBoth(first, third)
  return (
    <p className="operating-split operating-infeasible" role="alert">
      <strong>{TEXT.operating.infeasible}.</strong> {TEXT.operating.missing(spent, whole, second)}{' '}
      {isUsualSplit(settings) ? null : TEXT.operating.remedy(least, excess)}
    </p>
  )
}

function TotalSplit({ settings: { beta, floor } }: { readonly settings: Settings }) {
  return (
    <p className="operating-split soft">
      {TEXT.operating.totalSplit(percentText(beta))}
      <br />
      {floor === null ? TEXT.operating.noFloorMeaning : TEXT.operating.floorSplit(percentText(floor))}
    </p>
  )
}

interface RemediesProps {
  readonly settings: Settings
  readonly change: (settings: Settings) => void
  readonly decided: Decided | null
}

/** One press each: the usual split where it is not the usual one, a beta that acts where nothing is acted on. */
function Remedies({ settings, change, decided }: RemediesProps) {
  const isUsual = isUsualSplit(settings)
  const isTold = decided !== null && isSame(decided.settings, settings)
  const least = isTold ? decided.leastBeta : undefined
  if (isUsual && least === undefined) return null
  return (
    <div className="operating-remedies">
      {isUsual ? null : (
        <button type="button" onClick={() => change(usualSplit(settings))}>
          {TEXT.operating.usual}
        </button>
      )}
      {least === undefined ? null : (
        <p role="status">{least === null ? TEXT.operating.noneActs : TEXT.operating.leastActs(`${least}`)}</p>
      )}
      {least === undefined || least === null || least === settings.beta ? null : (
        <button type="button" onClick={() => change(usualSplit({ ...settings, beta: least }))}>
          {TEXT.operating.takeLeast(`${least}`)}
        </button>
      )}
    </div>
  )
}
