import { readFile } from 'node:fs/promises'
import { FileError } from '../files/file-error.ts'
import type { Certified } from '../run/calibration/certified.ts'
import { plainText } from '../text/plain-text.ts'

/** Reads and checks the certificate in a file. */
export async function readCertificate(path: string): Promise<Certified> {
  // Loaded lazily, so that --help is fast.
  const { openCertifiedFile } = await import('../run/calibration/certified.ts')
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new FileError(`cannot read the certificate ${plainText(path)}`, { cause })
  })
  return openCertifiedFile(text, path)
}
