import { useEffect, useRef } from 'react'
import { useSettings } from '../../api/queries.ts'
import { isKeyIgnored } from '../../app/keys.tsx'
import { DataBlock, DataText } from '../../parts/data-text.tsx'

/** The guideline changes only with the config, so it is rarely fetched again. */
const STALE_MS = 300_000

/** The guideline for reviewers, which the key I opens and closes. Absent if the config has none. */
export function Guideline({ isOpen = false }: { readonly isOpen?: boolean }) {
  const settings = useSettings(STALE_MS).data
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'i' || isKeyIgnored(event) || fold.current === null) return
      event.preventDefault()
      fold.current.open = !fold.current.open
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
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
