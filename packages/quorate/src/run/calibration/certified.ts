import { constants } from 'node:buffer'
import {
  type Certificate,
  CertificateError,
  canonicalDigest,
  canonicalPieces,
  loadCertificate,
} from '@quorate/certificate'
import { z } from 'zod'
import { FileError } from '../../files/file-error.ts'
import { type RelativeRecord, relativeSchema } from '../../record/certificate.ts'
import { jsonOf } from '../../record/parse-stored.ts'
import { countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { RunError } from '../run-plan.ts'
import { type Content, type Contents, contentsOf } from './content-hash.ts'
import { digestSet } from './digest-set.ts'
import {
  type Mixture,
  mixtureOf,
  readServed,
  type ServedDebates,
  type ServedModels,
  servedModels,
  writeServed,
} from './served-models.ts'

/** A certificate with the other content of its file. */
export interface Certified {
  readonly certificate: Certificate
  /** The checksum of the file. */
  readonly id: string
  /** The file as it is stored, in canonical JSON. */
  readonly file: string
  /** Digests of the calibration questions whose text was known. */
  readonly contents: Contents
  /** Part of the fingerprint: the ids under which the calibrated models answered. */
  readonly served: ServedModels
  /** Part of the fingerprint: agents for which several models answered, where the user accepted that. */
  readonly mixed: Mixture
  /** How beta follows from the panel's own error; null: beta was declared. */
  readonly relative: RelativeRecord | null
}

const hashes = z.array(z.string())

const ownSchema = z.object({
  checksum: z.string(),
  relative: relativeSchema.optional(),
  contents: z.object({ whole: hashes, asked: hashes, bare: hashes }).optional(),
  fingerprint: z.object({
    served: z.record(z.string(), z.array(z.string())).optional(),
    mixed: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  }),
})

/** Makes the file of a certificate. It includes hashes of the calibration questions, and the models that answered them. */
export function sealCertified(
  certificate: Certificate,
  about: {
    readonly contents: Iterable<Content>
    readonly served: ServedDebates
    readonly relative?: RelativeRecord | null
  },
  limits: { readonly mostLetters?: number } = {},
): Certified {
  const { checksum: _, ...rest } = certificate.toJSON()
  const [contents, served, mixed] = [contentsOf(about.contents), servedModels(about.served), mixtureOf(about.served)]
  const fingerprint = {
    ...rest.fingerprint,
    ...(served.size === 0 ? {} : { served: writeServed(served) }),
    ...(Object.keys(mixed).length === 0 ? {} : { mixed }),
  }
  const { whole, asked, bare } = contents
  const { relative = null } = about
  const content = { ...rest, fingerprint, contents: { whole, asked, bare }, ...(relative && { relative }) }
  const checksum = canonicalDigest(content)
  const file = fileText({ ...content, checksum }, { rows: certificate.ids?.length ?? 0, ...limits })
  return { certificate, id: checksum, file, contents, served, mixed, relative }
}

/** Opens the text of a file. The error names the file. */
export function openCertifiedFile(text: string, path: string): Certified {
  try {
    return openCertified(text)
  } catch (cause) {
    const unusable = `${plainText(path)} cannot be used as a certificate`
    // The parameter `file` is the whole file, so it is no certificate at all.
    if (!(cause instanceof CertificateError) || cause.parameter !== 'file') throw new FileError(unusable, { cause })
    const expected = 'name the JSON file that "quorate calibrate" or "quorate run" wrote, or make one with them'
    // The library's advice for text that is not JSON is about an argument, and here it is the content of a file.
    const found = cause.cause instanceof SyntaxError ? cause.cause : cause
    throw new FileError(`${unusable}: ${expected}. It cannot be read`, { cause: found })
  }
}

export function openCertified(text: string): Certified {
  const certificate = loadCertificate(text)
  const value = jsonOf(text)
  const { checksum, contents, fingerprint, relative = null } = ownSchema.parse(value)
  const [served, mixed] = [readServed(fingerprint.served ?? {}), fingerprint.mixed ?? {}]
  const file = canonicalOf(value, text)
  return { certificate, id: checksum, file, contents: readContents(contents), served, mixed, relative }
}

/**
 * Measures the file, then writes it outside the heap, which would otherwise contain the pieces and the text at once.
 * `mostLetters`: the longest text in memory.
 */
function fileText(
  file: object,
  { rows, mostLetters = constants.MAX_STRING_LENGTH }: { readonly rows: number; readonly mostLetters?: number },
): string {
  let bytes = 0
  canonicalPieces(file, (piece) => {
    bytes += Buffer.byteLength(piece)
    if (bytes > mostLetters) throw tooLong(rows, mostLetters)
  })
  const text = Buffer.allocUnsafe(bytes)
  let at = 0
  canonicalPieces(file, (piece) => {
    at += text.write(piece, at)
  })
  return text.toString()
}

function tooLong(rows: number, mostLetters: number): RunError {
  return new RunError(
    `a certificate from ${countText(rows)} debates is longer than ${countText(mostLetters)} letters, the longest text ` +
      'that can be kept here: calibrate on fewer debates, sampled at random',
  )
}

/** Returns the text itself if it is canonical, as in the store, so that a large file is not kept twice. */
function canonicalOf(value: unknown, text: string): string {
  let read = 0
  let isSame = true
  canonicalPieces(value, (piece) => {
    isSame &&= text.startsWith(piece, read)
    read += piece.length
  })
  if (isSame) return text.slice(0, read)
  const pieces: string[] = []
  canonicalPieces(value, (piece) => pieces.push(piece))
  return pieces.join('')
}

/** A certificate of the library alone has no contents. */
function readContents(contents: z.infer<typeof ownSchema>['contents']): Contents {
  if (contents === undefined) return contentsOf([])
  const { whole, asked, bare } = contents
  return { whole: digestSet(whole), asked: digestSet(asked), bare: digestSet(bare) }
}
