import { FileError } from './file-error.ts'

/**
 * Refuses questions where debates are expected, and names the command that debates them. `place` names the file and the line.
 */
export function refuseQuestions(value: unknown, place: string): void {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'rounds')) return
  if (!Object.hasOwn(value, 'question') || !Object.hasOwn(value, 'options')) return
  throw new FileError(
    `${place}: rounds is missing. These look like questions. Debate them first with "quorate debate FILE"`,
  )
}
