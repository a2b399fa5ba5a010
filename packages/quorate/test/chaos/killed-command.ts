import { once } from 'node:events'
import { join } from 'node:path'
import type { Random } from '@quorate/certificate'
import { expect } from 'vitest'
import { runMain } from '../cli/run-main.ts'
import type { FakeProvider } from '../fake-provider/fake-provider.ts'
import { type StartedCommand, type Surroundings, startCommand } from '../run/provider-folder.ts'
import { CHAOS_KEYS } from './chaos-panel.ts'

/** Runs the command line in this folder, in a process of its own. */
export interface ChaosCommand extends Surroundings {
  readonly folder: string
  readonly args: readonly string[]
}

export interface Ended {
  readonly code: number | null
  /** Both streams together. */
  readonly output: string
}

export async function runCommand(command: ChaosCommand): Promise<Ended> {
  const { child, output } = start(command)
  const [code] = await once(child, 'close')
  return { code, output: output() }
}

/** Runs the command line in the process of the tests, which has its modules loaded. One at a time. */
export async function runHere({ folder, args, env = {} }: Omit<ChaosCommand, 'under'>): Promise<Ended> {
  const own = { ...CHAOS_KEYS, XDG_CONFIG_HOME: join(folder, 'home'), ...env }
  const { status, stdout, stderr } = await runMain(args, { cwd: folder, env: own })
  return { code: status, output: stdout + stderr }
}

/** Numbers of requests at which the process of a run is killed, in order and before the last request. */
export function killMoments(kills: number, requests: number, random: Random): readonly number[] {
  return Array.from({ length: kills }, () => 1 + Math.floor(random() * 0.95 * requests)).toSorted((a, b) => a - b)
}

/** Starts the command, kills it with kill -9 at each of these numbers of requests, and resumes it until it is done. */
export async function runKilled(command: ChaosCommand, fake: FakeProvider, moments: readonly number[]): Promise<Ended> {
  for (const [index, moment] of moments.entries()) {
    const { child, output } = start(index === 0 ? command : resumed(command))
    const ended = once(child, 'close')
    // If the previous process passed this number while it died, the kill comes one request later.
    await Promise.race([fake.reached(Math.max(moment, fake.counts().requests + 1)), ended])
    child.kill('SIGKILL')
    expect(await ended, output()).toEqual([null, 'SIGKILL'])
  }
  return runCommand(resumed(command))
}

export function resumed(command: ChaosCommand): ChaosCommand {
  return { ...command, args: [...command.args, '--resume'] }
}

function start({ folder, args, env = {}, under = [] }: ChaosCommand): StartedCommand {
  return startCommand(folder, args, { env: { ...CHAOS_KEYS, ...env }, under })
}
