import { usualFloor } from '@quorate/certificate'
import { exactTexts } from 'quorate/figures'
import { useId } from 'react'
import { declaredText } from '../../parts/number-text.ts'
import type { Decided, ReplayFacts } from './replay/create-replay.ts'
import {
  alphaOf,
  isFeasible,
  isSame,
  isUsualSplit,
  moved,
  PROFILES,
  type Settings,
  SMALLEST_ALPHA,
  usualSplit,
  withProfile,
} from './replay/settings.ts'
import { Slider } from './slider.tsx'

const WORDS = {
  profiles: {
    total: 'bounds wrong actions in total and, by the floor, in every class',
    cells: 'counts labelled debates that went the same way',
    tight: 'compares with the nearest labelled debates, by a learned score',
    paper: 'compares with the nearest labelled debates, as published',
  },
  split: (beta: string, delta: string, alpha: string, epsilon: string) =>
    `beta ${beta} leaves alpha ${alpha} with delta ${delta} and epsilon ${epsilon}`,
  actsFrom: (threshold: string) => `acts from a bound of ${threshold} on`,
  spentDelta: (delta: string) => `delta ${delta}`,
  spentBoth: (delta: string, epsilon: string) => `delta ${delta} and epsilon ${epsilon}`,
  missing: (spent: string, beta: string, alpha: string) =>
    `${spent} leave alpha = ${alpha} of beta ${beta}, and alpha must be above 0.001. Every question would be deferred.`,
  remedy: (least: string, excess: string) => `Raise beta above ${least}, or take ${excess} off the rest.`,
  totalSplit: (beta: string) => `at most ${beta} % of all questions acted on and wrong`,
  floorSplit: (floor: string) => `at least ${floor} % right in every class that is acted on`,
  leastActs: (beta: string) =>
    `Nothing would be acted on. Of the betas of this slider, ${beta} is the smallest that acts on one of the debates here, with the usual split.`,
  takeLeast: (beta: string) => `Try beta ${beta}`,
} as const

interface ControlsProps {
  readonly facts: ReplayFacts
  readonly settings: Settings
  readonly change: (settings: Settings) => void
}

const SLIDERS = ['beta', 'delta', 'epsilon'] as const
/** The sliders of profile total, whose beta and floor are dials. */
const TOTAL_SLIDERS = ['delta'] as const

/** `decided` is the latest result, which may be that of the settings before; null until there is one. */
export function Controls({ decided, ...controls }: ControlsProps & { readonly decided: Decided | null }) {
  const { facts, settings, change } = controls
  const isCurrent = isSame(settings, facts.declared)
  return (
    <form className="operating-controls" aria-label="Budget and profile" onSubmit={(event) => event.preventDefault()}>
      {(settings.profile === 'total' ? TOTAL_SLIDERS : SLIDERS).map((name) => (
        <Slider
          key={name}
          name={name}
          value={settings[name]}
          isUnused={name === 'epsilon' && settings.profile === 'cells'}
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
          Back to the certificate in use
        </button>
        <span className="soft">{isCurrent ? 'This is the certificate in use.' : ''}</span>
      </p>
    </form>
  )
}

interface FloorChoiceProps {
  readonly settings: Settings
  readonly change: (settings: Settings) => void
}

/** A checkbox to do without a floor, which then explains what that means. */
function FloorChoice({ settings, change }: FloorChoiceProps) {
  const id = useId()
  const isNone = settings.floor === null
  return (
    <div className="operating-slider">
      <label htmlFor={id}>no floor</label>
      <input
        id={id}
        type="checkbox"
        checked={isNone}
        onChange={({ target }) => change({ ...settings, floor: target.checked ? null : usualFloor(settings.beta) })}
      />
      {isNone ? (
        <span className="soft operating-wide">No floor: a class may be wrong far more often than the total.</span>
      ) : null}
    </div>
  )
}

function ProfileChoice({ facts, settings, change }: ControlsProps) {
  const id = useId()
  return (
    <div className="operating-slider">
      <label htmlFor={id}>profile</label>
      <span id={`${id}-meaning`} className="soft">
        {WORDS.profiles[settings.profile]}
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
      {facts.canFit ? null : (
        <span className="soft operating-wide">
          The store lacks some of the labelled debates that the certificate was made from, so other profiles cannot be
          fitted here.
        </span>
      )}
    </div>
  )
}

/** How beta is split, or what is missing if the split leaves nothing to act with. */
function BudgetSplit({ settings, rounds }: { readonly settings: Settings; readonly rounds: number }) {
  const { beta, delta, profile } = settings
  if (profile === 'total') return <TotalSplit settings={settings} />
  const epsilon = profile === 'cells' ? 0 : settings.epsilon
  const alpha = alphaOf(settings, rounds)
  const [whole = '', first = '', second = '', third = '', threshold = '', least = '', excess = ''] = exactTexts([
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
        {WORDS.split(whole, first, second, third)}
        <br />
        {WORDS.actsFrom(threshold)}
      </p>
    )
  }
  const spent = epsilon === 0 ? WORDS.spentDelta(first) : WORDS.spentBoth(first, third)
  return (
    <p className="operating-split operating-infeasible" role="alert">
      <strong>Nothing can be certified.</strong> {WORDS.missing(spent, whole, second)}{' '}
      {isUsualSplit(settings) ? null : WORDS.remedy(least, excess)}
    </p>
  )
}

function TotalSplit({ settings: { beta, floor } }: { readonly settings: Settings }) {
  return (
    <p className="operating-split soft">
      {WORDS.totalSplit(declaredText(beta))}
      <br />
      {floor === null
        ? 'No floor: a class may be wrong far more often than the total.'
        : WORDS.floorSplit(declaredText(floor))}
    </p>
  )
}

/** Buttons that return to the usual split, and that set a beta with which something is acted on. */
function Remedies({
  settings,
  change,
  decided,
}: {
  readonly settings: Settings
  readonly change: (settings: Settings) => void
  readonly decided: Decided | null
}) {
  const isUsual = isUsualSplit(settings)
  const isCurrent = decided !== null && isSame(decided.settings, settings)
  const least = isCurrent ? decided.leastBeta : undefined
  if (isUsual && least === undefined) return null
  return (
    <div className="operating-remedies">
      {isUsual ? null : (
        <button type="button" onClick={() => change(usualSplit(settings))}>
          Split beta as usual
        </button>
      )}
      {least === undefined ? null : (
        <p role="status">
          {least === null
            ? 'Nothing would be acted on, and no beta of this slider acts on any of the debates here.'
            : WORDS.leastActs(`${least}`)}
        </p>
      )}
      {least === undefined || least === null || least === settings.beta ? null : (
        <button type="button" onClick={() => change(usualSplit({ ...settings, beta: least }))}>
          {WORDS.takeLeast(`${least}`)}
        </button>
      )}
    </div>
  )
}
