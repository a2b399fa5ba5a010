import { z } from 'zod'
import { ID_WORDS, isDotSegment, PLAIN_NAME, PLAIN_NAME_WORDS } from '../record/names.ts'

const NAME = z.string().min(1).max(1000)
const PLAIN = NAME.regex(PLAIN_NAME, PLAIN_NAME_WORDS)
const ID = PLAIN.refine((id) => !isDotSegment(id), ID_WORDS)
/** Anything longer is no question that a panel could be asked. */
const TEXT = z.string().max(200_000)

const FEWEST_OPTIONS = 2
export const MOST_OPTIONS = 100

export const optionsSchema = z.union([
  z.array(NAME).min(FEWEST_OPTIONS).max(MOST_OPTIONS),
  z.record(NAME, TEXT).refine(isOptionCount, `expected ${FEWEST_OPTIONS} to ${MOST_OPTIONS} options`),
])

function isOptionCount(options: object): boolean {
  const { length } = Object.keys(options)
  return length >= FEWEST_OPTIONS && length <= MOST_OPTIONS
}

export const turnSchema = z.looseObject({
  agent: PLAIN,
  answer: NAME.nullable(),
  beliefs: z.record(NAME, z.number()).nullable().optional(),
  conf: z
    .looseObject({ verbal: z.number().min(0).max(1).nullable().optional() })
    .nullable()
    .optional(),
  samples: z.array(NAME.nullable()).min(1).max(1024).nullable().optional(),
  text: TEXT.nullable().optional(),
})

/** A question as it comes in. */
export const questionInputSchema = z.object({
  id: ID.optional(),
  question: TEXT.min(1),
  options: optionsSchema,
  group: PLAIN.nullable().optional(),
})
export type QuestionInput = z.infer<typeof questionInputSchema>

/** POST /v1/certify: all rounds so far of a debate that somebody else holds. */
export const certifyInputSchema = z.object({
  /** Of the certificate; the active one unless given. */
  certificate: z.string().min(1).max(200).optional(),
  id: ID,
  /** Key of the question that the debate is a run of; its id unless given. */
  question_of: PLAIN.nullable().optional(),
  /** For the person who reviews it. */
  question: TEXT.optional(),
  options: optionsSchema,
  group: PLAIN.nullable().optional(),
  rounds: z.array(z.array(turnSchema).min(1).max(64)).min(1).max(32),
})
export type CertifyInput = z.infer<typeof certifyInputSchema>
