import { useId, useState } from 'react'
import { RANGES, type SliderName } from './replay/settings.ts'

const WORDS = {
  meanings: {
    beta: 'how often quorate may act and be wrong, of all questions',
    delta: 'part of it for an unlucky calibration set',
    epsilon: 'part of it for what the state forgets',
    noEpsilon: 'this profile needs none',
    floor: 'smallest share right in every class that is acted on',
    totalDelta: 'probability that a promise may fail; 1 minus it is the confidence',
  },
  asNumber: (name: string) => `${name} as a number`,
  asPercent: (name: string) => `${name} in per cent`,
  outOfRange: (name: string, min: string, max: string, value: string) =>
    `${name} is a number from ${min} to ${max}; shown is ${value}.`,
} as const

interface SliderProps {
  readonly name: SliderName
  readonly value: number
  /** The profile does not use this setting. */
  readonly isUnused: boolean
  /** Whether the profile is total, in which delta has another meaning. */
  readonly isTotal?: boolean
  readonly change: (value: number) => void
}

const FINEST_STEP = 0.001

/** A value with two controls: a slider, and a field to type it. */
export function Slider({ name, value, isUnused, isTotal = false, change }: SliderProps) {
  const id = useId()
  // The text being typed, which may not be a number yet.
  const [draft, setDraft] = useState<string | null>(null)
  const { min, max, step } = RANGES[name]
  // Dials show per cent, so their fields do too.
  const isPercent = isTotal && (name === 'beta' || name === 'floor')
  const unit = isPercent ? 100 : 1
  const inUnit = (one: number) => String(Number((one * unit).toFixed(5)))
  const [least, most, shown] = [inUnit(min), inUnit(max), inUnit(value)]
  const isWrong = draft !== null && !isWithin(draft, unit, RANGES[name])
  const meaning =
    name === 'epsilon' && isUnused
      ? WORDS.meanings.noEpsilon
      : name === 'delta' && isTotal
        ? WORDS.meanings.totalDelta
        : WORDS.meanings[name]
  return (
    <div className="operating-slider">
      <label htmlFor={id}>{name}</label>
      <span id={`${id}-meaning`} className="soft">
        {meaning}
      </span>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={isUnused}
        aria-describedby={`${id}-meaning`}
        aria-valuetext={`${value}`}
        onChange={({ target }) => {
          setDraft(null)
          change(target.valueAsNumber)
        }}
      />
      <input
        type="number"
        inputMode="decimal"
        aria-label={isPercent ? WORDS.asPercent(name) : WORDS.asNumber(name)}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        min={least}
        max={most}
        step={FINEST_STEP * unit}
        disabled={isUnused}
        value={draft ?? shown}
        onChange={({ target }) => {
          setDraft(target.value)
          if (isWithin(target.value, unit, { min, max })) change(target.valueAsNumber / unit)
        }}
        onBlur={() => {
          // An invalid number stays with its message. A valid one is replaced by the value of the slider.
          if (!isWrong) setDraft(null)
        }}
      />
      {isPercent ? (
        <span className="ends" aria-hidden="true">
          <span>{least} %</span>
          <span>{most} %</span>
        </span>
      ) : null}
      {isPercent ? (
        <span className="unit" aria-hidden="true">
          in %
        </span>
      ) : null}
      {isWrong ? (
        <span id={`${id}-wrong`} className="bad" role="alert">
          {WORDS.outOfRange(name, least, most, shown)}
        </span>
      ) : null}
    </div>
  )
}

function isWithin(text: string, unit: number, { min, max }: { readonly min: number; readonly max: number }): boolean {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return value >= min * unit && value <= max * unit
}
