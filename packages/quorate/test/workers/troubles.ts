import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@quorate/certificate'
import type { PrivatePostgres } from '../../../../tools/postgres.ts'
import type { Fleet } from './fleet.ts'

/** A run under work, for the tests that disturb it. */
export interface Scene {
  readonly fleet: Fleet
  readonly postgres: PrivatePostgres
  isDone(): boolean
  /** Of the debates that are held by now, from 0 to 1. */
  share(): number
}

/** What is done to the workers and their database; ends when the run does, or before. */
export type Trouble = (scene: Scene) => Promise<void>

export const NO_TROUBLE: Trouble = async () => {}

/** A random worker dies every so often. */
export function killing({ everyMs = 2000, most = Number.POSITIVE_INFINITY, seed = 3 } = {}): Trouble {
  const random = seededRandom(seed)
  return async ({ fleet, isDone }) => {
    for (let killed = 0; killed < most && !isDone(); killed++) {
      await sleep(everyMs)
      if (!isDone()) await fleet.kill(random)
    }
  }
}

/** Longer than others wait: they have its questions when it goes on. */
export function freezing({ forMs }: { readonly forMs: number }): Trouble {
  return ({ fleet }) => fleet.freeze(forMs)
}

/** The database ends as in a power cut, and is started again. */
export const restarting: Trouble = ({ postgres }) => postgres.restart()

export function after(milliseconds: number, trouble: Trouble): Trouble {
  return async (scene) => {
    await sleep(milliseconds)
    if (!scene.isDone()) await trouble(scene)
  }
}

/** When so much of the run is over. */
export function whenDone(share: number, trouble: Trouble): Trouble {
  return async (scene) => {
    while (scene.share() < share && !scene.isDone()) await sleep(200)
    if (!scene.isDone()) await trouble(scene)
  }
}

export function atOnce(...troubles: readonly Trouble[]): Trouble {
  return async (scene) => {
    await Promise.all(troubles.map((trouble) => trouble(scene)))
  }
}

export function inTurn(...troubles: readonly Trouble[]): Trouble {
  return async (scene) => {
    for (const trouble of troubles) if (!scene.isDone()) await trouble(scene)
  }
}
