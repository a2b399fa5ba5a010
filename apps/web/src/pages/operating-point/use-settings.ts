import { useCallback, useEffect, useRef, useState } from 'react'
import { linkTo, parsePlace, usePlace } from '../../app/router.ts'
import { fromQuery, type Settings, toQuery } from './replay/settings.ts'

/** Browsers refuse an address that changes more than some 200 times in ten seconds. */
const ADDRESS_DELAY_MS = 250

/** What the sliders say. The address follows them, and they follow an address that somebody opens or goes back to. */
export function useSettings(declared: Settings): readonly [Settings, (settings: Settings) => void] {
  const { query } = usePlace()
  const text = query.toString()
  const [settings, setSettings] = useState(() => fromQuery(query, declared))
  const written = useRef(text)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    if (text === written.current) return
    written.current = text
    setSettings(fromQuery(new URLSearchParams(text), declared))
  }, [text, declared])
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = useCallback(
    (next: Settings) => {
      setSettings(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        // While the next page loads this one is hidden and not yet gone: the address is no longer ours.
        const { page, rest } = parsePlace(window.location.hash)
        if (page !== 'certificates') return
        const link = linkTo(page, rest, toQuery(next, declared))
        written.current = link.split('?', 2)[1] ?? ''
        window.history.replaceState(null, '', link)
      }, ADDRESS_DELAY_MS)
    },
    [declared],
  )
  return [settings, change]
}
