/** Ids, groups and names of agents: one line of text that can be shown and stored as it is. */
export const PLAIN_NAME = /^[^\p{Cc}\p{Cs}]*$/u
export const PLAIN_NAME_WORDS = 'text without control characters and halves of surrogate pairs'
export const ID_WORDS = 'any id but "." and "..", which no address can hold'

/** Every URL parser takes these out of a path, however they are escaped. */
export function isDotSegment(id: string): boolean {
  return id === '.' || id === '..'
}
