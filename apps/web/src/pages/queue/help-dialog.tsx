import { useId } from 'react'
import { Modal } from '../../parts/modal.tsx'
import { TEXT } from '../../text/english.ts'
import { commandKey, moveKeys } from './key-commands.ts'

const WORDS = TEXT.queue.help

interface HelpDialogProps {
  readonly hasKeys: boolean
  readonly setKeys: (isOn: boolean) => void
  readonly options: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Every key as it is for the item shown, and the switch for all of them. */
export function HelpDialog({ hasKeys, setKeys, options, isOpen, onClose }: HelpDialogProps) {
  const id = useId()
  const rows = [
    [WORDS.optionKey, WORDS.option],
    ['Shift+C', WORDS.cannotTell],
    ['Shift+B', WORDS.badQuestion],
    ['Enter', WORDS.submit],
    [`↓ / ↑, ${moveKeys(options)}`, WORDS.move],
    [commandKey('note', options), WORDS.note],
    [commandKey('undo', options), WORDS.undo],
    [commandKey('skip', options), WORDS.skip],
    [commandKey('release', options), WORDS.release],
    [commandKey('last', options), WORDS.last],
    ['?', WORDS.help],
  ] as const
  return (
    <Modal title={WORDS.title} isOpen={isOpen} onClose={onClose}>
      <p className="switch">
        <input id={id} type="checkbox" checked={hasKeys} onChange={(event) => setKeys(event.target.checked)} />
        <label htmlFor={id}>{WORDS.on}</label>
      </p>
      <p className="soft">{WORDS.onWhy}</p>
      <table className="keys">
        <thead>
          <tr>
            <th scope="col">{WORDS.columns.key}</th>
            <th scope="col">{WORDS.columns.does}</th>
          </tr>
        </thead>
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
      </table>
      <p className="soft after">{WORDS.taken}</p>
      <p className="buttons">
        <button type="button" onClick={onClose}>
          {WORDS.close}
        </button>
      </p>
    </Modal>
  )
}
