import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@quorate/certificate'
import { CHAOS_KEYS } from '../chaos/chaos-panel.ts'
import { runHere as runCommandHere } from '../chaos/killed-command.ts'

/** The command line. It runs from the sources if told to, otherwise from `dist`, which must exist. */
export const BIN = resolve(import.meta.dirname, '../../bin/quorate.js')

const AWAKE_MS = 3000

export interface Place {
  readonly folder: string
  /** URL of the database. */
  readonly store: string
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>
  /** The bundle of a built package, as users have it. Absent: the sources, which take longer to start. */
  readonly bin?: string
}

export interface FleetOptions extends Place {
  readonly workers: number
  readonly args?: readonly string[]
}

/** Supervised worker processes: one that is killed is started again. */
export interface Fleet {
  /** Kills one that is not frozen with kill -9, and starts another in its place. */
  kill(random: Random): Promise<void>
  /** Stops one with SIGSTOP for this long, then lets it continue. */
  freeze(milliseconds: number): Promise<void>
  /** How often workers were killed or frozen so far. */
  harm(): { readonly kills: number; readonly freezes: number }
  /** Process ids of the running workers. */
  pids(): readonly number[]
  /** Resolves when this many have reported that they are ready. */
  ready(workers: number): Promise<void>
  /** Asks all to end, and returns how each of them ended. */
  stop(): Promise<readonly (number | null)[]>
  /** Kills those that are still running. */
  end(): void
  /** The output of all workers. */
  output(): string
}

/** The compile cache that all tests share, so that later processes start faster. */
export function compiledIn(folder: string) {
  return { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? `${folder}/compiled` } as const
}

/** Runs a command in a process of its own. */
export function startQuorate({ folder, store, env, bin }: Place, args: readonly string[]): ChildProcess {
  const own = { QUORATE_STORE: store, XDG_CONFIG_HOME: `${folder}/home`, ...compiledIn(folder) }
  const node = [...(bin === undefined ? ['--conditions=quorate-source', BIN] : [bin]), ...args]
  return spawn(process.execPath, node, {
    cwd: folder,
    env: { ...process.env, ...CHAOS_KEYS, ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export async function runQuorate(place: Place, args: readonly string[]) {
  const child = startQuorate(place, args)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  return { code, output }
}

/** Runs a command in the process of the tests, which has its modules loaded. One at a time. */
export function runHere({ folder, store, env }: Omit<Place, 'bin'>, args: readonly string[]) {
  return runCommandHere({ folder, args, env: { QUORATE_STORE: store, ...env } })
}

export function startFleet(options: FleetOptions): Fleet {
  const crew = startCrew(options)
  const { children, frozen } = crew
  const harm = { kills: 0, freezes: 0 }
  // Their worker may be killed too.
  process.once('exit', crew.end)
  return {
    async kill(random) {
      const free = [...children.entries()].filter(([, child]) => !frozen.has(child))
      const [place, child] = free[Math.floor(random() * free.length)] ?? noWorker()
      child.kill('SIGKILL')
      await codeOf(child)
      harm.kills += 1
      children[place] = crew.start()
    },
    async freeze(milliseconds) {
      const [child = noWorker()] = children
      frozen.add(child)
      child.kill('SIGSTOP')
      harm.freezes += 1
      await sleep(milliseconds)
      child.kill('SIGCONT')
      frozen.delete(child)
      // Whatever it does now is seen.
      await sleep(AWAKE_MS)
    },
    harm: () => ({ ...harm }),
    pids: () => children.flatMap(({ pid }) => pid ?? []),
    ready: (workers) => crew.printed((output) => (output.match(/ is ready: /g)?.length ?? 0) >= workers),
    async stop() {
      for (const child of children) child.kill('SIGTERM')
      const codes = await Promise.all(children.map(codeOf))
      process.off('exit', crew.end)
      return codes
    },
    end: crew.end,
    output: crew.output,
  }
}

function startCrew(options: FleetOptions) {
  let output = ''
  const listeners = new Set<() => void>()
  const receive = (text: string) => {
    output += text
    for (const listener of listeners) listener()
  }
  const start = () => {
    const child = startQuorate(options, ['worker', '--trust-config', ...(options.args ?? [])])
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', receive)
    return child
  }
  const children = Array.from({ length: options.workers }, start)
  const printed = (isEnough: (output: string) => boolean) =>
    new Promise<void>((resolved) => {
      const listener = () => {
        if (!isEnough(output)) return
        listeners.delete(listener)
        resolved()
      }
      listeners.add(listener)
      listener()
    })
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  return { children, frozen: new Set<ChildProcess>(), start, end, printed, output: () => output }
}

/** Exit code; null: the process was ended by a signal. */
async function codeOf(child: ChildProcess): Promise<number | null> {
  const isOver = child.exitCode !== null || child.signalCode !== null
  return isOver ? child.exitCode : (await once(child, 'close'))[0]
}

function noWorker(): never {
  throw new Error('there is no worker')
}

/** Writes the rate of a provider into the config of a folder. */
export function limitRate(
  folder: string,
  { host, perSecond }: { readonly host: string; readonly perSecond: number },
): void {
  const path = join(folder, 'quorate.config.json')
  const config = JSON.parse(readFileSync(path, 'utf8'))
  const perProvider = { [host]: { requestsPerMinute: perSecond * 60 } }
  writeFileSync(path, JSON.stringify({ ...config, limits: { ...config.limits, concurrency: 16, perProvider } }))
}
