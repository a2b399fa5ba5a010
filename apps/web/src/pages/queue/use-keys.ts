import { useEffect } from 'react'
import { keysRest } from '../../app/keys.tsx'
import { type Command, commandOf } from './key-commands.ts'

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
      const command = keysRest(event) ? null : commandOf(event, options)
      if (command === null || isOwnOf(event, command)) return
      event.preventDefault()
      run(command)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  })
}

/** What the focused element does with the key itself: Enter on a button or a link, arrows where they scroll or choose. */
function isOwnOf({ key, target, repeat }: KeyboardEvent, { kind }: Command): boolean {
  // A key held down moves on among options, and does nothing twice.
  if (repeat && kind !== 'next-option' && kind !== 'previous-option') return true
  if (!(target instanceof HTMLElement)) return false
  if (kind === 'submit') return target.closest('button, a, summary, [type="checkbox"]') !== null
  return key.startsWith('Arrow') && target !== document.body && target.tabIndex >= 0
}
