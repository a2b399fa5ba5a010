import { useMutation } from '@tanstack/react-query'
import type { DebateRow } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { requestFile } from '../api/client.ts'
import { Icon } from './icons.tsx'

interface ExportLinkProps {
  readonly label: string
  /** Exports only the debates that this filter finds. */
  readonly filter?: Readonly<Record<string, string>>
  /** Exports only these debates. */
  readonly chosen?: readonly DebateRow[]
  /** The number of rows, and how many of them have no answer yet. */
  readonly answers?: { readonly rows: number; readonly waiting: number } | undefined
  /** Whether there are more rows than were counted. */
  readonly isCut?: boolean
}

const FORMATS = ['csv', 'jsonl'] as const

/** Downloads answers as a file: input columns, answer, who gave it, decision and certificate. */
export function ExportLink({ label, filter = {}, chosen, answers, isCut = false }: ExportLinkProps) {
  const saving = useMutation({
    mutationFn: async (format: (typeof FORMATS)[number]) => {
      const file =
        chosen === undefined
          ? await requestFile(`/v1/export/answers?${new URLSearchParams({ ...filter, format })}`)
          : await requestFile('/v1/export/answers', {
              format,
              debates: chosen.map(({ runId, questionId }) => ({ runId, questionId })),
            })
      save(file, `answers.${format}`)
    },
  })
  return (
    <details className="menu">
      <summary className="button quiet">
        <Icon name="export" /> {saving.isPending ? 'Exporting …' : label}{' '}
        {answers === undefined ? null : (
          <span className="count">
            {countText(answers.rows)}
            {isCut ? '+' : ''}
          </span>
        )}
      </summary>
      <div className="menu-items">
        {answers === undefined ? null : <p className="small soft">{rowsSentence(answers, isCut)}</p>}
        {FORMATS.map((format) => (
          <button key={format} type="button" disabled={saving.isPending} onClick={() => saving.mutate(format)}>
            {format.toUpperCase()}
          </button>
        ))}
        {saving.isError ? (
          <p className="bad" role="alert">
            {saving.error.message}
          </p>
        ) : null}
      </div>
    </details>
  )
}

function rowsSentence({ rows, waiting }: { readonly rows: number; readonly waiting: number }, isCut: boolean): string {
  if (rows === 0) return 'Nothing to export.'
  const all = `${isCut ? 'More than ' : ''}${countText(rows)} ${rows === 1 ? 'row' : 'rows'}.`
  if (waiting === 0) return `${all} Each has an answer.`
  return `${all} ${countText(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for review and ${waiting === 1 ? 'has' : 'have'} no answer yet.`
}

/** Lets the browser save the file like any download. */
function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
