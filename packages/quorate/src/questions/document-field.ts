import { FileError } from '../files/file-error.ts'
import { LIMITS } from '../record/limits.ts'
import type { Question } from '../record/question.ts'
import type { ReadPlace } from './read-question.ts'

/** A field that is asked about each document of a file. */
export interface DocumentField {
  readonly name: string
  /** The question above the text of the document. */
  readonly question: string
}

/** The question about one field of a document. */
export function fieldQuestion(document: Question, { name, question }: DocumentField): Question {
  return { ...document, id: fieldId(document.id, name), question: `${question}\n\n${document.question}` }
}

/** The name of a field. It cannot contain the `#` of an ID. */
export const FIELD_NAME = /^[\p{L}\p{N}_-]{1,64}$/u

/** The ID of the question about one field of a document. */
export function fieldId(documentId: string, name: string): string {
  return `${documentId}#${name}`
}

/** Whether the ID may be that of the question about a field of the document. */
export function isFieldOf(documentId: string, id: string): boolean {
  const begin = fieldId(documentId, '')
  return id.startsWith(begin) && FIELD_NAME.test(id.slice(begin.length))
}

/** Refuses a document that would be too long to store or to ask once the field is added. */
export function checkFieldLength(document: Question, field: DocumentField, place: ReadPlace): void {
  const { id, question } = fieldQuestion(document, field)
  refuseLonger(id.length, LIMITS.name, place('id'), `"#${field.name}"`)
  refuseLonger(question.length, LIMITS.text, place('question'), `the question of field ${field.name}`)
}

function refuseLonger(length: number, most: number, place: string, added: string): void {
  if (length <= most) return
  throw new FileError(`${place} must be a text of at most ${most} characters together with ${added}, got ${length}`)
}
