import type { RegradeSample } from '../exchange/regrade-sample.ts'
import { isModelGraded, readRegrades, withRegrades } from '../exchange/regrades.ts'
import { RunError } from '../run-plan.ts'
import type { RecordedDebate } from './calibration-debates.ts'

export interface Audited {
  /** CSV file with the grades of people; undefined: there is none. */
  readonly file: string | undefined
  /** Id of the run of the debates; empty for a file. */
  readonly key: string
  /** The sample that people grade. */
  readonly sample: RegradeSample
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

/** `audits` in the debates themselves count if people graded all of them again, or the whole sample. */
async function* refuseUnaudited(
  debates: AsyncIterable<RecordedDebate>,
  { sample, source }: { readonly sample: RegradeSample; readonly source: string },
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
  const sampled = again.size === 0 ? null : await sample.read()
  if (sampled !== null && sampled.length === again.size && sampled.every((id) => again.has(id))) return
  const some =
    again.size === 0 ? '' : ` People graded ${again.size} of them again, but these are not a recorded random sample.`
  throw new RunError(
    `a model graded ${graded} of these debates, and its error is part of the promise.${some} Let people grade a random sample ` +
      `again (quorate grade ${source} --sample 200 --out regrade.csv), then repeat this with --regrades regrade.csv`,
  )
}

function isGradedByModel(value: object): boolean {
  return 'grades' in value && Array.isArray(value.grades) && isModelGraded({ grades: value.grades })
}

function idOf(value: object): string {
  return 'id' in value ? String(value.id) : ''
}
