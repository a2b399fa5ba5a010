import { hash } from 'node:crypto'
import { seededRandom } from '@quorate/certificate'
import type { RunWorld } from '../run/run-to-end.ts'
import { timeOrderedIds } from '../store/time-ordered-id.ts'
import type { PageFrame } from '../text/page-frame.ts'
import type { DemoCommands } from './demo-page.ts'
import type { DemoSizes } from './demo-questions.ts'

export interface DemoOptions {
  /** Seed of everything drawn in the demo. */
  readonly seed: number
  /** Largest share of questions on which the panel may act wrongly. */
  readonly beta: number
  /** New questions of another mix than those calibrated on. */
  readonly shift: boolean
  /** Where everything is left. */
  readonly folder: string
  readonly sizes: DemoSizes
  /** From the folder to the JSON Schema of the config, for editors. */
  readonly schemaPath: string
  readonly packageVersion: string
  /** For the report. */
  readonly threads: number
  readonly commands: DemoCommands
  readonly world: RunWorld
}

/** Where the demo is seen. */
export interface DemoStage {
  readonly page: PageFrame
  /** A section and an empty line after it; `open`: more lines of it follow. */
  readonly print: (lines: readonly string[], end?: 'open') => void
  /** What is being done, for the person who waits. */
  readonly log: (text: string) => void
}

/** Enough for a certificate that acts, and few enough for a result within seconds. */
export const DEMO_SIZES: DemoSizes = Object.freeze({ labelled: 1500, fresh: 600 })

/** Apart from the streams of questions. */
const IDENTITY_STREAM = 0x9e3779b9
/** Ids of a demo begin with the same day, whenever it runs: nothing is ordered by them. */
const ID_DAY = Date.UTC(2026, 0, 1)

/** Ids and the key of the spot checks, from the seed: a demo orders and samples the same questions every time. */
export function seededIdentity(seed: number) {
  let at = ID_DAY
  const random = seededRandom((seed ^ IDENTITY_STREAM) >>> 0)
  return {
    newId: timeOrderedIds({ now: () => ++at, random }),
    newKey: () => hash('sha256', `quorate demo ${seed}`),
  }
}
