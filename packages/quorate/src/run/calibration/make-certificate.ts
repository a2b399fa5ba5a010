import { type CalibrateOptions, calibrate } from '@quorate/certificate'
import { countText } from '../../text/number-text.ts'
import { RunError } from '../run-plan.ts'
import type { CalibrationPanels } from './calibration-panels.ts'
import { type CertificateOutlook, certificateOutlook } from './certificate-outlook.ts'
import { type Certified, sealCertified } from './certified.ts'

export interface MadeCertificate {
  readonly certified: Certified
  readonly outlook: CertificateOutlook
}

/** Those that are missing were acted on early, so that wrong actions would be missing from the count. */
function shortWords(short: number): string {
  const debates = short === 1 ? '1 debate was' : `${countText(short)} debates were`
  return (
    `${debates} stopped by a decision before the last round, and profile total cannot tell what later rounds would have been. ` +
    'Calibrate on debates that were held to their last round, such as spot checks, or with --profile cells.'
  )
}

/** A certificate from labelled debates, and what it can do. */
export function makeCertificate(debates: CalibrationPanels, options: CalibrateOptions): MadeCertificate {
  const { panels, questionOf, contents, served, dropped } = debates
  if (options.profile === 'total' && dropped.short > 0) throw new RunError(shortWords(dropped.short))
  const certificate = calibrate(panels, { ...options, questionOf })
  return {
    certified: sealCertified(certificate, { contents, served }),
    outlook: certificateOutlook(certificate, debates, options),
  }
}
