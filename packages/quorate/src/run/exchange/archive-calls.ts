import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { FileError } from '../../files/file-error.ts'
import { ledgerLineSchema } from '../../record/ledger.ts'
import { findStored } from '../../record/parse-stored.ts'
import type { Millis, Run, Store } from '../../store/store.ts'
import { plainText } from '../../text/plain-text.ts'
import { callRows, PAGE_ROWS } from '../pages.ts'

export interface Archived {
  readonly calls: number
  /** SHA-256 of the lines. */
  readonly digest: string
}

/** Calls that are removed from the database in one commit. */
const CALLS_AT_ONCE = 2000

/**
 * Writes the calls of a finished run into a file, reads it back, and only then removes them from the database. The row of the
 * ledger is about the file, and comes first, so that no call is removed without a trace. If the process ends in between, or
 * another process adds calls, calls remain in both places, and archiving again continues with another file and row.
 */
export async function archiveCalls(
  store: Store,
  run: Run,
  { path, now }: { readonly path: string; readonly now: () => Millis },
): Promise<Archived> {
  const written = await writeArchive(path, store, run.id)
  const read = await readArchive(path).catch((cause: unknown) => ({ calls: 0, digest: null, cause }))
  if (read.digest !== written.digest || read.calls !== written.calls) {
    const fate = (await tryRemove(path)) ? 'was removed' : 'could not be removed'
    throw new FileError(
      `${plainText(path)} could not be read back as written and ${fate}: the calls stay in the store`,
      'cause' in read ? { cause: read.cause } : {},
    )
  }
  const { calls, digest } = written
  const body = { calls, digest }
  await store.ledger.append({ runId: run.id, kind: 'calls-archived', at: now(), body, texts: [] })
  for (const { last, count } of written.marks) await store.calls.moveOut(run.id, last, count)
  return { calls, digest }
}

/** The last archive of a run's calls; null: there is none. */
export async function lastArchived(store: Store, runId: string): Promise<(Archived & { readonly at: Millis }) | null> {
  // Read backwards, because the row is near the end.
  let before = ((await store.ledger.head(runId))?.sequence ?? 0) + 1
  while (before > 1) {
    const after = Math.max(0, before - 1 - PAGE_ROWS)
    const rows = await store.ledger.list(runId, { after, limit: before - 1 - after })
    for (const { line } of rows.toReversed()) {
      const archived = findStored(archivedSchema, line)
      if (archived !== null) return { ...archived.body, at: archived.at }
    }
    before = after + 1
  }
  return null
}

const archivedSchema = ledgerLineSchema.pick({ at: true }).extend({
  kind: z.literal('calls-archived'),
  body: z.object({ calls: z.number(), digest: z.string() }),
})

/** The last id of a page and the number of its calls, for the commit that removes them. */
interface Mark {
  readonly last: string
  readonly count: number
}

async function writeArchive(
  path: string,
  store: Store,
  runId: string,
): Promise<Archived & { readonly marks: readonly Mark[] }> {
  const hash = createHash('sha256')
  const marks: Mark[] = []
  let calls = 0
  let last = ''
  const lines = async function* () {
    for await (const call of callRows(store, runId)) {
      const line = `${JSON.stringify({ quorate: 1, ...call })}\n`
      hash.update(line)
      last = call.id
      if (++calls % CALLS_AT_ONCE === 0) marks.push({ last, count: CALLS_AT_ONCE })
      yield line
    }
  }
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new FileError(`cannot write ${plainText(path)}`, { cause })
  })
  try {
    await pipeline(Readable.from(lines()), createGzip(), file.createWriteStream({ flush: true }))
  } catch (error) {
    await tryRemove(path)
    throw error
  } finally {
    await file.close().catch(() => {})
  }
  if (calls % CALLS_AT_ONCE > 0) marks.push({ last, count: calls % CALLS_AT_ONCE })
  return { calls, digest: hash.digest('hex'), marks }
}

/** Removes a bad archive, which contains replies. It never rejects, because the caller has the error that matters. */
function tryRemove(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    () => false,
  )
}

/** Counts line feeds in the bytes, because line readers may also split at characters such as U+2028. */
export async function readArchive(path: string): Promise<Archived> {
  const hash = createHash('sha256')
  let calls = 0
  await pipeline(createReadStream(path), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk)
      for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) calls += 1
    }
  })
  return { calls, digest: hash.digest('hex') }
}

const NEW_LINE = 0x0a
