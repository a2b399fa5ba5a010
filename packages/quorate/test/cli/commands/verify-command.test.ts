import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalDigest, canonicalJson } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { nextRow, THIS_CODE } from '../../../src/store/decisions/ledger-chain.ts'
import type { LedgerRow } from '../../../src/store/store.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import { runMain } from '../run-main.ts'

const runId = 'run 1'
const STATUSES = { pending: 0, done: 1, 'agent-failure': 0, 'time-out': 0, error: 0 }
const ROWS = [
  { kind: 'run-opened', body: { kind: 'debate', questions: 1, certificateId: null } },
  { kind: 'run-closed', body: { statuses: STATUSES, acted: 0, deferred: {} } },
  { kind: 'run-resumed', body: {} },
]

/** A run of one debate that was closed, and then resumed. */
function bundle(): { readonly path: string; readonly heads: readonly string[] } {
  const rows: LedgerRow[] = []
  for (const { kind, body } of ROWS) rows.push(nextRow({ runId, kind, at: 1, body }, rows.at(-1) ?? null))
  const head = rows.at(-1)?.hash
  const header = canonicalJson({
    quorate: 1,
    kind: 'bundle',
    runId,
    head,
    rows: rows.length,
    certificate: null,
    sampling: [],
  })
  const path = join(temporaryFolder(), 'run.bundle')
  const lines = rows.map(({ hash, line }) => canonicalJson({ hash, line: JSON.parse(line) }))
  writeFileSync(path, `${[header, ...lines].join('\n')}\n`)
  return { path, heads: rows.map(({ hash }) => hash) }
}

describe('verify', () => {
  test('without a head reports that a bundle is consistent, but not that it is the original', async () => {
    const { path, heads } = bundle()
    const result = await runMain(['verify', path])
    expect(result).toMatchObject({ status: 0, stderr: '' })
    expect(result.stdout).toContain(
      'Consistent: 3 rows of run run 1, 0 decisions recomputed with the same result.\nThis does not show that the bundle is the original',
    )
    expect(result.stdout).toContain(`  ${heads[2]}\n`)
  })

  test('with the last head reports that a bundle is unchanged', async () => {
    const { path, heads } = bundle()
    const result = await runMain(['verify', path, '--head', heads[2] ?? ''])
    expect(result).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Unchanged up to the head: 3 rows/) })
  })

  test('with an earlier head fails and counts the rows that the head does not cover, unless newer rows are allowed', async () => {
    const { path, heads } = bundle()
    const args = ['verify', path, '--head', heads[1] ?? '']
    const result = await runMain(args)
    expect(result).toMatchObject({
      status: 30,
      stdout: expect.stringContaining('does not vouch for the 1 rows after it'),
    })
    expect(await runMain([...args, '--allow-newer'])).toMatchObject({ status: 0, stdout: result.stdout })
    const { stdout, status } = await runMain([...args, '--json'])
    expect(status).toBe(30)
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'whole', rows: 3, vouchedRows: 2, rowsAfterHead: 1 })
  })

  test('refuses --allow-newer without --head', async () => {
    const { path } = bundle()
    expect(await runMain(['verify', path, '--allow-newer'])).toMatchObject({ status: 2 })
  })

  test('exits with 31 if another version wrote decisions that this one cannot reproduce, and names the version', async () => {
    const code = { version: '9.0.0', methodVersion: 99 }
    const content = { quorate: 1, kind: 'certificate', methodVersion: 99, codeVersion: '9.0.0' }
    const certificateId = canonicalDigest(content)
    const samplingCommitment = '0'.repeat(64)
    const body = { kind: 'decide', questions: 0, certificateId, samplingCommitment }
    const { hash, line } = nextRow({ runId, kind: 'run-opened', at: 1, body }, null, code)
    const certificate = { ...content, checksum: certificateId }
    const sampling = [{ commitment: samplingCommitment, key: null }]
    const header = canonicalJson({ quorate: 1, kind: 'bundle', runId, head: hash, rows: 1, certificate, sampling })
    const path = join(temporaryFolder(), 'run.bundle')
    writeFileSync(path, `${header}\n${canonicalJson({ hash, line: JSON.parse(line) })}\n`)
    const result = await runMain(['verify', path, '--head', hash])
    expect(result).toMatchObject({ status: 31, stderr: '' })
    expect(result.stdout).toContain(
      'written by quorate 9.0.0 (method 99);\nthis is quorate ' +
        `${THIS_CODE.version} (method ${THIS_CODE.methodVersion}).`,
    )
    expect(result.stdout).toContain('this version cannot confirm it. Install quorate 9.0.0 to verify it.')
    expect(result.stdout).toContain('No byte has changed up to the head: 1 rows of run run 1.')
    const { stdout, status } = await runMain(['verify', path, '--json'])
    expect(status).toBe(31)
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'other-code', first: { place: 'line 1', writtenBy: code } })
  })
})
