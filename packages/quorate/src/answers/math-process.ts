import process from 'node:process'
import { ComputeEngine } from '@cortex-js/compute-engine'

/* The process behind `isSameMath`: an expression may take any time to compare, and only a process can be ended. */

const engine = new ComputeEngine()

process.on('message', ({ id, one, other }: { readonly id: number; readonly one: string; readonly other: string }) => {
  process.send?.({ id, isSame: isSame(one, other) })
})

/**
 * What cannot be parsed is the same as nothing but itself. Each comparison has a scope of its own: to compare `x:=3` assigns, and
 * `2x` would be 6 in every later question.
 */
function isSame(one: string, other: string): boolean {
  engine.pushScope()
  try {
    const [left, right] = [engine.parse(one), engine.parse(other)]
    if (!left.isValid || !right.isValid) return false
    return left.isSame(right) || left.isEqual(right) === true
  } catch {
    return false
  } finally {
    engine.popScope()
  }
}
