import { DEFER_WORDS } from 'quorate/record'
import { useEffect, useId, useRef, useState } from 'react'
import { goTo, linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Icon } from '../../parts/icons.tsx'
import { changed, type Filter, type FilterName } from './debates-queries.ts'

/** Display names of the statuses of a debate. */
export const STATUS_NAMES = {
  done: 'done',
  'agent-failure': 'agent failure',
  'time-out': 'time-out',
  error: 'error',
} as const

const TYPING_MS = 300

const CHOICES: Readonly<
  Record<'kind' | 'outcome' | 'reason' | 'status' | 'sampled', readonly [string, Readonly<Record<string, string>>]>
> = {
  kind: ['Decision', { act: 'acted', defer: 'deferred' }],
  outcome: ['Label', { wrong: 'acted and wrong', right: 'acted and right', unlabelled: 'no label' }],
  reason: ['Reason', DEFER_WORDS],
  status: ['Debate', STATUS_NAMES],
  sampled: ['Spot check', { true: 'spot checks only', false: 'no spot checks' }],
}

const CHOICE_NAMES = Object.keys(CHOICES) as readonly (keyof typeof CHOICES)[] // it has no other keys

/** Search and filters apply at once. They are part of the address, so it can be linked and the back button works. */
export function DebateFilter({ filter, takesFocus }: { readonly filter: Filter; readonly takesFocus: boolean }) {
  const set = (name: FilterName, value: string) => goTo(linkTo('debates', [], changed(filter, name, value)))
  return (
    <search>
      <form className="find" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
        <Search value={filter.q ?? ''} takesFocus={takesFocus} apply={(words) => set('q', words)} />
        {CHOICE_NAMES.map((name) =>
          filter[name] === undefined ? null : (
            <Choice key={name} name={name} value={filter[name]} apply={(value) => set(name, value)} />
          ),
        )}
        {(['group', 'id', 'run'] as const).map((name) =>
          filter[name] === undefined ? null : (
            <span key={name} className="picked">
              <span>{NAMES[name]}</span>
              <span>
                <DataText text={name === 'run' ? filter[name].slice(-8) : filter[name]} />
              </span>
              <button type="button" aria-label={`Remove the filter ${NAMES[name]}`} onClick={() => set(name, '')}>
                ×
              </button>
            </span>
          ),
        )}
        {filter.from === undefined && filter.to === undefined ? null : (
          <span className="picked">
            <span>Score minus threshold</span>
            <span>
              {filter.from ?? '-1'} to {filter.to ?? '+1'}
            </span>
            <button
              type="button"
              aria-label="Remove the filter of the score"
              onClick={() => {
                const { from: _, to: __, ...others } = filter
                goTo(linkTo('debates', [], others))
              }}
            >
              ×
            </button>
          </span>
        )}
        <AddFilter filter={filter} apply={set} />
        {Object.keys(filter).length === 0 ? null : (
          <a className="button quiet" href={linkTo('debates')}>
            Clear all
          </a>
        )}
      </form>
    </search>
  )
}

const NAMES = { group: 'Group', id: 'Id begins with', run: 'Run' } as const

function Search({
  value,
  takesFocus,
  apply,
}: {
  readonly value: string
  readonly takesFocus: boolean
  readonly apply: (words: string) => void
}) {
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => setWords(value), [value])
  useEffect(() => {
    if (takesFocus) field.current?.focus()
    return () => clearTimeout(timer.current)
  }, [takesFocus])
  return (
    <span className="search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        maxLength={200}
        aria-label="Search questions, arguments and ids"
        placeholder="Search questions, arguments and ids"
        value={words}
        onChange={({ target }) => {
          setWords(target.value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => apply(target.value), TYPING_MS)
        }}
        onKeyDown={({ key }) => {
          if (key !== 'Enter') return
          clearTimeout(timer.current)
          apply(words)
        }}
      />
      <kbd className="only-wide">/</kbd>
    </span>
  )
}

/** A list of all filters that are not set. A choice applies at once. */
function AddFilter({
  filter,
  apply,
}: {
  readonly filter: Filter
  readonly apply: (name: FilterName, value: string) => void
}) {
  return (
    <select
      className="add-filter"
      aria-label="Add a filter"
      value=""
      onChange={({ target }) => {
        const [name, value = ''] = target.value.split('=')
        const chosen = CHOICE_NAMES.find((one) => one === name)
        if (chosen !== undefined) apply(chosen, value)
      }}
    >
      <option value="">+ Filter</option>
      {CHOICE_NAMES.filter((name) => filter[name] === undefined).map((name) => (
        <optgroup key={name} label={CHOICES[name][0]}>
          {Object.entries(CHOICES[name][1]).map(([value, text]) => (
            <option key={value} value={`${name}=${value}`}>
              {text}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

function Choice({
  name,
  value,
  apply,
}: {
  readonly name: keyof typeof CHOICES
  readonly value: string
  readonly apply: (value: string) => void
}) {
  const id = useId()
  const [label, options] = CHOICES[name]
  return (
    <span className={`choice ${value === '' ? '' : 'is-set'}`}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => apply(target.value)}>
        <option value="">any</option>
        {Object.entries(options).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </span>
  )
}
