import { type Certificate, isRightAt, type ReadDebates, readDebates } from '@quorate/certificate'
import { type DebateColumns, LABEL_CODES, type OperatingPoint } from 'quorate/contract'
import { debatesOfColumns } from './debate-columns.ts'

/** Stored debates, parsed once, with one column for each property that the figures need. */
export interface StoredDebates {
  readonly read: ReadDebates
  readonly rounds: number
  readonly isRepresentative: Uint8Array
  readonly isLabelled: Uint8Array
  /** Labelled, but the reviewer could not tell the right option or called the question bad. No answer counts as right. */
  readonly isUnjudged: Uint8Array
  /** Counts of representative debates that are missing here because they failed or stopped early. */
  readonly unfinished: OperatingPoint['unfinished']
  /** Whether the panel's answer in a round (from 1) was right; false without a label. */
  readonly isRightAt: (row: number, round: number) => boolean
}

type Reading = NonNullable<Certificate['panel']>

export function readStored({ debates: columns, unfinished }: OperatingPoint, reading: Reading): StoredDebates {
  const read = readColumns(columns, reading)
  const { rounds, isRepresentative, gold } = columns
  const isRight = Uint8Array.from(
    read.debates.flatMap((debate) => debate.rounds.map((_, at) => Number(isRightAt(debate, at + 1)))),
  )
  return {
    read,
    rounds,
    isRepresentative: Uint8Array.from(isRepresentative, Number),
    isLabelled: Uint8Array.from(gold, (index) => Number(index !== LABEL_CODES.unlabelled)),
    isUnjudged: Uint8Array.from(gold, (index) => Number(index === LABEL_CODES.unjudged)),
    unfinished,
    isRightAt: (row, round) => isRight[row * rounds + round - 1] === 1,
  }
}

/** The server has already read the beliefs by the certificate's elicitation, so here they count as given. */
export function readColumns(columns: DebateColumns, { seed, weights }: Reading): ReadDebates {
  return readDebates(debatesOfColumns(columns), { beliefs: 'given', seed, weights: weights ?? {} }, 'operating point')
}

/** The same certificate for debates whose beliefs are given. */
export function asGiven(certificate: Certificate, reading: Reading): Certificate {
  return { ...certificate, panel: { ...reading, elicitation: 'given' } }
}
