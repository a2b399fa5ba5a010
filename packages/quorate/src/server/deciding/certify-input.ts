import { hash } from 'node:crypto'
import { z } from 'zod'
import type { CertifyInput } from '../../contract/debate-input.ts'
import { type CertifyAnswer, certifyAnswerSchema } from '../../contract/decisions.ts'
import { byName, type DebateSoFar, type DebateTurn } from '../../debate/debate-record.ts'
import { compareCodePoints } from '../../record/code-points.ts'
import { jsonOf } from '../../record/parse-stored.ts'
import type { Question } from '../../record/question.ts'
import { StoreError } from '../../record/store-error.ts'
import type { Certified } from '../../store/decisions/settlement.ts'

/** The stored form of a caller's debate. Unknown fields may contain anything and are dropped. */
export function certifiedDebate(input: CertifyInput): DebateSoFar {
  const { id, question_of = null, group = null, question = '', options, rounds } = input
  return {
    quorate: 1,
    id,
    group,
    question,
    gold: null,
    ...(question_of === null ? {} : { question_of }),
    options: Array.isArray(options) ? options : inOrder(options),
    rounds: rounds.map((turns) => turns.map(keptTurn)),
  }
}

function keptTurn({
  agent,
  answer,
  beliefs = null,
  conf,
  samples,
  text,
}: CertifyInput['rounds'][number][number]): DebateTurn {
  const verbal = conf?.verbal ?? null
  return {
    agent,
    answer,
    beliefs: beliefs && inOrder(beliefs),
    text: text ?? '',
    usage: null,
    ...(verbal === null ? {} : { conf: { verbal } }),
    ...(samples === undefined || samples === null ? {} : { samples }),
  }
}

/** For the person who reviews it; its text is empty where the caller sent none. */
export function certifiedQuestion({ id, group, question, options }: DebateSoFar): Question {
  const named = Array.isArray(options)
    ? options.map((name: string) => ({ name, text: name }))
    : Object.entries(options)
        .map(([name, text]) => ({ name, text }))
        .sort((left, right) => compareCodePoints(left.name, right.name))
  return { id, group, question, options: named, gold: null }
}

/** A debate as it is stored and compared. */
export interface DebateTexts {
  /** One text for one content, whatever the order of the fields that came: this is what is stored. */
  readonly text: string
  /** Of the debate up to each round, each over the one before: two debates that share the last one share all. */
  readonly digests: readonly string[]
}

/** The rounds are the last field of a debate, so that each is written once for both. */
export function debateTexts({ rounds, ...about }: DebateSoFar): DebateTexts {
  const head = JSON.stringify(about)
  const turns = rounds.map((round) => JSON.stringify(round))
  let before = head
  const digests = turns.map((round) => {
    before = hash('sha256', `${before}\n${round}`)
    return before
  })
  return { text: `${head.slice(0, -1)},"rounds":[${turns.join(',')}]}`, digests }
}

/** Whether one begins with the other. */
export function isSameDebate(digests: readonly string[], others: readonly string[]): boolean {
  const shared = Math.min(digests.length, others.length)
  return digests[shared - 1] === others[shared - 1]
}

function inOrder<Value>(named: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const names = Object.keys(named)
  const isSorted = names.every((name, at) => at === 0 || compareCodePoints(names[at - 1] ?? '', name) < 0)
  return isSorted ? named : byName(Object.entries(named).sort(([left], [right]) => compareCodePoints(left, right)))
}

/** What is stored of an answer: the answer itself, and digests of the debate that it was given to. */
export interface KeptAnswer {
  /** Null: erased with the question, and nothing can be compared with it. */
  readonly digests: readonly string[] | null
  /** The claim is the certificate's, and the run has its own column. */
  readonly answer: Omit<CertifyAnswer, 'claim' | 'runId'>
}

const digestsSchema = z.array(z.string()).min(1).nullable()
const keptSchema = certifyAnswerSchema.omit({ claim: true, runId: true })

export function readKept({ digests, result }: Certified): KeptAnswer {
  const answer: unknown = jsonOf(result)
  const read = keptSchema.safeParse(answer)
  const compared = digestsSchema.safeParse(digests === null ? null : jsonOf(digests))
  // As it was written, since the schema reorders fields: the answer must be the same to the byte.
  if (read.success && compared.success) return { digests: compared.data, answer: answer as KeptAnswer['answer'] }
  const message = 'store: an answer cannot be read: another program changed it. Restore a backup'
  throw new StoreError('damaged', message, { cause: read.error ?? compared.error })
}
