import { FileError } from '../files/file-error.ts'
import { readLines } from '../files/read-lines.ts'
import { plainText } from '../report/plain-text.ts'
import type { Run, Store, StoredDebate } from '../store/store.ts'
import type { RecordedDebate } from './calibration-panels.ts'
import { pages } from './pages.ts'

/** The debates of a JSONL file. */
export async function* debatesOfFile(path: string): AsyncGenerator<RecordedDebate> {
  let line = 0
  for await (const text of readLines(path)) {
    line += 1
    if (text.trim() === '') continue
    yield { value: parsed(text, `${plainText(path)}: line ${line}`), place: `line ${line}` }
  }
}

/**
 * The debates of a run, labelled by their question or by a later label. Of a run that decided only those count that were
 * drawn, and labels of deferrals never do: what was deferred is no draw from the population.
 */
export async function* debatesOfRun(store: Store, run: Run): AsyncGenerator<RecordedDebate> {
  const drawn = run.kind === 'decide' ? await drawnOf(store, run.id) : null
  for await (const { questionId, debate, status } of storedDebates(store, run.id)) {
    const value: unknown = JSON.parse(debate)
    const place = `question ${JSON.stringify(questionId)}`
    const drop = status !== 'done' ? 'failed' : drawn !== null && !drawn.has(questionId) ? 'undrawn' : null
    if (typeof value !== 'object' || value === null) yield { value, place }
    else yield { value: await labelled(store, questionId, value), place, drop }
  }
}

async function drawnOf({ runs }: Store, runId: string): Promise<ReadonlySet<string>> {
  const drawn = new Set<string>()
  const questions = pages(
    (page) => runs.questions(runId, page),
    -1,
    ({ position }) => position,
  )
  for await (const { questionId, isDrawn } of questions) if (isDrawn) drawn.add(questionId)
  return drawn
}

export function storedDebates({ debates }: Store, runId: string): AsyncGenerator<StoredDebate> {
  return pages<StoredDebate, string | null>(
    (page) => debates.list(runId, page),
    null,
    ({ questionId }) => questionId,
  )
}

async function labelled(store: Store, questionId: string, debate: object): Promise<unknown> {
  if ('gold' in debate && debate.gold !== null) return debate
  const labels = await store.labels.of(questionId)
  const last = labels.findLast(({ source }) => source !== 'deferral')
  return last === undefined ? debate : { ...debate, gold: last.gold }
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new FileError(`${place} must be one JSON object, got ${JSON.stringify(plainText(text).slice(0, 60))}`, {
      cause,
    })
  }
}
