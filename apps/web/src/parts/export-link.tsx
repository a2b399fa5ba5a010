import { useMutation } from '@tanstack/react-query'
import { askFile } from '../api/client.ts'
import { Icon } from './icons.tsx'

interface ExportLinkProps {
  readonly label: string
  /** Only of this run. */
  readonly run?: string
}

const FORMATS = ['csv', 'jsonl'] as const

/** Answers as a file: input columns, answer, who gave it, decision and certificate. */
export function ExportLink({ label, run }: ExportLinkProps) {
  const saving = useMutation({
    mutationFn: (format: (typeof FORMATS)[number]) => {
      const query = new URLSearchParams({ format, ...(run === undefined ? {} : { run }) })
      return askFile(`/v1/export/answers?${query}`).then((file) => save(file, `answers.${format}`))
    },
  })
  return (
    <details className="menu">
      <summary className="button quiet">
        <Icon name="export" /> {saving.isPending ? 'Exporting …' : label}
      </summary>
      <div className="menu-items">
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

/** The browser saves it as it saves every download. */
function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
