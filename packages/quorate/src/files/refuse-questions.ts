import { FileError } from './file-error.ts'

/** Questions where debates are expected: who has not held them yet is told how. `place` names file and line. */
export function refuseQuestions(value: unknown, place: string): void {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'rounds')) return
  if (!Object.hasOwn(value, 'question') || !Object.hasOwn(value, 'options')) return
  throw new FileError(
    `${place}: rounds is missing; these look like questions: hold their debates first with "quorate debate FILE"`,
  )
}
