import { z } from 'zod'
import { certificateSchema } from '../../record/certificate.ts'
import { debateSchema } from '../../record/debate.ts'
import { decisionSchema } from '../../record/decision.ts'
import { ledgerLineSchema } from '../../record/ledger.ts'
import { hashSchema } from '../../record/names.ts'
import { questionLineSchema } from '../../record/question.ts'

/**
 * JSON Schemas of the files that people exchange, so that other programs can check a file before they pass it on. Unknown
 * fields are kept. The readers check more, for example that the right option is one of the options.
 */
export function exchangeJsonSchemas(): Readonly<Record<ExchangedFile, Readonly<Record<string, unknown>>>> {
  return {
    question: published(questionLineSchema, 'A line of a file of questions'),
    debate: published(debateLineSchema, 'A line of a file of debates'),
    certificate: published(certificateSchema, 'A certificate'),
    decision: published(decisionLineSchema, 'A line of a file of decisions'),
    bundle: published(bundleLineSchema, 'A line of a bundle: the first one, or a row of the chain'),
  }
}

export type ExchangedFile = 'question' | 'debate' | 'certificate' | 'decision' | 'bundle'

function published(schema: z.ZodType, title: string): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    // A field with a fallback may have any value.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type !== 'catch') return
      for (const name of Object.keys(jsonSchema)) if (name !== 'description') Reflect.deleteProperty(jsonSchema, name)
    },
  })
  return { $schema, title, ...rest }
}

const debateLineSchema = debateSchema.extend({ rounds: debateSchema.shape.rounds.min(1) })
const decisionLineSchema = decisionSchema.extend({ certificateId: hashSchema })

const bundleLineSchema = z.union([
  z.strictObject({
    quorate: z.literal(1),
    kind: z.literal('bundle'),
    runId: z.string(),
    head: hashSchema.describe('Hash of the last row'),
    rows: z.int().min(0),
    certificate: certificateSchema.nullable(),
    sampling: z
      .array(z.strictObject({ commitment: hashSchema.describe('SHA-256 of the key'), key: hashSchema.nullable() }))
      .describe('Keys that select the spot checks. Null: not disclosed, because the run still selects with this key'),
  }),
  z.strictObject({ hash: hashSchema.describe('SHA-256 of the RFC 8785 JSON of line'), line: ledgerLineSchema }),
])
