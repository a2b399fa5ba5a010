import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { jsonOf } from '../../record/parse-stored.ts'
import { type Archived, readArchive } from '../exchange/archive-calls.ts'

/** The result of checking a file that `quorate archive` may have written. */
export type ArchiveVerdict =
  | ({ readonly kind: 'archive'; readonly runId: string } & Archived)
  | { readonly kind: 'broken'; readonly place: string; readonly reason: string }

const MAGIC = Buffer.from([0x1f, 0x8b])
const NEW_LINE = 0x0a
const firstSchema = z.looseObject({ quorate: z.literal(1), id: z.string(), runId: z.string(), questionId: z.string() })

/** Null: the file is not compressed, so it is no archive. If `digest` is given, the lines must have this digest. */
export async function verifyArchive(path: string, digest?: string): Promise<ArchiveVerdict | null> {
  if (!(await isCompressed(path))) return null
  try {
    const first = firstSchema.safeParse(jsonOf(await firstLine(path)))
    if (!first.success) return broken('line 1', 'expected an archive of calls, got another compressed file')
    const read = await readArchive(path)
    if (digest !== undefined && read.digest !== digest) {
      return broken('its lines', `their sha256 is ${read.digest}, which is not the given one`)
    }
    return { kind: 'archive', runId: first.data.runId, ...read }
  } catch (error) {
    if (!isZlibError(error)) throw error
    return broken('its end or within', 'expected a whole compressed file; it is cut or was changed')
  }
}

async function isCompressed(path: string): Promise<boolean> {
  // The reader of the bundle reports a file that cannot be read.
  const file = await open(path).catch(() => null)
  if (file === null) return false
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    return bytesRead === MAGIC.length && buffer.equals(MAGIC)
  } catch {
    return false
  } finally {
    await file.close()
  }
}

async function firstLine(path: string): Promise<string> {
  const source = createReadStream(path)
  const chunks: Buffer[] = []
  try {
    for await (const chunk of source.pipe(createGunzip())) {
      const end = chunk.indexOf(NEW_LINE)
      chunks.push(end < 0 ? chunk : chunk.subarray(0, end))
      if (end >= 0) break
    }
  } finally {
    source.destroy()
  }
  return Buffer.concat(chunks).toString()
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))
}

function broken(place: string, reason: string): ArchiveVerdict {
  return { kind: 'broken', place, reason }
}
