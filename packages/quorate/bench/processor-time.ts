import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of processor time; null where the system does not tell (no /proc). */
export type ProcessorMs = number | null

/** A hundredth of a second on every Linux that Node runs on. */
const TICK_MS = 10

/** Of these processes since they began. */
export function usedBy(pids: readonly number[]): ProcessorMs {
  const used = pids.map((pid) => statOf(pid)?.ownMs ?? null)
  return used.every((ms) => ms !== null) ? used.reduce((sum, ms) => sum + ms, 0) : null
}

/** Of the server that this backend belongs to, with all its processes: those that live, and those that it has seen end. */
export function usedByServer(backendPid: number): ProcessorMs {
  const server = statOf(backendPid)?.parent
  const own = server === undefined ? null : statOf(server)
  if (server === undefined || own === null) return null
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
    .filter(({ parent }) => parent === server)
  return children.reduce((sum, { ownMs }) => sum + ownMs, own.ownMs + own.endedMs)
}

interface Stat {
  readonly parent: number
  readonly ownMs: number
  /** Of its children that ended. */
  readonly endedMs: number
}

function statOf(pid: number): Stat | null {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null // no such process by now, or no /proc
  }
  // Behind the name, which may contain anything: state, parent, ..., user, system, user and system of ended children.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = (place: number) => Number(fields[place]) * TICK_MS
  return { parent: Number(fields[1]), ownMs: ticks(11) + ticks(12), endedMs: ticks(13) + ticks(14) }
}
