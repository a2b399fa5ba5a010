import '../../style/note-form.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { DecisionView, QuestionInput } from 'quorate/contract'
import { deferText } from 'quorate/record'
import { type FormEvent, useId, useState } from 'react'
import { request } from '../../api/client.ts'
import { useSettings } from '../../api/queries.ts'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Mark } from '../../parts/mark.tsx'
import { Modal } from '../../parts/modal.tsx'

const WAIT_S = 30

/** Sends one question to the panel and shows the decision. */
export function AskButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask a question…
      </button>
      <Modal title="Ask a question" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Asking close={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function Asking({ close }: { readonly close: () => void }) {
  const id = useId()
  const [question, setQuestion] = useState('')
  const [options, setOptions] = useState('')
  const labels = useSettings().data?.labels
  const asking = useMutation({
    mutationFn: () => {
      const own = options.split('\n').map((line) => line.trim())
      const body: QuestionInput = {
        question: question.trim(),
        ...(labels === null || labels === undefined ? { options: own.filter((line) => line !== '') } : {}),
      }
      return request<DecisionView>('/v1/decisions', { method: 'POST', body })
    },
  })
  if (asking.data !== undefined) return <Answer begun={asking.data} close={close} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (question.trim() !== '') asking.mutate()
  }
  return (
    <form className="note-form" onSubmit={submit}>
      <label htmlFor={`${id}-question`}>Question</label>
      <textarea
        id={`${id}-question`}
        rows={4}
        required
        value={question}
        onChange={({ target }) => setQuestion(target.value)}
      />
      {labels === null ? (
        <>
          <label htmlFor={`${id}-options`}>Options, one per line</label>
          <textarea
            id={`${id}-options`}
            rows={4}
            required
            value={options}
            onChange={({ target }) => setOptions(target.value)}
          />
        </>
      ) : null}
      {asking.isError ? (
        <p className="bad" role="alert">
          {asking.error.message}
        </p>
      ) : null}
      <p className="buttons">
        <button type="submit" className="primary" disabled={asking.isPending || labels === undefined}>
          {asking.isPending ? 'Asking …' : 'Ask'}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  )
}

function Answer({ begun, close }: { readonly begun: DecisionView; readonly close: () => void }) {
  const view = useQuery({
    queryKey: ['decision', begun.id],
    queryFn: ({ signal }) =>
      request<DecisionView>(`/v1/decisions/${encodeURIComponent(begun.id)}?wait=${WAIT_S}`, { signal }),
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data) ? 1000 : false),
  })
  const now = view.data ?? begun
  return (
    <>
      <p role="status">
        {view.isError ? view.error.message : isOpen(now) ? 'The panel debates …' : <Outcome view={now} />}
      </p>
      <p className="buttons">
        <button type="button" onClick={close}>
          Close
        </button>
        <a className="button" href={linkTo('debates', [now.runId, now.questionId])}>
          Open the debate
        </a>
      </p>
    </>
  )
}

function isOpen({ status }: DecisionView): boolean {
  return status === 'pending' || status === 'running'
}

function Outcome({ view: { decision, isHidden, status } }: { readonly view: DecisionView }) {
  if (isHidden) return 'Decided. It is hidden until it is reviewed.'
  if (decision === null) return status === 'failed' ? 'It could not be decided.' : 'Decided.'
  if (decision.kind === 'act') {
    return (
      <>
        <Mark name="act" /> Acts in round {decision.round} with{' '}
        <strong>
          <DataText text={decision.answerText ?? decision.answer ?? ''} />
        </strong>
        .
      </>
    )
  }
  return (
    <>
      <Mark name="defer" /> Goes to a person: {deferText(decision.reason ?? '')}.
    </>
  )
}
