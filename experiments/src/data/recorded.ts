import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AgentTurn, Debate } from '@quorate/certificate'

/** Recorded debates are next to the repository, or in the folder that QUORATE_DATA names. */
export const DATA_FOLDER = process.env.QUORATE_DATA ?? resolve(import.meta.dirname, '../../../../shared/data')

/** A turn as stored in the files. */
interface RecordedTurn extends AgentTurn {
  readonly conf?: { readonly verbal?: number | null; readonly logit?: number | null } | null
}

/** A recorded file in one protocol. Several names may read the same file. */
export type RecordedName =
  | 'conformal-llm-mmlu-10prompts'
  | 'dylan-math-open-3agents'
  | 'dylan-mmlu-3agents'
  | 'gpqa-debate-sonnet-a'
  | 'gpqa-debate-sonnet-b'
  | 'medagents-10models'
  | 'medagents-10models-growing'
  | 'mmlu-pro-14models'
  | 'mmlu-pro-conf-12models'
  | 'mmlu-pro-conf-trio-mid'
  | 'mmlu-pro-paper-families'
  | 'mmlu-pro-trio'
  | 'mmlu-pro-trio-thinking'
  | 'umass-judges-triviaqa'

/** How to read a recorded file. */
interface Recording {
  /** Name of the file without its extension, if it differs from the name of the recording. */
  readonly file?: string
  /** Sizes of a growing panel, and the order in which its agents are polled. */
  readonly sizes?: readonly number[]
  readonly order?: readonly number[]
  /** Only the questions of these groups. */
  readonly groups?: readonly string[]
  /** `renormalise`: the given beliefs were rounded to four digits. `drop`: they were derived from the stated confidence. */
  readonly beliefs?: 'renormalise' | 'drop'
  /** If an agent stated no confidence, the probability of its answer's token is used instead. */
  readonly usesLogits?: boolean
}

/** The domains of MMLU-Pro that the paper uses. */
const PAPER_DOMAINS = [
  'chemistry',
  'economics',
  'engineering',
  'health',
  'law',
  'math',
  'physics',
  'psychology',
] as const

/** Haiku, R1 and one reading of Qwen, on the paper's domains. */
const paperTrio = (qwen: number): Recording => ({
  file: 'mmlu-pro-paper-families',
  sizes: [3],
  order: [0, 1, qwen],
  usesLogits: true,
  groups: PAPER_DOMAINS,
})

const RECORDINGS: Readonly<Record<RecordedName, Recording>> = {
  'conformal-llm-mmlu-10prompts': { beliefs: 'renormalise' },
  'dylan-math-open-3agents': {},
  'dylan-mmlu-3agents': {},
  'gpqa-debate-sonnet-a': {},
  'gpqa-debate-sonnet-b': {},
  'medagents-10models': {},
  'medagents-10models-growing': { file: 'medagents-10models', sizes: [3, 6, 9] },
  'mmlu-pro-14models': { sizes: [3, 6, 10, 14] },
  'mmlu-pro-conf-12models': { sizes: [3, 6, 9, 12], order: [1, 3, 5, 4, 6, 8, 10, 9, 7, 11, 0, 2] },
  'mmlu-pro-conf-trio-mid': { beliefs: 'drop' },
  'mmlu-pro-paper-families': { sizes: [3], order: [0, 1, 2], usesLogits: true },
  'mmlu-pro-trio': paperTrio(3),
  'mmlu-pro-trio-thinking': paperTrio(2),
  'umass-judges-triviaqa': {},
}

const RECORDED_NAMES = Object.keys(RECORDINGS) as RecordedName[] // the keys of the record above

export function recordedFile(name: RecordedName): string {
  return join(DATA_FOLDER, `${RECORDINGS[name].file ?? name}.jsonl`)
}

export const hasRecordedData = RECORDED_NAMES.every((name) => existsSync(recordedFile(name)))

/** Message of everything that cannot run without the recordings. */
export const NO_RECORDED_DATA = `no recorded debates in ${DATA_FOLDER}: set QUORATE_DATA to the folder that holds them`

/** The debates of a recorded file, in its protocol. */
export function readRecorded(name: RecordedName): Debate[] {
  const { sizes, order, beliefs, usesLogits = false, groups } = RECORDINGS[name]
  const lines = readFileSync(recordedFile(name), 'utf8').trimEnd().split('\n')
  return lines.flatMap((line) => {
    const debate: Debate = JSON.parse(line) // readDebates checks it
    if (groups && !groups.includes(debate.group ?? '')) return []
    const rounds = debate.rounds.map((turns) =>
      turns.map((turn) => withConfidence(withBeliefs(turn, beliefs), usesLogits)),
    )
    return { ...debate, rounds: sizes ? growingPanel(rounds[0]!, sizes, order) : rounds }
  })
}

/** Round t repeats the answers of the first `sizes[t]` agents; later agents do not see earlier answers. */
export function growingPanel(
  turns: readonly AgentTurn[],
  sizes: readonly number[],
  order?: readonly number[],
): AgentTurn[][] {
  const polled = order ? order.map((index) => turns[index]!) : turns
  return sizes.map((size) => polled.slice(0, size))
}

function withBeliefs(turn: AgentTurn, reading: Recording['beliefs']): AgentTurn {
  if (reading === undefined || !turn.beliefs) return turn
  if (reading === 'drop') return { ...turn, beliefs: null }
  const entries = Object.entries(turn.beliefs)
  const total = entries.reduce((sum, [, share]) => sum + share, 0)
  return { ...turn, beliefs: Object.fromEntries(entries.map(([option, share]) => [option, share / total])) }
}

function withConfidence(turn: RecordedTurn, usesLogits: boolean): AgentTurn {
  const { verbal = null, logit = null } = turn.conf ?? {}
  return usesLogits && verbal === null && logit !== null ? { ...turn, conf: { verbal: logit } } : turn
}
