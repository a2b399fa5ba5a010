import { useQueryClient } from '@tanstack/react-query'
import type { MonitorView, PolicyState } from 'quorate/contract'
import { useState } from 'react'
import { request } from '../../api/client.ts'
import { Modal } from '../../parts/modal.tsx'
import { NoteForm } from '../../parts/note-form.tsx'

/**
 * Suspends the policy, or releases it. Both need a note, which the ledger keeps. An open dialog never changes its action:
 * an alarm that arrives while the note is written must not turn a suspension into a release.
 */
export function PolicyButton({ view }: { readonly view: MonitorView }) {
  const [opened, setOpened] = useState<MonitorView['policy'] | null>(null)
  const queries = useQueryClient()
  const { state, cause, since } = opened ?? view.policy
  if (state === 'none') return null
  const isSuspended = state === 'suspended'
  const isShadow = cause === 'shadow'
  const last = view.periods.at(-1)?.number ?? 0
  const close = () => setOpened(null)
  const send = async (note: string) => {
    const released = { note, ...(since === null ? {} : { since }) }
    const body = isSuspended ? released : { note }
    await request<PolicyState>(`/v1/policy/${isSuspended ? 'release' : 'suspend'}`, { method: 'POST', body })
    // The form closes only once the page shows the new state.
    await queries.invalidateQueries({ queryKey: ['monitor'] })
    close()
  }
  return (
    <>
      <button type="button" className={isSuspended ? 'primary' : ''} onClick={() => setOpened(view.policy)}>
        {isShadow ? 'Act…' : isSuspended ? 'Release…' : 'Suspend…'}
      </button>
      <Modal
        title={isShadow ? 'End shadow mode and act?' : isSuspended ? 'Release the policy?' : 'Suspend acting?'}
        isOpen={opened !== null}
        onClose={close}
      >
        <p>
          {isSuspended
            ? `Period ${last + 1} begins. Tests restart. ${staysText(last)}`
            : `From the next question on everything goes to people. Reviews and spot checks continue. The figures of period ${Math.max(1, last)} stay.`}
        </p>
        <NoteForm
          label={isShadow ? 'Why may it act?' : isSuspended ? 'Why may it act again?' : 'Why?'}
          action={isShadow ? 'Act' : isSuspended ? 'Release' : 'Suspend'}
          sending="Sending …"
          send={send}
          close={close}
        />
      </Modal>
    </>
  )
}

function staysText(last: number): string {
  if (last === 0) return 'All figures stay.'
  return last === 1 ? 'Period 1 stays.' : `Periods 1 to ${last} stay.`
}
