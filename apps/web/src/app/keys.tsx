import { useEffect, useRef, useState } from 'react'
import { readStored, writeStored } from '../api/browser-storage.ts'
import { Modal } from '../parts/modal.tsx'
import { goTo, linkTo } from './router.ts'

const WORDS = {
  rows: [
    ['G O', 'Overview'],
    ['G R', 'Runs'],
    ['G D', 'Debates'],
    ['G V', 'Review'],
    ['G C', 'Certificates'],
    ['G S', 'Settings'],
    ['/', 'search'],
    ['J K', 'next and previous row of a list'],
    ['X', 'select a row'],
    ['A', 'assign the selected rows'],
    ['S', 'Debates: send the selected ones to review'],
    ['P', 'list of reviews: put the selected items back'],
    ['Space', 'peek at a row'],
    ['Enter', 'open a row'],
    ['R', 'try again after an error'],
    ['Esc', 'back'],
    ['?', 'this list'],
  ],
} as const

/** The pages that a letter after G leads to. */
const PLACES: Readonly<Record<string, string>> = {
  o: '',
  r: 'runs',
  d: 'debates',
  v: 'review',
  c: 'certificates',
  s: 'settings',
}

/** The second key of a chord must follow within this time. */
const CHORD_MS = 1500
const SETTING = 'quorate-review-keys'

/** Whether single-letter keys are on. They are unless the user switched them off (WCAG 2.1.4); the browser stores this. */
export function useKeySetting(): readonly [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(areKeysOn)
  return [
    isOn,
    (next) => {
      writeStored('localStorage', SETTING, next ? 'on' : 'off')
      setOn(next)
    },
  ]
}

export function areKeysOn(): boolean {
  return readStored('localStorage', SETTING) !== 'off'
}

/** Keys do nothing in fields, in dialogs, and together with Ctrl, Alt or Meta. */
export function isKeyIgnored(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return true
  if (document.querySelector('dialog[open]') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox'
}

interface PageKeys {
  /** The page shows its own list of keys. */
  readonly hasOwnHelp: boolean
  readonly openHelp: () => void
}

/** The keys of every page: G and a letter opens a page, / searches, ? lists the keys, R retries after an error. */
export function usePageKeys({ hasOwnHelp, openHelp }: PageKeys): void {
  const chordUntil = useRef(0)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!areKeysOn() || isKeyIgnored(event)) return
      const key = event.key.toLowerCase()
      const page = event.timeStamp < chordUntil.current ? PLACES[key] : undefined
      chordUntil.current = 0
      if (page !== undefined) goTo(linkTo(page))
      else if (key === 'g') chordUntil.current = event.timeStamp + CHORD_MS
      else if (key === '/') goToSearch()
      else if (key === '?' && !hasOwnHelp) openHelp()
      else {
        if (key === 'r') clickRetry()
        return
      }
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    // Capturing comes before the keys of the page, for which the letter after G would be a command.
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  })
}

/** Focuses the search field of the page, or opens the debates with theirs. */
export function goToSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (field === null) goTo(linkTo('debates', [], { focus: 'search' }))
  else field.focus()
}

function clickRetry(): void {
  document.querySelector<HTMLButtonElement>('main [data-again]')?.click()
}

export function KeysDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [isOn, setOn] = useKeySetting()
  return (
    <Modal title="Keys" isOpen={isOpen} onClose={onClose}>
      <table>
        <KeyRows rows={WORDS.rows} />
      </table>
      <p>
        <label>
          <input type="checkbox" checked={isOn} onChange={(event) => setOn(event.target.checked)} /> Keys of one letter
          are on
        </label>
      </p>
      <p className="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </Modal>
  )
}

export function KeyRows({ rows }: { readonly rows: readonly (readonly [key: string, does: string])[] }) {
  return (
    <tbody>
      {rows.map(([key, does]) => (
        <tr key={does}>
          <th scope="row">
            <kbd>{key}</kbd>
          </th>
          <td>{does}</td>
        </tr>
      ))}
    </tbody>
  )
}
