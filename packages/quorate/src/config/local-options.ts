import { LOCAL_OPTION_NAMES, type LocalOptions } from '@quorate/certificate'
import { z } from 'zod'
import { ENVELOPE_WORDS, readEnvelope } from '../text/local-options.ts'
import { word } from './config-values.ts'

const RHO = 'a number of at least 1, such as 1.5'
const SIZES = 'a list of 1 to 64 different whole numbers from 1 on, such as [128, 256, 512]'

/** Keys of `certificate` for the profiles tight and paper. Flags are parsed with the same schemas. */
export const LOCAL_SCHEMAS = {
  envelope: z
    .string({ error: ENVELOPE_WORDS })
    .transform((text, context) => {
      const envelope = readEnvelope(text)
      if (envelope !== null) return envelope
      context.addIssue({ code: 'custom', message: ENVELOPE_WORDS, input: text })
      return z.NEVER
    })
    .optional()
    .describe(
      'Profiles tight and paper: how far neighbours may be right more often than the question itself. none | modulus | mean-modulus | pilot-oscillation | lipschitz:L | holder:C,S | oscillation:B.',
    ),
  smoother: word(['gam', 'isotonic'])
    .optional()
    .describe('Profiles tight and paper: the smoother from which the envelope is learned on pilot rows.'),
  rho: z
    .number({ error: RHO })
    .min(1, { error: RHO })
    .optional()
    .describe('Profiles tight and paper: factor that multiplies the envelope.'),
  concentration: word(['hoeffding', 'empirical-bernstein', 'clopper-pearson'])
    .optional()
    .describe('Profiles tight and paper: confidence bound of a neighbourhood.'),
  state: word(['learned', 'paper', 'paper-1d', 'paper-3d', 'paper-4d', 'support-path'])
    .optional()
    .describe('Profiles tight and paper: the numbers that represent a debate so far.'),
  kFamily: z
    .array(z.number({ error: SIZES }), { error: SIZES })
    .refine((sizes) => isFamily(sizes), { error: SIZES })
    .optional()
    .describe('Profiles tight and paper: sizes of the neighbourhoods that are tried.'),
} as const

function isFamily(sizes: readonly number[]): boolean {
  const isSize = (size: number) => Number.isSafeInteger(size) && size >= 1
  return sizes.length >= 1 && sizes.length <= 64 && sizes.every(isSize) && new Set(sizes).size === sizes.length
}

/** The options that were given. */
export function localOptionsOf(
  given: { readonly [Name in keyof LocalOptions]: LocalOptions[Name] | undefined },
): LocalOptions {
  return Object.fromEntries(
    LOCAL_OPTION_NAMES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  )
}
