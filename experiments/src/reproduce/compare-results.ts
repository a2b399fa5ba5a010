/**
 * Two texts are equal if their words are equal and each number is near the other. Exponentials and logarithms differ
 * between processors in the last bit, and a bound at its threshold may then fall on the other side: a few of some
 * thousand decisions change, and with them the last digit of a share.
 */
const LAST_DIGITS = 2
const RELATIVE = 0.01

const NUMBER = /-?(?:\d+\.?\d*|\.\d+)/g

/** The first lines that differ, or null. Column widths do not count. */
export function firstDifference(stored: string, made: string): string | null {
  const [before, after] = [stored.split('\n'), made.split('\n')]
  const count = Math.max(before.length, after.length)
  for (let at = 0; at < count; at++) {
    const [left, right] = [before[at], after[at]]
    if (left === undefined || right === undefined || !isSameLine(left, right)) {
      return `line ${at + 1}:\n- ${left ?? '(no such line)'}\n+ ${right ?? '(no such line)'}`
    }
  }
  return null
}

export function isSameLine(left: string, right: string): boolean {
  if (left === right) return true
  if (wordsOf(left) !== wordsOf(right)) return false
  const numbers = right.match(NUMBER) ?? []
  return (left.match(NUMBER) ?? []).every((number, at) => isNear(number, numbers[at]!))
}

function wordsOf(line: string): string {
  return line.replaceAll(NUMBER, '#').replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---').replaceAll('+#', '#')
}

function isNear(left: string, right: string): boolean {
  const digits = Math.min(decimalsOf(left), decimalsOf(right))
  // An integer is a count or a seed, so it must be exact.
  if (decimalsOf(left) === 0 && decimalsOf(right) === 0) return left === right
  const allowed = Math.max(LAST_DIGITS * 10 ** -digits, RELATIVE * Math.abs(Number(left)))
  return Math.abs(Number(left) - Number(right)) <= allowed * (1 + 1e-9)
}

function decimalsOf(number: string): number {
  return number.split('.')[1]?.length ?? 0
}
