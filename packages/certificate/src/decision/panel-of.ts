import type { Certificate } from '../certificate/calibrate.ts'
import type { ResolvedReading } from '../certificate/read-debates.ts'
import { CertificateError } from '../certificate-error.ts'

/** How a certificate reads debates. Refuses a value that cannot read any. */
export function panelOf(where: string, certificate: Certificate): ResolvedReading {
  // Saved JSON that was parsed but not loaded has everything except the functions.
  if (typeof certificate?.assess !== 'function') {
    throw new CertificateError(where, 'certificate', 'made by calibrate() or loadCertificate()', certificate)
  }
  if (certificate.panel === null) {
    const expected = 'made by calibrate(); one fitted from states is asked by bound()'
    throw new CertificateError(where, 'certificate', expected, 'one from fitCertificate()')
  }
  return certificate.panel
}
