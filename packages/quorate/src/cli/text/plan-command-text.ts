import { type Certificate, resolvePromise, usualBudget } from '@quorate/certificate'
import { LOCAL_SCHEMAS } from '../../config/local-options.ts'
import { envelopeText } from '../../text/local-options.ts'
import { flagsText, programName } from '../command-line.ts'

/**
 * The command that estimates how many labels a certificate lacks, with its profile and its budget. Values that the command takes
 * anyway are left out. `debates` is a file, or `--run ID`.
 */
export function planCommandText(certificate: Certificate, debates: string): string {
  const { profile } = certificate
  const { beta, delta, epsilon } = certificate.budget
  const flags = new Map<string, string>([['beta', String(beta)]])
  if (profile !== 'total') flags.set('profile', profile)
  if (certificate.kind === 'total') {
    setTotal(flags, certificate.promise)
  } else {
    const usual = usualBudget(beta, profile)
    if (delta !== usual.delta) flags.set('delta', String(delta))
    if (certificate.kind === 'knn') {
      if (epsilon !== usual.epsilon) flags.set('epsilon', String(epsilon))
      setLocal(flags, certificate)
    }
  }
  return `${programName()} plan ${debates} ${flagsText(flags, [])}`
}

type Flags = Map<string, string>

function setTotal(flags: Flags, { kind, beta, delta, floor }: ReturnType<typeof resolvePromise>): void {
  const usual = resolvePromise('quorate', { kind, beta })
  if (kind !== 'pac') flags.set('promise', kind)
  if (delta !== usual.delta) flags.set('delta', String(delta))
  if (floor !== usual.floor) flags.set('floor', floor === null ? 'none' : String(floor))
}

function setLocal(flags: Flags, { options, fingerprint }: Extract<Certificate, { kind: 'knn' }>): void {
  const { envelope, smoother, rho, concentration, kFamily } = options
  // The command line has no names for functions of the user.
  if (LOCAL_SCHEMAS.state.safeParse(fingerprint.state).success) flags.set('state', fingerprint.state)
  if (typeof envelope === 'string' || !('name' in envelope)) flags.set('envelope', envelopeText(envelope))
  flags.set('smoother', smoother)
  flags.set('rho', String(rho))
  flags.set('concentration', concentration)
  flags.set('k-family', kFamily.join(','))
}
