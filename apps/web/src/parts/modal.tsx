import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import '../style/modal.css'

interface ModalProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the page. Esc closes it, and the focus returns to where it was. */
export function Modal({ title, isOpen, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (isOpen && dialog.current?.open === false) {
      dialog.current.showModal()
      // The first button closes the dialog and changes nothing.
      dialog.current.querySelector<HTMLElement>('.buttons button')?.focus({ preventScroll: true })
    }
    if (!isOpen && dialog.current?.open === true) dialog.current.close()
  }, [isOpen])
  // The browser reports a closed dialog in a later task. The dialog may be open again by then.
  const onReportedClose = () => {
    if (dialog.current?.open === false) onClose()
  }
  return (
    <dialog ref={dialog} className="modal" aria-labelledby={id} onClose={onReportedClose}>
      <h2 id={id}>{title}</h2>
      {isOpen ? children : null}
    </dialog>
  )
}
