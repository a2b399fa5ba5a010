import { useQuery } from '@tanstack/react-query'
import type { SettingsView } from 'quorate/contract'
import { useEffect, useRef } from 'react'
import { request } from '../../api/client.ts'
import { isKeyIgnored } from '../../app/keys.tsx'
import { DataBlock, DataText } from '../../parts/data-text.tsx'

/** What reviewers are told about every question; I opens and closes it. Nothing where the config has no guideline. */
export function Guideline({ isOpen = false }: { readonly isOpen?: boolean }) {
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => request<SettingsView>('/v1/settings', { signal }),
    staleTime: 300_000,
  }).data
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'i' || isKeyIgnored(event) || fold.current === null) return
      event.preventDefault()
      fold.current.open = !fold.current.open
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
  const { guideline = null, labels = null } = settings ?? {}
  if (guideline === null && labels === null) return null
  return (
    <details ref={fold} className="guideline" open={isOpen}>
      <summary>
        Guideline <kbd>I</kbd>
      </summary>
      {guideline === null ? null : <DataBlock text={guideline} />}
      {labels === null ? null : (
        <dl>
          {labels.map(({ name, text }) => (
            <div key={name}>
              <dt>
                <DataText text={name} />
              </dt>
              <dd>
                <DataText text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  )
}
