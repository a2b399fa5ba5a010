import process from 'node:process'
import { ComputeEngine } from '@cortex-js/compute-engine'

/* The process behind `isSameMath`. A comparison may take any time, and only a process can be killed. */

const engine = new ComputeEngine()

process.on('message', ({ id, one, other }: { readonly id: number; readonly one: string; readonly other: string }) => {
  process.send?.({ id, isSame: isSame(one, other) })
})

/**
 * An expression that cannot be parsed equals nothing but itself. Each comparison has its own scope, because comparing
 * `x:=3` assigns x, and `2x` would be 6 in every later question.
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
