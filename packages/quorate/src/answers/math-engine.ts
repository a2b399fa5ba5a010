import type { ChildProcess } from 'node:child_process'
import { forkBeside } from '../files/fork-beside.ts'

/**
 * Part of the fingerprint, because another version may find other expressions equal. A test compares it with the
 * installed version.
 */
export const MATH_ENGINE = '@cortex-js/compute-engine 0.27.0'

/** Longer expressions are not compared. */
const LONGEST = 2000
const TIME_OUT_MS = 10_000
const MOST_KNOWN = 10_000

/** Results by content: the same two texts are compared once. */
const known = new Map<string, Promise<boolean>>()
const waiting = new Map<number, { readonly finish: (isSame: boolean) => void }>()
let child: ChildProcess | null = null
let asked = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * Whether two LaTeX expressions are equal, as far as the engine can show it. Comparisons run one after the other in a
 * separate process. A comparison that takes too long counts as not equal: the process is killed, and the next
 * comparison starts another.
 */
export function isSameMath(one: string, other: string): Promise<boolean> {
  if (one === other) return Promise.resolve(true)
  if (one.length > LONGEST || other.length > LONGEST) return Promise.resolve(false)
  const key = JSON.stringify([one, other])
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= MOST_KNOWN) known.clear()
  const compared = last.then(() => compare(one, other))
  // If no process could be started, the next comparison tries again.
  last = compared.catch(() => known.delete(key))
  known.set(key, compared)
  return compared
}

function compare(one: string, other: string): Promise<boolean> {
  const id = asked++
  const running = engineProcess()
  return new Promise((resolve) => {
    const timer = setTimeout(() => running.kill('SIGKILL'), TIME_OUT_MS)
    running.channel?.ref()
    waiting.set(id, {
      finish(isSame) {
        clearTimeout(timer)
        waiting.delete(id)
        // No comparison is pending, so this process may exit.
        if (waiting.size === 0) running.channel?.unref()
        resolve(isSame)
      },
    })
    running.send({ id, one, other })
  })
}

function engineProcess(): ChildProcess {
  if (child !== null) return child
  const started = forkBeside(import.meta.url, 'math-process')
  started.on('message', ({ id, isSame }: { readonly id: number; readonly isSame: boolean }) => {
    waiting.get(id)?.finish(isSame)
  })
  const ended = () => {
    if (child === started) child = null
    for (const { finish } of [...waiting.values()]) finish(false)
  }
  started.once('exit', ended).on('error', ended)
  started.unref()
  child = started
  return started
}
