import { compareCodePoints } from '../beliefs/code-point-order.ts'
import type { BeliefReading } from '../beliefs/debate.ts'
import { twelveDecimals } from '../beliefs/twelve-decimals.ts'
import { canonicalJson } from '../canonical/canonical-json.ts'
import type { CalibrateOptions, LabelledDebates } from './calibrate.ts'
import { turnCounts } from './read-debates.ts'

/** Raised only when a decision could change. Files of another version are refused. */
export const METHOD_VERSION = 2

/** Recorded in every certificate. Files of another code version are still accepted. */
export const CODE_VERSION = '0.1.0'

/**
 * The panel that the guarantee is about. A field is null if an imported record lacks it; only known fields are
 * compared.
 */
export interface Fingerprint {
  /** Model id by agent, as configured or as the provider returned it. */
  readonly models: Readonly<Record<string, string>> | null
  /** Digest of the prompts. */
  readonly prompts: string | null
  /** Names of the agents seen in each round; null if the certificate was fitted from states. */
  readonly agents: readonly (readonly string[])[] | null
  /** Whether every row had the same agents in each round, or panels varied. */
  readonly panels: 'same' | 'varying' | null
  readonly rounds: number
  /** Whether the protocol itself may end a debate before its last round; null if the certificate was fitted from states. */
  readonly endsEarly: boolean | null
  readonly elicitation: BeliefReading | null
  /** How often calibration turns lacked what the elicitation reads; null if the certificate was fitted from states. */
  readonly turns: CalibratedTurns | null
  /** Settings other than models and prompts that change beliefs, such as the temperature, by name. */
  readonly settings: Readonly<Record<string, string>> | null
  /** Version of the parser of replies, since another version may read the same reply differently. */
  readonly reader: number | null
  readonly state: string
  readonly methodVersion: number
  /** SHA-256 of the calibration rows. */
  readonly rows: string
}

export interface CalibratedTurns {
  /** Turns that have an answer. */
  readonly answered: number
  /** Answered turns that lack what the elicitation reads. They count as abstentions. */
  readonly missing: number
  /** Questions with an answer in round 1; one run of each counts. */
  readonly questions: number
  /** Sum over these questions of the share of answered turns of round 1 that lack what the elicitation reads. */
  readonly firstMissing: number
}

/** The fingerprint of the panel that a certificate is calibrated on. `rows` is the digest of the calibration rows. */
export function panelFingerprint(
  labelled: LabelledDebates,
  options: CalibrateOptions,
  state: string,
  rows: string,
): Fingerprint {
  const { rounds, reading, debates } = labelled
  const names = (round: number) =>
    labelled.agents[round] ?? new Set(debates.flatMap(({ record }) => record.rounds[round]?.agents ?? []))
  return {
    models: options.models ?? null,
    prompts: options.prompts ?? null,
    agents: Array.from({ length: rounds }, (_, round) => [...names(round)].sort(compareCodePoints)),
    panels: labelled.agents.includes(null) ? 'varying' : 'same',
    rounds,
    endsEarly: debates.some(({ record }) => record.ended === 'protocol'),
    elicitation: reading.elicitation,
    turns: calibratedTurns(labelled),
    settings: options.settings ?? null,
    reader: options.reader ?? null,
    state,
    methodVersion: METHOD_VERSION,
    rows,
  }
}

/** Counts only the first run of a question, since runs of one question are not independent. */
function calibratedTurns({ debates, questions }: LabelledDebates): CalibratedTurns {
  const { answered, missing } = turnCounts(debates)
  const counted = new Set<string>()
  let firstMissing = 0
  for (const [row, { record }] of debates.entries()) {
    const question = questions?.[row] ?? record.id
    if (record.firstMissing === null || counted.has(question)) continue
    counted.add(question)
    firstMissing += record.firstMissing
  }
  return { answered, missing, questions: counted.size, firstMissing: twelveDecimals(firstMissing) }
}

/** Names of the known fields that differ. A guarantee calibrated on one panel says nothing about another. */
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
