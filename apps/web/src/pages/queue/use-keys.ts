import { useEffect, useState } from 'react'
import { type Command, commandOf } from './key-commands.ts'

const SETTING = 'quorate-review-keys'

/** Whether keys of one letter do anything; remembered, on unless switched off (WCAG 2.1.4). */
export function useKeySetting(): readonly [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => localStorage.getItem(SETTING) !== 'off')
  return [
    isOn,
    (next) => {
      localStorage.setItem(SETTING, next ? 'on' : 'off')
      setOn(next)
    },
  ]
}

export interface Keys {
  readonly isOn: boolean
  /** Of the item shown. */
  readonly options: readonly string[]
  readonly run: (command: Command) => void
}

/** Keys of the whole page. They rest in fields, in dialogs and with Ctrl, Alt or Meta. */
export function useKeys({ isOn, options, run }: Keys): void {
  useEffect(() => {
    if (!isOn) return
    const pressed = (event: KeyboardEvent) => {
      const command = rests(event) ? null : commandOf(event, options)
      if (command === null || isOwnOf(event, command)) return
      event.preventDefault()
      run(command)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  })
}

function rests(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return true
  if (document.querySelector('dialog[open]') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox'
}

/** What the focused element does with the key itself: Enter on a button or a link, arrows where they scroll or choose. */
function isOwnOf({ key, target, repeat }: KeyboardEvent, { kind }: Command): boolean {
  // A key held down moves on among options, and does nothing twice.
  if (repeat && kind !== 'next-option' && kind !== 'previous-option') return true
  if (!(target instanceof HTMLElement)) return false
  if (kind === 'submit') return target.closest('button, a, summary, [type="checkbox"]') !== null
  return key.startsWith('Arrow') && target !== document.body && target.tabIndex >= 0
}
