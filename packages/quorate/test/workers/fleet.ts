import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Random } from '@quorate/certificate'
import { CHAOS_KEYS } from '../chaos/chaos-panel.ts'

const BIN = resolve(import.meta.dirname, '../../bin/quorate.js')

export interface FleetOptions {
  readonly folder: string
  readonly store: string
  readonly workers: number
  readonly args?: readonly string[]
}

/** Worker processes that somebody looks after: one that is killed is started again. */
export interface Fleet {
  /** Ends one of them with kill -9 and starts another in its place. */
  kill(random: Random): Promise<void>
  /** Stops one as it is for so long, and lets it go on. */
  freeze(milliseconds: number): Promise<void>
  /** Asks all to end; how each of them did. */
  stop(): Promise<readonly (number | null)[]>
  /** All that they wrote. */
  said(): string
}

/** A command of ours in a process of its own. */
export function startQuorate(options: Pick<FleetOptions, 'folder' | 'store'>, args: readonly string[]): ChildProcess {
  const env = { ...process.env, ...CHAOS_KEYS, QUORATE_STORE: options.store, XDG_CONFIG_HOME: `${options.folder}/home` }
  const node = ['--conditions=quorate-source', BIN, ...args]
  return spawn(process.execPath, node, { cwd: options.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

export async function runQuorate(options: Pick<FleetOptions, 'folder' | 'store'>, args: readonly string[]) {
  const child = startQuorate(options, args)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
  const [code] = await once(child, 'close')
  return { code, said }
}

export function startFleet(options: FleetOptions): Fleet {
  let said = ''
  const start = () => {
    const child = startQuorate(options, ['worker', '--trust-config', ...(options.args ?? [])])
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        said += text
      })
    }
    return child
  }
  const children = Array.from({ length: options.workers }, start)
  const ended = (child: ChildProcess) =>
    child.exitCode === null ? once(child, 'close') : Promise.resolve([child.exitCode])
  return {
    async kill(random) {
      const place = Math.floor(random() * children.length)
      const child = children[place]
      if (child === undefined) throw new Error('there is no worker')
      child.kill('SIGKILL')
      await ended(child)
      children[place] = start()
    },
    async freeze(milliseconds) {
      const [child] = children
      child?.kill('SIGSTOP')
      await new Promise((resolved) => setTimeout(resolved, milliseconds))
      child?.kill('SIGCONT')
    },
    async stop() {
      for (const child of children) child.kill('SIGTERM')
      return Promise.all(children.map(async (child) => (await ended(child))[0]))
    },
    said: () => said,
  }
}
