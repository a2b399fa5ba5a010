import process from 'node:process'
import { ComputeEngine } from '@cortex-js/compute-engine'

/* The process behind `isSameMath`: an expression may take any time to compare, and only a process can be ended. */

const engine = new ComputeEngine()

process.on('message', ({ id, one, other }: { readonly id: number; readonly one: string; readonly other: string }) => {
  process.send?.({ id, isSame: isSame(one, other) })
})

/** What cannot be parsed is the same as nothing but itself. */
function isSame(one: string, other: string): boolean {
  try {
    const [left, right] = [engine.parse(one), engine.parse(other)]
    if (!left.isValid || !right.isValid) return false
    return left.isSame(right) || left.isEqual(right) === true
  } catch {
    return false
  }
}
