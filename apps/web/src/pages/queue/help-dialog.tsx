import { useId } from 'react'
import { KeyRows } from '../../app/keys.tsx'
import { Modal } from '../../parts/modal.tsx'
import { commandKey } from './key-commands.ts'
import { QUEUE_TEXT } from './queue-words.ts'

const WORDS = QUEUE_TEXT.help

interface HelpDialogProps {
  readonly hasKeys: boolean
  readonly setKeys: (isOn: boolean) => void
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** All keys of the review page, with a switch that turns them off. */
export function HelpDialog({ hasKeys, setKeys, isOpen, onClose }: HelpDialogProps) {
  const id = useId()
  const rows = [
    [WORDS.optionKey, WORDS.option],
    [commandKey('cannot-tell'), WORDS.cannotTell],
    [commandKey('bad-question'), WORDS.badQuestion],
    [commandKey('type'), WORDS.type],
    ['Enter', WORDS.submit],
    ['↓ / ↑, J / K', WORDS.move],
    [commandKey('note'), WORDS.note],
    [commandKey('undo'), WORDS.undo],
    [commandKey('skip'), WORDS.skip],
    [commandKey('release'), WORDS.release],
    [commandKey('last'), WORDS.last],
    [commandKey('list'), WORDS.list],
    ['[ / ]', WORDS.round],
    ['I', WORDS.guideline],
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
        <KeyRows rows={rows} />
      </table>
      <p className="buttons">
        <button type="button" onClick={onClose}>
          {WORDS.close}
        </button>
      </p>
    </Modal>
  )
}
