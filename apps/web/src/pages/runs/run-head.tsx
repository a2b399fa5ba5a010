const COLUMNS = {
  run: 'Run',
  certificate: 'Certificate',
  progress: 'Progress',
  questions: 'Questions',
  decided: 'Act / defer',
  failed: 'Failed',
  spotChecks: 'Spot checks',
  cost: 'Cost',
  export: 'Export',
} as const

type Column = keyof typeof COLUMNS

const TEXTS: ReadonlySet<Column> = new Set<Column>(['run', 'certificate', 'progress', 'export'])
/** Columns whose content needs no visible name. */
const UNNAMED: ReadonlySet<Column> = new Set<Column>(['progress', 'export'])

/** The header row of a table of runs. */
export function RunHead({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col" className={TEXTS.has(column) ? undefined : 'number'}>
            {UNNAMED.has(column) ? <span className="hidden">{COLUMNS[column]}</span> : COLUMNS[column]}
          </th>
        ))}
      </tr>
    </thead>
  )
}
