import { ExportLink } from '../../parts/export-link.tsx'
import { useSummary } from '../debates/debates-queries.ts'

/** Downloads the answers of all runs. Absent while there is none. */
export function ExportAll() {
  const { answers, isCut = false } = useSummary({}, NONE_YET_MS).data ?? {}
  if (answers === undefined || answers.rows === 0) return null
  return (
    <span className="only-wide">
      <ExportLink label="Export answers" answers={answers} isCut={isCut} />
    </span>
  )
}

/** How often the first answer is looked for. */
const NONE_YET_MS = 15_000
