import { exactTexts } from 'quorate/figures'
import { useId } from 'react'
import { TEXT } from '../../text/english.ts'
import type { DeskFacts } from './replay/create-desk.ts'
import {
  alphaOf,
  isSame,
  moved,
  PROFILES,
  type Settings,
  type SliderName,
  usualSplit,
  withProfile,
} from './replay/settings.ts'
import { Slider } from './slider.tsx'

interface ControlsProps {
  readonly facts: DeskFacts
  readonly settings: Settings
  readonly change: (settings: Settings) => void
}

const SLIDERS: readonly SliderName[] = ['beta', 'delta', 'epsilon']
const SMALLEST_ALPHA = 0.001

export function Controls({ facts, settings, change }: ControlsProps) {
  const isCurrent = isSame(settings, facts.declared)
  return (
    <form
      className="operating-controls"
      aria-label={TEXT.operating.controls}
      onSubmit={(event) => event.preventDefault()}
    >
      {SLIDERS.map((name) => (
        <Slider
          key={name}
          name={name}
          value={settings[name]}
          isUnused={name === 'epsilon' && settings.profile === 'cells'}
          change={(value) => change(moved(settings, name, value))}
        />
      ))}
      <ProfileChoice facts={facts} settings={settings} change={change} />
      <BudgetSplit settings={settings} change={change} />
      <p className="operating-reset">
        <button type="button" disabled={isCurrent} onClick={() => change(facts.declared)}>
          {TEXT.operating.reset}
        </button>
        <span className="soft">{isCurrent ? TEXT.operating.isCurrent : ''}</span>
      </p>
    </form>
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
function BudgetSplit({ settings, change }: Omit<ControlsProps, 'facts'>) {
  const { beta, delta, profile } = settings
  const epsilon = profile === 'cells' ? 0 : settings.epsilon
  const alpha = alphaOf(settings)
  const [whole = '', first = '', second = '', third = '', line = '', least = '', excess = ''] = exactTexts([
    beta,
    delta,
    alpha,
    epsilon,
    1 - alpha,
    delta + epsilon + SMALLEST_ALPHA,
    SMALLEST_ALPHA - alpha,
  ])
  if (alpha > SMALLEST_ALPHA) {
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
    <div className="operating-split operating-infeasible" role="alert">
      <p>
        <strong>{TEXT.operating.infeasible}.</strong> {TEXT.operating.missing(spent, whole, second)}{' '}
        {TEXT.operating.remedy(least, excess)}
      </p>
      <button type="button" onClick={() => change(usualSplit(settings))}>
        {TEXT.operating.usual}
      </button>
    </div>
  )
}
