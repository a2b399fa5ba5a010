import { PLAIN_NAME_WORDS } from '../record/names.ts'
import { FileError } from './file-error.ts'

/** Throws if a name has control characters. `place` names the file, the line and the field. */
export function checkPlainName(name: string, place: string): void {
  const found = /[\p{Cc}\p{Cs}]/u.exec(name)
  if (found === null) return
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  throw new FileError(`${place} must be ${PLAIN_NAME_WORDS}, got U+${code} at character ${found.index + 1}`)
}

/** Checks the names of a debate that is not validated yet. The next reader refuses fields that are missing or no text. */
export function checkDebateNames(value: unknown, place: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const field of ['id', 'question_of', 'group'] as const) checkText(fieldOf(value, field), `${place}.${field}`)
  const rounds = fieldOf(value, 'rounds')
  for (const [round, turns] of Array.isArray(rounds) ? rounds.entries() : []) {
    for (const [turn, own] of Array.isArray(turns) ? turns.entries() : []) {
      if (typeof own !== 'object' || own === null) continue
      checkText(fieldOf(own, 'agent'), `${place}.rounds[${round}][${turn}].agent`)
    }
  }
}

function checkText(value: unknown, place: string): void {
  if (typeof value === 'string') checkPlainName(value, place)
}

function fieldOf(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined
}
