import { type FormEvent, type ReactNode, useId } from 'react'
import { goTo, linkTo } from '../../app/router.ts'
import { TEXT } from '../../text/english.ts'
import { FILTERS, type Filter } from './debates-queries.ts'

/** What is chosen stands in the address: it can be linked, and the way back works. */
export function DebateFilter({ filter }: { readonly filter: Filter }) {
  const apply = (form: HTMLFormElement) => goTo(linkTo('debates', [], chosen(form, filter)))
  return (
    <form
      className="debate-filter"
      aria-label={TEXT.debates.filter}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        apply(event.currentTarget)
      }}
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) apply(event.currentTarget)
      }}
    >
      <Choice name="kind" label={TEXT.debates.kind} value={filter.kind} options={TEXT.debates.kinds} />
      <Choice name="reason" label={TEXT.debates.reason} value={filter.reason} options={REASONS} />
      <Choice name="status" label={TEXT.debates.status} value={filter.status} options={TEXT.debates.statuses} />
      <Choice
        name="sampled"
        label={TEXT.debates.spotCheck}
        value={filter.sampled}
        options={{ true: TEXT.debates.sampledOnly }}
      />
      <Field label={TEXT.debates.group}>
        {(id) => <input id={id} name="group" type="text" maxLength={1000} defaultValue={filter.group} />}
      </Field>
      <Field label={TEXT.debates.id}>
        {(id) => <input id={id} name="id" type="search" maxLength={1000} defaultValue={filter.id} />}
      </Field>
      <button type="submit">{TEXT.debates.apply}</button>
      {Object.keys(filter).length === 0 ? null : <a href={linkTo('debates')}>{TEXT.debates.clear}</a>}
    </form>
  )
}

const REASONS = Object.fromEntries(Object.keys(TEXT.parts.reasons).map((reason) => [reason, reason]))

/** `run` has no field: it comes with a link and stays. */
function chosen(form: HTMLFormElement, { run }: Filter): Record<string, string> {
  const data = new FormData(form)
  const entries = FILTERS.flatMap((name) => {
    const value = name === 'run' ? run : data.get(name)
    return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : []
  })
  return Object.fromEntries(entries)
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly options: Readonly<Record<string, string>>
}

function Choice({ name, label, value = '', options }: ChoiceProps) {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} name={name} defaultValue={value}>
          <option value="">{TEXT.debates.any}</option>
          {Object.entries(options).map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function Field({ label, children }: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}
