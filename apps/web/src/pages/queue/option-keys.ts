/**
 * The key of each option, null where it has none: the first letter of its name if no other option begins with it; else
 * its place, 1-9 and 0. Digits are names where every option begins with one of its own ("0", "1", "2"), else places.
 */
export function optionKeys(names: readonly string[]): readonly (string | null)[] {
  const letters = names.map(firstLetter)
  const isOwn = (letter: string) => letters.filter((other) => other === letter).length === 1
  const hasDigitNames = letters.every((letter) => /^\d$/.test(letter) && isOwn(letter))
  return names.map((_, index) => {
    const letter = letters[index] ?? ''
    if (isOwn(letter) && (hasDigitNames || /^\p{L}$/u.test(letter))) return letter
    return hasDigitNames ? null : placeKey(index)
  })
}

/** Which option a key without Shift selects; a place counts beside a letter. */
export function optionOfKey(names: readonly string[], key: string): number | null {
  const keys = optionKeys(names)
  const named = keys.indexOf(key.toLowerCase())
  if (named >= 0) return named
  if (keys.every((own) => own !== null && /^\d$/.test(own))) return null
  const place = names.findIndex((_, index) => placeKey(index) === key)
  return place >= 0 ? place : null
}

/** 1-9, then 0 for the tenth. */
function placeKey(index: number): string | null {
  return index < 10 ? String((index + 1) % 10) : null
}

function firstLetter(name: string): string {
  return [...name.trim()][0]?.toLowerCase() ?? ''
}
