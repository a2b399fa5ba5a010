import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '@quorate/certificate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFullLane, sized } from '../../../../../tools/lane.ts'
import { exportLines } from '../../../src/run/exchange/export-lines.ts'
import { verifyBundle } from '../../../src/run/verify/verify-bundle.ts'
import { nextRow } from '../../../src/store/decisions/ledger-chain.ts'
import type { Store } from '../../../src/store/store.ts'
import { isOnSqlite, newStore } from '../../store/store-under-test.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import { all, runWorld, samplePlan, sharedCertified, simulatedQuestions } from '../run-world.ts'

async function bundled(store: Store, runId: string): Promise<readonly string[]> {
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  return all(exportLines(store, run, 'bundle'))
}

async function decided() {
  const store = await newStore()
  const certified = await sharedCertified(simulatedQuestions(120))
  const plan = samplePlan({ kind: 'decide', spotCheckRate: 0.2 })
  const questions = simulatedQuestions(12, { from: 120 })
  const { runId, head } = await runWorld({ store, plan, questions, certified })
  return { store, runId, head, questions, lines: await bundled(store, runId) }
}

let made: ReturnType<typeof decided> | null = null

/** A bundle for all tests that only read it. Its store is closed. */
async function sample() {
  made ??= decided()
  const { lines, head, runId } = await made
  return { lines, head, runId }
}

function verify(lines: readonly string[], head?: string) {
  const path = join(temporaryFolder(), 'run.bundle')
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  return verifyBundle(path, head)
}

describe('a bundle', () => {
  test('verifies, with every decision recomputed', async () => {
    const { lines, head, runId } = await sample()
    const whole = {
      kind: 'whole',
      runId,
      rows: 14,
      head,
      rowsAfterHead: 0,
      decisions: 12,
      repeatedSelections: 12,
      uncheckedSelections: 0,
    }
    expect(await verify(lines)).toEqual({ ...whole, vouchedRows: 0 })
    expect(await verify(lines, head)).toEqual({ ...whole, vouchedRows: 14 })
  })

  // Bytes of a file are changed and no store is read, so `npm test` does this for one engine.
  if (isOnSqlite() || isFullLane) {
    test('is broken by a change of any byte of any line, including line feeds', async () => {
      const { lines } = await sample()
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const starts = lines.map((_, index) => Buffer.byteLength(lines.slice(0, index).join('\n')) + (index > 0 ? 1 : 0))
      const path = join(temporaryFolder(), 'run.bundle')
      const line = fc.nat({ max: lines.length - 1 })
      await fc.assert(
        fc.asyncProperty(
          line,
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.integer({ min: 1, max: 255 }),
          async (...flip) => {
            const [row, share, change] = flip
            const [start, end] = [starts[row] ?? 0, starts[row + 1] ?? bytes.length]
            const at = start + Math.min(end - start - 1, Math.floor(share * (end - start)))
            const changed = Buffer.from(bytes)
            changed[at] = (changed[at] ?? 0) ^ change
            writeFileSync(path, changed)
            expect((await verifyBundle(path)).kind, `byte ${at}`).toBe('broken')
          },
        ),
        {
          seed: 1,
          numRuns: sized({ short: 100, full: 250 }),
          examples: lines.flatMap(
            (_, row) =>
              [
                [row, 0, 1],
                [row, 1, 7],
              ] as [number, number, number][],
          ),
        },
      )
    })
  }

  test('is broken by bytes that are removed or added, at the start and at the end', async () => {
    const { lines } = await sample()
    const text = lines.map((line) => `${line}\n`).join('')
    const path = join(temporaryFolder(), 'run.bundle')
    for (const changed of [text.slice(0, -1), text.slice(0, -2), `\ufeff${text}`, `${text}\n`, `${text} `, '']) {
      writeFileSync(path, changed)
      expect((await verifyBundle(path)).kind, JSON.stringify(changed.slice(-20))).toBe('broken')
    }
  })

  test('is broken by a cut tail, and by a hidden one if the head was noted', async () => {
    const { lines, head } = await sample()
    const cut = lines.slice(0, -1)
    expect(await verify(cut)).toMatchObject({ kind: 'broken' })
    const last = JSON.parse(cut.at(-1) ?? '')
    const header = { ...JSON.parse(cut[0] ?? ''), head: last.hash, rows: cut.length - 1 }
    const hidden = [canonicalJson(header), ...cut.slice(1)]
    expect(await verify(hidden)).toMatchObject({ kind: 'whole' })
    expect(await verify(hidden, head)).toMatchObject({ kind: 'broken' })
  })

  test('is broken by a decision that the certificate does not make, in a valid chain', async () => {
    const { lines } = await sample()
    const forged: string[] = []
    let last: ReturnType<typeof nextRow> | null = null
    for (const text of lines.slice(1)) {
      const { line } = JSON.parse(text)
      const body =
        line.kind === 'decision' && line.body.kind === 'act'
          ? { ...line.body, bound: line.body.bound + 1e-9 }
          : line.body
      last = nextRow({ runId: line.runId, kind: line.kind, at: line.at, body }, last)
      forged.push(canonicalJson({ hash: last.hash, line: JSON.parse(last.line) }))
    }
    const header = { ...JSON.parse(lines[0] ?? ''), head: last?.hash }
    const verdict = await verify([canonicalJson(header), ...forged])
    expect(verdict).toMatchObject({ kind: 'broken', reason: expect.stringContaining('recomputed') })
  })

  test('contains no text, and stays the same after texts are erased', async () => {
    const { store, lines, runId, questions } = await decided()
    const [first] = questions
    expect(lines.join('\n')).not.toContain(first?.question)
    expect((await store.redact(first?.id ?? '')).erased).toBeGreaterThan(0)
    expect(await bundled(store, runId)).toEqual(lines)
    const debate = await store.debates.find(runId, first?.id ?? '')
    expect(debate?.debate).not.toContain(first?.question)
  })
})

test('a file that is no bundle is reported as such', async () => {
  expect(await verify(['{"id":"q"}'])).toMatchObject({ kind: 'broken', place: 'line 1' })
})
