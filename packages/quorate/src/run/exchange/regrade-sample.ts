import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { FileError } from '../../files/file-error.ts'
import { writeWhole } from '../../files/write-whole.ts'
import { jsonOf, parseStored } from '../../record/parse-stored.ts'
import type { Millis, Store } from '../../store/store.ts'
import { plainText } from '../../text/plain-text.ts'
import { ledgerRows } from '../pages.ts'

/*
 * The sample of debates that people grade again. It is recorded when it is made, before anyone sees it. So a file that was cut
 * afterwards, even to its first rows, is recognised as a different sample.
 */

export interface RegradeSample {
  /** Ids of the sampled debates. Null if there is no sample. */
  read(): Promise<readonly string[] | null>
}

/** A sample that can be extended. It only grows: a later sample contains every earlier one. */
export interface GrowingSample extends RegradeSample {
  keep(ids: readonly string[]): Promise<void>
}

/** Kind of the ledger row that records a sample. */
const SAMPLED = 'regrades-sampled'

export const sampleSchema = z.object({
  /** The ranks of the debates are derived from the seed and their ids. */
  seed: z.string(),
  count: z.int().min(1),
  ids: z.array(z.string()).min(1),
})

const rowSchema = z.object({ kind: z.string(), body: z.unknown() })

/** The sample of a run, which is recorded in its ledger. */
export function recordedSample(store: Store, runId: string): RegradeSample {
  return {
    async read() {
      let last: readonly string[] | null = null
      for await (const { line } of ledgerRows(store, runId)) {
        const { kind, body } = parseStored(rowSchema, line, `the ledger of run ${runId}`)
        if (kind === SAMPLED) last = sampleSchema.parse(body).ids
      }
      return last
    },
  }
}

export function sampleOfRun(store: Store, runId: string, now: () => Millis): GrowingSample {
  return {
    ...recordedSample(store, runId),
    async keep(ids) {
      const body = { seed: runId, count: ids.length, ids }
      await store.ledger.append({ runId, kind: SAMPLED, at: now(), body, texts: [] })
    },
  }
}

/** The sample of a file of debates, which is recorded in a file next to it. */
export function sampleOfFile(path: string): GrowingSample {
  const beside = `${path}.sample.json`
  return {
    async read() {
      const text = await readFile(beside, 'utf8').catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === 'ENOENT') return null
        throw new FileError(`cannot read the sample ${plainText(beside)}`, { cause })
      })
      if (text === null) return null
      const read = sampleSchema.safeParse(jsonOf(text))
      if (read.success) return read.data.ids
      const field = read.error.issues[0]?.path.join('.') || 'the file'
      throw new FileError(
        `${plainText(beside)}: ${field}: expected the sample that quorate grade --sample wrote, got something else`,
      )
    },
    async keep(ids) {
      await writeWhole(beside, [`${JSON.stringify({ seed: '', count: ids.length, ids })}\n`])
    },
  }
}
