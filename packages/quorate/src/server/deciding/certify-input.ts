import { hash } from 'node:crypto'
import { compareCodePoints } from '@quorate/certificate'
import { z } from 'zod'
import { type CertifyAnswer, type CertifyInput, certifyAnswerSchema } from '../../contract/decisions.ts'
import { byName, type DebateSoFar, type DebateTurn } from '../../debate/debate-record.ts'
import { jsonOf } from '../../record/parse-stored.ts'
import type { FieldValues, Question } from '../../record/question.ts'
import { StoreError } from '../../record/store-error.ts'
import { fieldsText } from '../../run/stored-question.ts'
import type { CertifiedRound } from '../../store/decisions/settlement.ts'

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
    rounds: rounds.map((turns) => turns.map(storedTurn)),
  }
}

function storedTurn({
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

/** The question for the reviewer. Its text is empty if the caller sent none. */
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
  /** The text that is stored. It does not depend on the order of the received fields. */
  readonly text: string
  /** A digest of the debate up to each round, chained: two debates that share a digest share all earlier rounds. */
  readonly digests: readonly string[]
}

/**
 * The rounds are the last field of a debate, so each is serialised once for the text and the digests. The digests are of the
 * fields too, which rules read. The text is not, because the fields are stored with the question.
 */
export function debateTexts({ rounds, ...about }: DebateSoFar, fields: FieldValues = {}): DebateTexts {
  const head = JSON.stringify(about)
  const turns = rounds.map((round) => JSON.stringify(round))
  let before = `${head}\n${fieldsText(Object.entries(fields))}`
  const digests = turns.map((round) => {
    before = hash('sha256', `${before}\n${round}`)
    return before
  })
  return { text: `${head.slice(0, -1)},"rounds":[${turns.join(',')}]}`, digests }
}

/** Whether one debate is a prefix of the other. */
export function isSameDebate(digests: readonly string[], others: readonly string[]): boolean {
  const shared = Math.min(digests.length, others.length)
  return digests[shared - 1] === others[shared - 1]
}

function inOrder<Value>(named: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const names = Object.keys(named)
  const isSorted = names.every((name, at) => at === 0 || compareCodePoints(names[at - 1] ?? '', name) < 0)
  return isSorted ? named : byName(Object.entries(named).sort(([left], [right]) => compareCodePoints(left, right)))
}

/** A stored answer with the digests of its debate. */
export interface StoredAnswer {
  /** Null: they were erased with the question, so no debate can be compared with it. */
  readonly digests: readonly string[] | null
  /** Without the claim, which is the certificate's, and the run, which has its own column. */
  readonly answer: Omit<CertifyAnswer, 'claim' | 'runId'>
}

const digestsSchema = z.array(z.string()).min(1).nullable()
const answerSchema = certifyAnswerSchema.omit({ claim: true, runId: true })

export function readStoredAnswer({ digests, result }: CertifiedRound): StoredAnswer {
  const answer: unknown = jsonOf(result)
  const read = answerSchema.safeParse(answer)
  const compared = digestsSchema.safeParse(digests === null ? null : jsonOf(digests))
  // Not `read.data`: the schema reorders fields, and a repeated answer must be identical to the byte.
  if (read.success && compared.success) return { digests: compared.data, answer: answer as StoredAnswer['answer'] }
  const message = 'store: an answer cannot be read: another program changed it. Restore a backup'
  throw new StoreError('damaged', message, { cause: read.error ?? compared.error })
}
