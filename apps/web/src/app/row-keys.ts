import { useEffect, useState } from 'react'
import { areKeysOn, isKeyIgnored } from './keys.tsx'

export interface RowKeys {
  /** The keys of the rows in their order. The element of a row has the id `row-KEY`. */
  readonly keys: readonly string[]
  /** Called for Enter on a row. */
  readonly open: (key: string) => void
  /** Further keys of the page, in lower case. The function returns false if the key did nothing. */
  readonly also?: Readonly<Record<string, (isOnControl: boolean) => boolean>>
}

/** The keys of every list: J and K move, X selects, Enter opens, Esc clears the selection and then leaves the row. */
export function useRowKeys({ keys, open, also = {} }: RowKeys) {
  const [at, choose] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = new Set(keys.filter((key) => chosen.has(key)))
  const select = (changed: readonly string[], isSelected: boolean) => {
    const next = new Set(selected)
    for (const key of changed) {
      if (isSelected) next.add(key)
      else next.delete(key)
    }
    setChosen(next)
  }
  const index = at === null ? -1 : keys.indexOf(at)
  const move = (step: 1 | -1) => {
    const next = keys[Math.max(0, Math.min(keys.length - 1, index + step))]
    if (next === undefined) return false
    choose(next)
    document.getElementById(`row-${next}`)?.scrollIntoView({ block: 'nearest' })
    return true
  }
  const run = (key: string, isOnControl: boolean): boolean => {
    if (key === 'j' || key === 'k') return move(key === 'j' ? 1 : -1)
    if (key === 'x' && at !== null) select([at], !selected.has(at))
    else if (key === 'enter' && at !== null && !isOnControl) open(at)
    else if (key === 'escape' && selected.size > 0) setChosen(new Set())
    else if (key === 'escape' && at !== null) choose(null)
    else return also[key]?.(isOnControl) ?? false
    return true
  }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!areKeysOn() || isKeyIgnored(event)) return
      const { target } = event
      const isOnControl = target instanceof HTMLElement && target.closest('a, button, summary, input') !== null
      if (run(event.key.toLowerCase(), isOnControl)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
  return { at, choose, selected, select, clear: () => setChosen(new Set()) }
}
