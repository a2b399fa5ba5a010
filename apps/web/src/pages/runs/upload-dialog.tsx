import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MonitorView, QuestionInput, SettingsView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useMonitor, useSettings } from '../../api/queries.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Modal } from '../../parts/modal.tsx'
import { moneyText } from '../../parts/number-text.ts'
import { type CsvTable, readCsv } from './csv-text.ts'
import {
  type ColumnChoice,
  decidedBefore,
  guessColumns,
  optionsOf,
  questionsOf,
  type Sent,
  sendQuestions,
} from './upload-questions.ts'

const SHOWN = 5

/** Uploads a CSV file: map its columns, check the preview and the cost, start. */
export function UploadButton({ isMain }: { readonly isMain: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={isMain ? 'primary' : ''} onClick={() => setOpen(true)}>
        Upload…
      </button>
      <Modal title="Upload questions" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Upload close={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function Upload({ close }: { readonly close: () => void }) {
  const [read, setRead] = useState<{ readonly number: number; readonly table: CsvTable } | null>(null)
  const [why, setWhy] = useState<string | null>(null)
  const settings = useSettings().data
  const open = async (file: File | undefined) => {
    if (file === undefined) return
    const found = readCsv(await file.text())
    setWhy(found.kind === 'refused' ? found.why : null)
    // Another file may have the same name, so files are numbered.
    setRead((before) => (found.kind === 'read' ? { number: (before?.number ?? 0) + 1, table: found.table } : null))
  }
  return (
    <div className="upload">
      <label>
        CSV file, its first line names the columns{' '}
        <input type="file" accept=".csv,text/csv" onChange={({ target }) => void open(target.files?.[0])} />
      </label>
      {why === null ? null : (
        <p className="bad" role="alert">
          <DataText text={why} />
        </p>
      )}
      {read === null || settings === undefined ? (
        <p className="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
        </p>
      ) : (
        <Mapped key={read.number} table={read.table} settings={settings} close={close} />
      )}
    </div>
  )
}

function Mapped({
  table,
  settings,
  close,
}: {
  readonly table: CsvTable
  readonly settings: SettingsView
  readonly close: () => void
}) {
  const [choice, setChoice] = useState<ColumnChoice>(() => guessColumns(table))
  const hasLabels = settings.labels !== null
  const { questions, bad } = questionsOf(table, choice, hasLabels)
  const known = useQuery({
    queryKey: ['decided-before', questions.map(({ id }) => id)],
    queryFn: ({ signal }) => decidedBefore(questions, signal),
    enabled: choice.id !== null,
  }).data
  const fresh = questions.filter(({ id }) => id === undefined || known?.has(id) !== true)
  const change = (part: Partial<ColumnChoice>) => setChoice({ ...choice, ...part })
  return (
    <>
      <Columns table={table} choice={choice} change={change} hasLabels={hasLabels} />
      <Preview questions={questions} />
      {bad.length === 0 ? null : (
        <p className="bad" role="alert">
          {countText(bad.length)} {bad.length === 1 ? 'row is' : 'rows are'} left out: {bad.slice(0, 3).join(' ')}
        </p>
      )}
      <p>
        <strong>{countText(questions.length)}</strong> {questions.length === 1 ? 'question' : 'questions'}.{' '}
        {choice.id === null
          ? 'Without an id a second upload decides the same questions again.'
          : known === undefined
            ? 'Checking which questions were decided before …'
            : known.size === 0
              ? 'None was decided before.'
              : `${countText(known.size)} of ${countText(questions.length)} were decided before and are skipped.`}
      </p>
      <Estimate count={fresh.length} settings={settings} />
      <Start questions={fresh} isReady={choice.id === null || known !== undefined} close={close} />
    </>
  )
}

function Columns({
  table: { names },
  choice,
  change,
  hasLabels,
}: {
  readonly table: CsvTable
  readonly choice: ColumnChoice
  readonly change: (part: Partial<ColumnChoice>) => void
  readonly hasLabels: boolean
}) {
  const id = useId()
  return (
    <div className="upload-columns">
      <Column name="Question" value={choice.question} names={names} apply={(question) => change({ question })} />
      <Column name="Id" value={choice.id} names={names} apply={(found) => change({ id: found || null })} isOptional />
      <Column
        name="Group"
        value={choice.group}
        names={names}
        apply={(group) => change({ group: group || null })}
        isOptional
      />
      {hasLabels ? null : (
        <Column
          name="Options, separated by |"
          value={choice.optionColumn}
          names={names}
          apply={(optionColumn) => change({ optionColumn: optionColumn || null })}
          isOptional
          emptyText="the same for all"
        />
      )}
      {hasLabels || choice.optionColumn !== null ? null : (
        <div className="field">
          <label htmlFor={id}>Options of all questions, separated by |</label>
          <input
            id={id}
            placeholder="yes | no"
            defaultValue={choice.options.join(' | ')}
            onChange={({ target }) => change({ options: optionsOf(target.value) })}
          />
        </div>
      )}
    </div>
  )
}

interface ColumnProps {
  readonly name: string
  readonly value: string | null
  readonly names: readonly string[]
  readonly apply: (name: string) => void
  readonly isOptional?: boolean
  readonly emptyText?: string
}

function Column({ name, value, names, apply, isOptional = false, emptyText = 'no column' }: ColumnProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      <select id={id} value={value ?? ''} onChange={({ target }) => apply(target.value)}>
        {isOptional ? <option value="">{emptyText}</option> : null}
        {names.map((column) => (
          <option key={column} value={column}>
            {column}
          </option>
        ))}
      </select>
    </div>
  )
}

function Preview({ questions }: { readonly questions: readonly QuestionInput[] }): ReactNode {
  if (questions.length === 0) return null
  return (
    <table className="upload-preview">
      <caption>The first {Math.min(SHOWN, questions.length)} questions</caption>
      <thead>
        <tr>
          <th scope="col">Id</th>
          <th scope="col">Question</th>
          <th scope="col">Group</th>
        </tr>
      </thead>
      <tbody>
        {questions.slice(0, SHOWN).map(({ id, question, group }) => (
          <tr key={`${id} ${question}`}>
            <td>{id === undefined ? <span className="faint">none</span> : <DataText text={id} />}</td>
            <td className="cut">
              <DataText text={question} />
            </td>
            <td>
              {group === undefined || group === null ? <span className="faint">none</span> : <DataText text={group} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The largest number of calls, and the cost at the mean of this certificate so far. */
function Estimate({ count, settings: { panel } }: { readonly count: number; readonly settings: SettingsView }) {
  const monitor = useMonitor().data
  if (panel === null) return null
  const calls = count * panel.agents.length * panel.rounds
  return (
    <p className="small soft">
      At most {countText(calls)} calls: {questionsText(count)}, {panel.agents.length} agents, {panel.rounds} rounds.{' '}
      {monitor === undefined ? null : costText(count, monitor)}
    </p>
  )
}

function questionsText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'question' : 'questions'}`
}

function costText(count: number, { spend, automation, hidden }: MonitorView): string {
  const decided = automation.acted?.of ?? 0
  if (decided === 0 || spend.calls === 0 || spend.unpricedCalls > 0 || hidden > 0) return 'No mean cost is known yet.'
  const each = spend.committedMicroUsd / decided
  return `About ${moneyText(each * count)}, at ${moneyText(each)} a question so far.`
}

function Start({
  questions,
  isReady,
  close,
}: {
  readonly questions: readonly QuestionInput[]
  readonly isReady: boolean
  readonly close: () => void
}) {
  const [state, setState] = useState<(Sent & { readonly isDone: boolean }) | null>(null)
  const queries = useQueryClient()
  const closing = useRef<AbortController | null>(null)
  useEffect(() => () => closing.current?.abort(), [])
  const start = async () => {
    setState({ sent: 0, refused: [], isDone: false })
    const controller = new AbortController()
    closing.current = controller
    const sent = await sendQuestions(questions, {
      onSent: (now) => setState({ ...now, isDone: false }),
      signal: controller.signal,
    })
    setState({ ...sent, isDone: true })
    await queries.invalidateQueries({ queryKey: ['runs'] })
  }
  if (state === null) {
    return (
      <p className="buttons">
        <button
          type="button"
          className="primary"
          disabled={!isReady || questions.length === 0}
          onClick={() => void start()}
        >
          {questions.length === 0 ? 'Nothing to decide' : `Start ${countText(questions.length)}`}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    )
  }
  return (
    <>
      <p role="status">
        {state.isDone
          ? `Accepted ${questionsText(state.sent)}. The server continues even if you close this page.`
          : `Sent ${countText(state.sent)} of ${countText(questions.length)}. Keep this open until all are sent.`}
      </p>
      {state.refused.length === 0 ? null : (
        <p className="bad" role="alert">
          {countText(state.refused.length)} were refused. The first: <DataText text={state.refused[0] ?? ''} />
        </p>
      )}
      <p className="buttons">
        <button type="button" className={state.isDone ? 'primary' : ''} onClick={close}>
          {state.isDone ? 'Close' : 'Stop sending'}
        </button>
      </p>
    </>
  )
}
