import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@quorate/certificate'
import type { PrivatePostgres } from '../../../../tools/postgres.ts'
import type { Fleet } from './fleet.ts'

/** A run in progress, for tests that disturb it. */
export interface Scene {
  readonly fleet: Fleet
  readonly postgres: PrivatePostgres
  isDone(): boolean
  /** Share of finished debates, from 0 to 1. */
  share(): number
}

/** Disturbs the workers and their database. Ends with the run or earlier. */
export type Trouble = (scene: Scene) => Promise<void>

export const NO_TROUBLE: Trouble = async () => {}

/** Kills a random worker at regular intervals. */
export function killing({ everyMs = 2000, most = Number.POSITIVE_INFINITY, seed = 3 } = {}): Trouble {
  const random = seededRandom(seed)
  return async ({ fleet, isDone }) => {
    for (let killed = 0; killed < most && !isDone(); killed++) {
      await sleep(everyMs)
      if (!isDone()) await fleet.kill(random)
    }
  }
}

/** Freezes a worker for longer than others wait, so they have its questions when it continues. */
export function freezing({ forMs }: { readonly forMs: number }): Trouble {
  return ({ fleet }) => fleet.freeze(forMs)
}

/** Ends the database as in a power cut, and starts it again. */
export const restarting: Trouble = ({ postgres }) => postgres.restart()

export function after(milliseconds: number, trouble: Trouble): Trouble {
  return async (scene) => {
    await sleep(milliseconds)
    if (!scene.isDone()) await trouble(scene)
  }
}

/** Waits until this share of the run is done. */
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
