import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DebateRow, RequestedReviews } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { useState } from 'react'
import { request } from '../../api/client.ts'
import { useSession } from '../../api/queries.ts'
import { AssignDialog } from '../../parts/assign-dialog.tsx'
import { ExportLink } from '../../parts/export-link.tsx'

/** Actions on several debates at once. */
export function useBulk() {
  const session = useSession().data
  const client = useQueryClient()
  const [isAssigning, setAssigning] = useState(false)
  const [news, setNews] = useState('')
  const sending = useMutation({
    mutationFn: (rows: readonly DebateRow[]) =>
      request<RequestedReviews>('/v1/reviews/request', { method: 'POST', body: { debates: debateIds(rows) } }),
    onSuccess: (sent) => {
      setNews(sentText(sent))
      for (const queryKey of [['reviews'], ['debates'], ['monitor']]) void client.invalidateQueries({ queryKey })
    },
    onError: (error) => setNews(error.message),
  })
  const isReviewer = session !== undefined && session.role !== 'viewer'
  return {
    canSend: isReviewer,
    canAssign: session?.role === 'admin',
    send: (rows: readonly DebateRow[]) => sending.mutate(rows),
    isSending: sending.isPending,
    isAssigning,
    setAssigning,
    news,
    setNews,
  }
}

/** No action here labels debates, because a label is evidence. */
export function BulkBar({
  rows,
  bulk,
  clear,
}: {
  readonly rows: readonly DebateRow[]
  readonly bulk: ReturnType<typeof useBulk>
  readonly clear: () => void
}) {
  return (
    <>
      <p role="status" className="small bulk-news">
        {bulk.news}
      </p>
      {rows.length === 0 ? null : (
        <section className="bulk" aria-label="Selected debates">
          <strong aria-live="polite">{countText(rows.length)} selected</strong>
          {bulk.canSend ? (
            <button type="button" disabled={bulk.isSending} onClick={() => bulk.send(rows)}>
              Send to review <kbd>S</kbd>
            </button>
          ) : null}
          {bulk.canAssign ? (
            <button type="button" onClick={() => bulk.setAssigning(true)}>
              Assign … <kbd>A</kbd>
            </button>
          ) : null}
          <ExportLink label="Export" chosen={rows} />
          <button type="button" className="quiet" onClick={clear}>
            Clear <kbd>Esc</kbd>
          </button>
        </section>
      )}
      <AssignDialog
        of={{ debates: debateIds(rows) }}
        count={rows.length}
        isOpen={bulk.isAssigning}
        close={() => bulk.setAssigning(false)}
        done={bulk.setNews}
      />
    </>
  )
}

function debateIds(rows: readonly DebateRow[]) {
  return rows.map(({ runId, questionId }) => ({ runId, questionId }))
}

/** “3 sent to review. 2 wait for review already, or were reviewed.” */
function sentText({ added, known, undecided }: RequestedReviews): string {
  const parts = [
    `${countText(added)} sent to review.`,
    known === 0
      ? ''
      : `${countText(known)} ${known === 1 ? 'waits' : 'wait'} for review already, or ${known === 1 ? 'was' : 'were'} reviewed.`,
    undecided === 0 ? '' : `${countText(undecided)} ${undecided === 1 ? 'has' : 'have'} no decision to review.`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}
