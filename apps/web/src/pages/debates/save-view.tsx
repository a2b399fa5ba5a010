import { type FormEvent, useState } from 'react'
import { Modal } from '../../parts/modal.tsx'
import { removeView, saveView, useSavedViews } from '../../parts/saved-views.ts'
import { type Filter, isSameFilter } from './debates-queries.ts'

const MAX_LETTERS = 40

/** Saves the filter under a name, which then appears in the sidebar, or removes it. */
export function SaveView({ filter }: { readonly filter: Filter }) {
  const views = useSavedViews()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const saved = views.find(({ query }) => isSameFilter(query, filter))
  if (Object.keys(filter).length === 0) return null
  if (saved !== undefined) {
    return (
      <button type="button" className="quiet" onClick={() => removeView(saved.name)}>
        Forget view
      </button>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    saveView({ name: name.trim(), query: { ...filter } as Record<string, string> }) // absent fields have no key
    setName('')
    setOpen(false)
  }
  return (
    <>
      <button type="button" className="quiet" onClick={() => setOpen(true)}>
        Save view
      </button>
      <Modal title="Save this view" isOpen={isOpen} onClose={() => setOpen(false)}>
        <form onSubmit={submit}>
          <label>
            Name{' '}
            <input value={name} maxLength={MAX_LETTERS} required onChange={({ target }) => setName(target.value)} />
          </label>
          <p className="small soft">It appears in the sidebar of this browser.</p>
          <p className="buttons">
            <button type="submit" className="primary">
              Save
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </p>
        </form>
      </Modal>
    </>
  )
}
