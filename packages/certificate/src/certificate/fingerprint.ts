import type { Elicitation } from '../beliefs/debate.ts'
import { canonicalJson } from '../canonical/canonical-json.ts'

/** Raised only when a decision could change; files of another version are refused. */
export const METHOD_VERSION = 2

/** Recorded in every certificate. A file of another version is read all the same. */
export const CODE_VERSION = '0.1.0'

/** What the guarantee is about. Null where an imported record does not say; what is known is compared. */
export interface Fingerprint {
  /** Model id by agent, as configured or as the provider returned it. */
  readonly models: Readonly<Record<string, string>> | null
  /** Digest of the prompts. */
  readonly prompts: string | null
  /** Names of the agents seen in each round; null where no debates were read. */
  readonly agents: readonly (readonly string[])[] | null
  /** Whether every row had the same agents in each round, or panels were drawn from the names. */
  readonly panels: 'same' | 'varying' | null
  readonly rounds: number
  /** Whether the protocol itself may end a debate before its last round; null where no debates were read. */
  readonly endsEarly: boolean | null
  readonly elicitation: Elicitation | null
  /** How often calibration turns lacked what the elicitation reads; null where no debates were read. */
  readonly turns: CalibratedTurns | null
  /** What changes beliefs beside models and prompts, such as the temperature, in words by name. */
  readonly settings: Readonly<Record<string, string>> | null
  /** Version of the reader of answers: the same reply may be read otherwise by another. */
  readonly reader: number | null
  readonly state: string
  readonly methodVersion: number
  /** SHA-256 of the calibration rows. */
  readonly rows: string
}

export interface CalibratedTurns {
  /** Turns that have an answer, and those of them that lack what the elicitation reads: they are abstentions. */
  readonly answered: number
  readonly missing: number
  /** Questions with an answer in round 1, one run of each, and the sum over them of the share that lacked it there. */
  readonly questions: number
  readonly firstMissing: number
}

/** Names of the known fields that differ: a guarantee calibrated on one panel says nothing about another. */
export function fingerprintDifferences(calibrated: Fingerprint, observed: Partial<Fingerprint>): string[] {
  return Object.entries(observed)
    .filter(([name, value]) => {
      const expected: unknown = Reflect.get(calibrated, name)
      return (
        value !== null && value !== undefined && expected !== null && canonicalJson(value) !== canonicalJson(expected)
      )
    })
    .map(([name]) => name)
}
