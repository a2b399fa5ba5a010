import type { EnvelopeChoice, KnnOptions, LocalOptions } from '@quorate/certificate'

const NAMED_ENVELOPES = ['none', 'modulus', 'mean-modulus', 'pilot-oscillation'] as const

/** Ends the sentence "envelope must be ...". */
export const ENVELOPE_WORDS =
  'none, modulus, mean-modulus, pilot-oscillation, lipschitz:L, holder:C,S or oscillation:B with numbers from 0 on, such as ' +
  'lipschitz:0.5, and S above 0 and at most 1'

/** Parses an envelope as configs and flags write it; null if the text is no envelope. A function of the user has no text. */
export function readEnvelope(text: string): EnvelopeChoice | null {
  const named = NAMED_ENVELOPES.find((name) => name === text)
  if (named !== undefined) return named
  const [kind, rest = '', ...more] = text.split(':')
  const numbers = rest
    .split(',')
    .map((part) => (/^\s*(?:\d*\.)?\d+(e-?\d+)?\s*$/i.test(part) ? Number(part) : Number.NaN))
  const [first = Number.NaN, second = Number.NaN] = numbers
  if (more.length > 0 || !numbers.every(Number.isFinite)) return null
  if (kind === 'holder' && numbers.length === 2) return second > 0 && second <= 1 ? { holder: [first, second] } : null
  if (numbers.length !== 1) return null
  if (kind === 'lipschitz') return { lipschitz: first }
  return kind === 'oscillation' ? { oscillation: first } : null
}

export function envelopeText(envelope: EnvelopeChoice): string {
  if (typeof envelope === 'string') return envelope
  if ('lipschitz' in envelope) return `lipschitz:${envelope.lipschitz}`
  if ('holder' in envelope) return `holder:${envelope.holder.join(',')}`
  if ('oscillation' in envelope) return `oscillation:${envelope.oscillation}`
  return `the function ${JSON.stringify(envelope.name)}`
}

/** For example: envelope lipschitz:0.5, rho 1, smoother gam, concentration hoeffding, k 128 256 512, state paper */
export function knnOptionsText(options: KnnOptions, state: string): string {
  const { envelope, rho, smoother, concentration, kFamily } = options
  return localOptionsText({ envelope, rho, smoother, concentration, kFamily }, state)
}

/** The options that were given besides the profile; empty if there are none. */
export function localOptionsText(local: LocalOptions, state: string | undefined = stateName(local.state)): string {
  const { envelope, rho, smoother, concentration, kFamily } = local
  return [
    ...(envelope === undefined ? [] : [`envelope ${envelopeText(envelope)}`]),
    ...(rho === undefined ? [] : [`rho ${rho}`]),
    ...(smoother === undefined ? [] : [`smoother ${smoother}`]),
    ...(concentration === undefined ? [] : [`concentration ${concentration}`]),
    ...(kFamily === undefined ? [] : [`k ${kFamily.join(' ')}`]),
    ...(state === undefined ? [] : [`state ${state}`]),
  ].join(', ')
}

function stateName(state: LocalOptions['state']): string | undefined {
  return typeof state === 'object' ? state.name : state
}
