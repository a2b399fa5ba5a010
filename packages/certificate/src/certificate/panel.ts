import type { DebateRecord, Elicitation, RoundSummary } from '../beliefs/debate.ts'
import { type ReadOptions, readDebate, readDebates } from '../beliefs/read-debate.ts'
import { summariseRounds } from '../beliefs/summarise-rounds.ts'
import { CertificateError } from '../certificate-error.ts'

/** How a debate record becomes beliefs and predictions; the same for calibration and for every decision. */
export interface PanelReading {
  readonly elicitation: Elicitation
  /** Settles tied predictions. */
  readonly seed: number
  /** Weight of an agent in the social probability; null: all alike. */
  readonly weights: Readonly<Record<string, number>> | null
}

/** A debate with its rounds summarised. */
export interface ReadPanel {
  readonly record: DebateRecord
  readonly rounds: readonly RoundSummary[]
}

export function readPanel(reading: PanelReading, debate: unknown, where: string): ReadPanel {
  return summarised(reading, readDebate(debate, doorOptions(reading, where)))
}

export function readPanels(reading: PanelReading, debates: readonly unknown[], where: string): ReadPanel[] {
  return readDebates(debates, doorOptions(reading, where)).map((record) => summarised(reading, record))
}

/** 1 where the panel's answer of each round is right; every round must be there and labelled. */
export function labelsOf({ record, rounds }: ReadPanel, where: string, place: string): number[] {
  const { gold } = record
  if (gold === null) throw new CertificateError(where, `${place}.gold`, 'the right option: calibration needs labels', null)
  return rounds.map(({ prediction }) => (prediction === gold ? 1 : 0))
}

function doorOptions({ elicitation }: PanelReading, where: string): ReadOptions {
  return { elicitation, where }
}

function summarised({ seed, weights }: PanelReading, record: DebateRecord): ReadPanel {
  const options = weights === null ? { seed } : { seed, weights: new Map(Object.entries(weights)) }
  return { record, rounds: summariseRounds(record, options) }
}
