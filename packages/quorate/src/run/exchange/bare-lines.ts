import { byName } from '../../debate/debate-record.ts'
import { textDigest } from '../../debate/text-digest.ts'
import { FileError } from '../../files/file-error.ts'
import type { Run, Store } from '../../store/store.ts'
import { isMostlyDebated, isStoppedDebate, stoppedWords } from '../calibration/calibration-debates.ts'
import { debatesOfRun } from '../calibration/recorded-debates.ts'

/**
 * The debates of a run in the form of `readDebateFile`, one by one and without texts: answers, beliefs and confidences, and a
 * digest of the question, so that debates of the same question are still recognised. In a run that decided, debates that were
 * not sampled are left out, because they stopped when they were decided. If too many of the sampled debates stopped early too,
 * this throws, as `calibrate` does.
 */
export async function* bareLines(store: Store, run: Run): AsyncGenerator<string> {
  const sampled = { all: 0, stopped: 0 }
  for await (const { value } of debatesOfRun(store, run)) {
    const debate = bareDebate(value)
    if (debate === null) continue
    sampled.all += 1
    if (isStoppedDebate(value)) sampled.stopped += 1
    yield JSON.stringify(debate)
  }
  if (!isMostlyDebated(sampled)) throw new FileError(`run ${run.id}: ${stoppedWords(sampled)}`)
}

/** Null for a debate that does not count. A value that is no debate is passed on, and the reader refuses it. */
function bareDebate(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const {
    id,
    question_of,
    group,
    options,
    gold,
    correct,
    grades,
    audits,
    question,
    failure,
    ended,
    rounds,
    isSpotCheck,
  }: Fields = { ...value }
  if (isSpotCheck === false || (Array.isArray(rounds) && rounds.length === 0)) return null
  const asked = typeof question === 'string' ? { question: textDigest(question) } : {}
  // The reader of these lines leaves out debates that did not reach their end, for whatever reason.
  const broken = (failure ?? null) === null && ended !== 'stopped' ? {} : { failure: {} }
  const early = ended === 'protocol' ? { ended } : {}
  return {
    id,
    question_of,
    group,
    options: bareOptions(options),
    gold,
    correct,
    grades,
    audits,
    ...asked,
    ...broken,
    ...early,
    rounds: bareRounds(rounds),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Only the names, in a form that keeps their order. */
function bareOptions(options: unknown): unknown {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return options
  return byName(Object.keys(options).map((name) => [name, '']))
}

function bareRounds(rounds: unknown): unknown {
  if (!Array.isArray(rounds)) return rounds
  return rounds.map((turns: unknown) => (Array.isArray(turns) ? turns.map(bareTurn) : turns))
}

function bareTurn(turn: unknown): unknown {
  if (typeof turn !== 'object' || turn === null || Array.isArray(turn)) return turn
  const { agent, answer, beliefs, conf, samples }: Fields = { ...turn }
  return { agent, answer, beliefs, conf, samples }
}
