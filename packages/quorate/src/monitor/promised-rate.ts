import { promisedWrongRate } from '@quorate/certificate'
import { z } from 'zod'
import { certificateSchema } from '../record/certificate.ts'
import { parseStored } from '../record/parse-stored.ts'
import { openCertified } from '../run/calibration/certified.ts'

const fileSchema = certificateSchema
  .pick({ budget: true })
  .extend({ neighbours: z.looseObject({ audit: z.unknown().optional() }).optional() })

/**
 * `promisedWrongRate` of a stored certificate. Opening a certificate fits it again, which is needed only if a model graded and
 * its error counts. Every other certificate promises its beta.
 */
export function storedPromise(file: string, where: string): number {
  const { budget, neighbours } = parseStored(fileSchema, file, where)
  return (neighbours?.audit ?? null) === null ? budget.beta : promisedWrongRate(openCertified(file).certificate)
}
