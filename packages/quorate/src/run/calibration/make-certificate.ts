import {
  type CalibrateOptions,
  type Certificate,
  calibrate,
  calibrateRelative,
  type RelativeChoice,
} from '@quorate/certificate'
import type { RelativeRecord } from '../../record/certificate.ts'
import { countText } from '../../text/number-text.ts'
import { RunError } from '../run-plan.ts'
import type { CalibrationDebates, DebatesOfQuestions } from './calibration-debates.ts'
import { type CertificateOutlook, certificateOutlook } from './certificate-outlook.ts'
import { type Certified, sealCertified } from './certified.ts'

export interface MadeCertificate {
  readonly certified: Certified
  readonly outlook: CertificateOutlook
}

/** Debates that stopped early were acted on, so wrong actions would be missing from the count. */
function shortWords(short: number): string {
  const debates = short === 1 ? '1 debate was' : `${countText(short)} debates were`
  return (
    `${debates} stopped by a decision before the last round, and profile total cannot tell what later rounds would have been. ` +
    'Calibrate on debates that reached their last round, such as spot checks, or with --profile cells.'
  )
}

/** Makes a certificate from labelled debates, with its outlook. `relative`: beta is a multiple of the panel's own error. */
export function makeCertificate(
  debates: CalibrationDebates,
  options: CalibrateOptions,
  relative?: RelativeChoice,
): MadeCertificate {
  const certified = makeCertified(debates, options, relative)
  const { beta, selectedUpTo } = certified.certificate.budget
  const budget = selectedUpTo === undefined ? options.budget : { ...options.budget, beta, selectedUpTo }
  return { certified, outlook: certificateOutlook(certified.certificate, debates, { ...options, budget }) }
}

/** The same without the outlook, which takes as long as the certificate. */
export function makeCertified(
  { contents, served, dropped, ...debates }: CalibrationDebates,
  options: CalibrateOptions,
  relative?: RelativeChoice,
): Certified {
  if (options.profile === 'total' && dropped.short > 0) throw new RunError(shortWords(dropped.short))
  const made = calibrated(debates, options, relative)
  return sealCertified(made.certificate, { contents, served, relative: made.relative })
}

/** The certificate alone, with the declared beta or a multiple of the panel's own error. */
export function calibrated(
  { read, questionOf }: DebatesOfQuestions,
  options: CalibrateOptions,
  choice: RelativeChoice | undefined,
): { readonly certificate: Certificate; readonly relative: RelativeRecord | null } {
  const asked = { ...options, questionOf }
  if (choice === undefined) return { certificate: calibrate(read, asked), relative: null }
  const made = calibrateRelative(read, choice, asked)
  if (made.kind === 'defer') throw new RunError(DEFERRED)
  const { sweep: _, ...relative } = made.relative
  return { certificate: made.certificate, relative }
}

const DEFERRED =
  "no multiple of the panel's error from 0.25 to 5 acts on held-out labels while it uses at most a tenth of its budget and stays " +
  'within the declared beta, so that everything would be deferred. No certificate was made. Give a multiple (--relative 2), ' +
  'declare a larger beta, or label more questions.'
