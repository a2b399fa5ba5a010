import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { sampleEntry, sampleId, sampleIntent, sampleOutcome } from '../samples.ts'

/** Writes until it is killed, and prints each write when it is acknowledged. */
const [, , file = '', number = '0'] = process.argv
const store = openSqlite(file, { now: () => 0 })
let next = Number(number) * 1_000_000

async function writer(): Promise<never> {
  for (;;) {
    const own = next++
    const intent = sampleIntent(own, { id: sampleId(own), fence: number })
    await store.calls.open(intent)
    await store.calls.close({ ...intent, fence: number }, 'answered', sampleOutcome())
    process.stdout.write(`answered ${intent.id} end\n`)
    if (own % 10 !== 0) continue
    const { hash } = await store.ledger.append(sampleEntry({ texts: [] }))
    process.stdout.write(`appended ${hash} end\n`)
  }
}

await Promise.all(Array.from({ length: 16 }, writer))
