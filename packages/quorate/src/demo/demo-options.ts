import { hash } from 'node:crypto'
import { seededRandom } from '@quorate/certificate'
import type { RunWorld } from '../run/run-to-end.ts'
import { timeOrderedIds } from '../store/time-ordered-id.ts'
import type { PageFrame } from '../text/page-frame.ts'
import type { DemoCommands } from './demo-page.ts'
import type { DemoSizes } from './demo-questions.ts'

export interface DemoOptions {
  /** Seed of everything random in the demo. */
  readonly seed: number
  /** Largest share of questions on which the panel may act wrongly. */
  readonly beta: number
  /** Whether the new questions have another mix than those calibrated on. */
  readonly shift: boolean
  /** Folder for all files. */
  readonly folder: string
  readonly sizes: DemoSizes
  /** Path from the folder to the JSON Schema of the config, for editors. */
  readonly schemaPath: string
  readonly packageVersion: string
  /** Threads that evaluate policies for the report. */
  readonly threads: number
  readonly commands: DemoCommands
  readonly world: RunWorld
}

/** Where the demo prints its results and its progress. */
export interface DemoOutput {
  readonly page: PageFrame
  /** Prints a section and an empty line. With `open` more lines of the section follow, so there is no empty line. */
  readonly print: (lines: readonly string[], end?: 'open') => void
  /** Called with a text that describes the current step. */
  readonly log: (text: string) => void
}

/** Enough questions for a certificate that acts, and few enough for a result within seconds. */
export const DEMO_SIZES: DemoSizes = Object.freeze({ labelled: 1500, fresh: 600 })

/** Separates the random stream of IDs from those of the questions. */
const IDENTITY_STREAM = 0x9e3779b9
/** The IDs of a demo contain this day, whenever it runs. Nothing is ordered by them. */
const ID_DAY = Date.UTC(2026, 0, 1)

/** Derives IDs and the spot-check key from the seed, so that a demo orders and samples the same questions every time. */
export function seededIdentity(seed: number) {
  let at = ID_DAY
  const random = seededRandom((seed ^ IDENTITY_STREAM) >>> 0)
  return {
    newId: timeOrderedIds({ now: () => ++at, random }),
    newKey: () => hash('sha256', `quorate demo ${seed}`),
  }
}
