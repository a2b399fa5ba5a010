import { type CalibrateOptions, calibrate } from '@quorate/certificate'
import type { CalibrationPanels } from './calibration-panels.ts'
import { type CertificateOutlook, certificateOutlook } from './certificate-outlook.ts'
import { type Certified, sealCertified } from './certified.ts'

export interface MadeCertificate {
  readonly certified: Certified
  readonly outlook: CertificateOutlook
}

/** A certificate from labelled debates, and what it can do. */
export function makeCertificate(debates: CalibrationPanels, options: CalibrateOptions): MadeCertificate {
  const { panels, questionOf, contents, served } = debates
  const certificate = calibrate(panels, { ...options, questionOf })
  return {
    certified: sealCertified(certificate, { contents, served }),
    outlook: certificateOutlook(certificate, debates, options),
  }
}
