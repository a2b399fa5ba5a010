import type { DrawnSample } from '../exchange/drawn-sample.ts'
import { isModelGraded, readRegrades, withRegrades } from '../exchange/regrades.ts'
import { RunError } from '../run-plan.ts'
import type { RecordedDebate } from './calibration-panels.ts'

export interface Audited {
  /** CSV file with the grades of people; undefined: there is none. */
  readonly file: string | undefined
  /** Id of the run of the debates; empty for a file. */
  readonly key: string
  /** The sample that was drawn for people. */
  readonly sample: DrawnSample
  /** The argument that names the debates on the command line. */
  readonly source: string
}

/**
 * Adds the grades of people to debates that a model graded. It fails closed: without them, grades of a model certify nothing,
 * and the error says what to do.
 */
export async function audited(
  debates: AsyncIterable<RecordedDebate>,
  { file, key, sample, source }: Audited,
): Promise<AsyncIterable<RecordedDebate>> {
  if (file !== undefined) return withRegrades(debates, await readRegrades(file), { key, sample })
  return refuseUnaudited(debates, { sample, source })
}

/** `audits` in the debates themselves count if people graded all of them again, or the whole drawn sample. */
async function* refuseUnaudited(
  debates: AsyncIterable<RecordedDebate>,
  { sample, source }: { readonly sample: DrawnSample; readonly source: string },
): AsyncGenerator<RecordedDebate> {
  let graded = 0
  const again = new Set<string>()
  for await (const debate of debates) {
    const { value } = debate
    if (typeof value === 'object' && value !== null && isGradedByModel(value)) {
      graded += 1
      if ('audits' in value && Array.isArray(value.audits) && value.audits.length > 0) again.add(idOf(value))
    }
    yield debate
  }
  if (graded === again.size) return
  const drawn = again.size === 0 ? null : await sample.read()
  if (drawn !== null && drawn.length === again.size && drawn.every((id) => again.has(id))) return
  const some =
    again.size === 0
      ? ''
      : `, people graded ${again.size} of them again, and nothing says that these were drawn at random,`
  throw new RunError(
    `a model graded ${graded} of these debates${some === '' ? ', and' : `${some} and`} its error is part of the promise: let people ` +
      `grade a random sample again (quorate grade ${source} --draw 200 --out regrade.csv), then repeat this with --regrades regrade.csv`,
  )
}

function isGradedByModel(value: object): boolean {
  return 'grades' in value && Array.isArray(value.grades) && isModelGraded({ grades: value.grades })
}

function idOf(value: object): string {
  return 'id' in value ? String(value.id) : ''
}
