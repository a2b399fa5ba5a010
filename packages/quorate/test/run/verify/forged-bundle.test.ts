import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalDigest, canonicalJson, decide, loadCertificate } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { ModelError } from '../../../src/model/model-error.ts'
import { debatesOfFile } from '../../../src/run/calibration/recorded-debates.ts'
import { exportLines } from '../../../src/run/exchange/export-lines.ts'
import { importDebates } from '../../../src/run/exchange/import-debates.ts'
import { commitmentOf } from '../../../src/run/intake.ts'
import { verifyBundle } from '../../../src/run/verify/verify-bundle.ts'
import { type CodeVersion, nextRow, THIS_CODE } from '../../../src/store/decisions/ledger-chain.ts'
import type { LedgerRow, Store } from '../../../src/store/store.ts'
import { SAMPLE_KEY } from '../../store/samples.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import {
  all,
  countedModels,
  memoryStore,
  runWorld,
  samplePlan,
  sharedCertified,
  simulatedQuestions,
} from '../run-world.ts'

/** A row's line, as a forger sees it. */
// biome-ignore lint/suspicious/noExplicitAny: a forger changes whatever there is
type Line = { kind: string; body: any; code?: CodeVersion }

const FRESH = simulatedQuestions(20, { from: 120 })
const shared = () => sharedCertified(simulatedQuestions(120))

async function bundleOf(store: Store, runId: string): Promise<readonly string[]> {
  const run = await store.runs.find(runId)
  if (run === null) throw new Error('the run is gone')
  return all(exportLines(store, run, 'bundle'))
}

function verify(lines: readonly string[], head?: string) {
  const path = join(temporaryFolder(), 'run.bundle')
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  return verifyBundle(path, head)
}

/** The bundle with other rows, in a valid chain. */
function chained([first = '']: readonly string[], lines: readonly Line[]): readonly string[] {
  const header = JSON.parse(first)
  const rows: LedgerRow[] = []
  for (const { kind, body, code } of lines) {
    rows.push(nextRow({ runId: header.runId, kind, at: 1, body }, rows.at(-1) ?? null, code))
  }
  const texts = rows.map(({ hash, line }) => canonicalJson({ hash, line: JSON.parse(line) }))
  return [canonicalJson({ ...header, head: rows.at(-1)?.hash, rows: rows.length }), ...texts]
}

let bundled: Promise<{ lines: readonly string[]; head: string }> | null = null

/** The bundle of a run that acted, deferred and sampled spot checks. */
function sample() {
  bundled ??= (async () => {
    const store = memoryStore()
    const plan = samplePlan({ kind: 'decide', spotCheckRate: 0.3 })
    const { runId, head } = await runWorld({ store, plan, questions: FRESH, certified: await shared() })
    return { lines: await bundleOf(store, runId), head }
  })()
  return bundled
}

const linesOf = (lines: readonly string[]): Line[] => lines.slice(1).map((text) => JSON.parse(text).line)
const isAct = ({ kind, body }: Line) => kind === 'decision' && body.kind === 'act'

/** Changes the body of the first action. */
const inAction = (change: object) => (lines: Line[]) => {
  const at = lines.findIndex(isAct)
  return lines.map((line, index) => (index === at ? { ...line, body: { ...line.body, ...change } } : line))
}
const inKind = (wanted: string, change: object) => (lines: Line[]) =>
  lines.map((line) => (line.kind === wanted ? { ...line, body: { ...line.body, ...change } } : line))

describe('a forged bundle with a valid chain is found', () => {
  test.each<[string, (lines: Line[]) => Line[], string]>([
    ['without its opening', (lines) => lines.filter(({ kind }) => kind !== 'run-opened'), 'opened first'],
    ['opened twice', ([first, ...rest]) => (first ? [first, first, ...rest] : []), 'opened a second time'],
    [
      'with a kind nobody knows',
      (lines) => lines.map((line) => (isAct(line) ? { ...line, kind: 'decision ' } : line)),
      'kind of row',
    ],
    ['without one of its decisions', (lines) => lines.toSpliced(lines.findIndex(isAct), 1), 'actions, the chain has'],
    [
      'with a decision twice',
      (lines) => [...lines, lines.find(isAct) ?? lines[0] ?? { kind: '', body: {} }],
      'decided a second time',
    ],
    ['with other counts of actions', inKind('run-closed', { acted: 99_999 }), 'it names 99999 actions'],
    ['with other counts of deferrals', inKind('run-closed', { deferred: { 'bound-low': 999 } }), 'deferrals for'],
    ['with an end without counts', inKind('run-closed', { statuses: {} }), 'end of a run'],
    [
      'with more questions than it closed',
      inKind('run-opened', { questions: 21 }),
      'it names 20 questions, the chain has 21',
    ],
    ['with a decision of another run', inAction({ runId: 'another' }), 'another run'],
    ['with a decision on another question', inAction({ questionId: 'another' }), 'another question'],
    ['with a decision in shadow', inAction({ isShadow: true }), 'in shadow'],
    [
      'with a selection of another result',
      (lines) => inAction({ isSpotCheck: !lines.find(isAct)?.body.isSpotCheck })(lines),
      'its selection has another result',
    ],
    ['with a selection by a key that was never committed to', inAction({ sampling: { key: 2, rate: 0.3 } }), 'key 2'],
    ['with a selection at another rate', inAction({ sampling: { key: 1, rate: 0.9 } }), 'selected with the rate 0.9'],
    ['with a decision without a selection', inAction({ sampling: null }), 'sampling is null'],
    ['without a commitment', inKind('run-opened', { samplingCommitment: null }), 'does not commit'],
    ['with another commitment', inKind('run-opened', { samplingCommitment: '0'.repeat(64) }), 'does not name'],
    ['with another mismatch', inAction({ mismatch: ['models'] }), 'other differences of the panel'],
    [
      'with a review that nobody asked for',
      inAction({ review: { source: 'deferral', reason: null } }),
      'its review does not match',
    ],
    ['with an action that has a reason', inAction({ reason: 'bound-low' }), 'with a reason'],
  ])('%s', async (_, forge, words) => {
    const { lines } = await sample()
    const verdict = await verify(chained(lines, forge(linesOf(lines))))
    expect(verdict).toMatchObject({ kind: 'broken', reason: expect.stringContaining(words) })
  })

  test('with its sampling key replaced or withheld', async () => {
    const { lines } = await sample()
    const [first = '', ...rows] = lines
    const header = JSON.parse(first)
    const [{ commitment, key }] = header.sampling
    expect({ commitment, key }).toEqual({ commitment: commitmentOf(SAMPLE_KEY), key: SAMPLE_KEY })
    const other = '0'.repeat(64)
    const named = (sampling: object[]) => [canonicalJson({ ...header, sampling }), ...rows]
    const reasonOf = async (sampling: object[]) => await verify(named(sampling))
    expect(await reasonOf([{ commitment, key: other }])).toMatchObject({
      reason: expect.stringContaining('is not the one that the chain commits to'),
    })
    expect(await reasonOf([{ commitment: commitmentOf(other), key: other }])).toMatchObject({
      reason: expect.stringContaining('does not name the sampling key 1'),
    })
    expect(await reasonOf([{ commitment, key: null }])).toMatchObject({
      reason: expect.stringContaining('withholds the sampling key 1'),
    })
    expect(await reasonOf([])).toMatchObject({ kind: 'broken' })
  })

  test('with an action that was shortened to a time-out', async () => {
    const { lines } = await sample()
    const all = linesOf(lines)
    const at = all.findIndex((line) => isAct(line) && !line.body.isSpotCheck)
    const { body } = all[at] ?? { body: {} }
    const earlier = body.round - 1
    const cut = { ...body, kind: 'defer', reason: 'time-out', answer: null, bound: null, round: earlier }
    cut.debate = { ...body.debate, rounds: body.debate.rounds.slice(0, earlier) }
    cut.path = body.path.slice(0, earlier)
    cut.review = { source: 'deferral', reason: 'time-out' }
    const forged = (change: object) => chained(lines, all.with(at, { kind: 'decision', body: { ...cut, ...change } }))
    for (const change of [{ answer: 'B' }, { bound: 0.999 }]) {
      expect(await verify(forged(change))).toMatchObject({
        reason: expect.stringContaining('it defers with an answer'),
      })
    }
    expect(await verify(forged({ round: 99 }))).toMatchObject({ reason: expect.stringContaining('in round 99') })
    expect(await verify(forged({}))).toMatchObject({ reason: expect.stringContaining('actions, the chain has') })
  })

  test('with an action although the panel differs', async () => {
    const { lines } = await sample()
    const other = { mismatch: ['models'] }
    const both = (change: object) =>
      chained(lines, inKind('run-opened', { ...other, ...change })(inKind('decision', other)(linesOf(lines))))
    expect(await verify(both({}))).toMatchObject({ reason: expect.stringContaining('not the calibrated one') })
    expect(await verify(both({ allowMismatch: true }))).toMatchObject({ kind: 'whole' })
    expect(await verify(both({ upFront: 'uncalibrated' }))).toMatchObject({ kind: 'broken' })
  })
})

test('a completely rewritten bundle is consistent, but does not match a head that was noted', async () => {
  const { lines, head } = await sample()
  const certificate = loadCertificate(JSON.stringify(JSON.parse(lines[0] ?? '').certificate))
  const forged = linesOf(lines).map((line) => {
    if (!isAct(line)) return line
    const [answer, other] = [
      line.body.answer,
      line.body.debate.options.find((name: string) => name !== line.body.answer),
    ]
    const swap = (name: string) => (name === answer ? other : name === other ? answer : name)
    const turned = (turn: { answer: string; beliefs: object | null }) => ({
      ...turn,
      answer: swap(turn.answer),
      beliefs:
        turn.beliefs && Object.fromEntries(Object.entries(turn.beliefs).map(([name, share]) => [swap(name), share])),
    })
    const debate = { ...line.body.debate, rounds: line.body.debate.rounds.map((turns: []) => turns.map(turned)) }
    const again = JSON.parse(JSON.stringify(decide(certificate, debate)))
    return { ...line, body: { ...line.body, ...again, debate } }
  })
  const rewritten = chained(lines, forged)
  expect(await verify(rewritten)).toMatchObject({ kind: 'whole', vouchedRows: 0 })
  expect(await verify(rewritten, head)).toMatchObject({ kind: 'broken' })
})

test('rows that were added after the head are counted, and not vouched for', async () => {
  const { lines, head } = await sample()
  const [first = '', ...rows] = lines
  const { line } = JSON.parse(rows.at(-1) ?? '')
  const last = { runId: line.runId, sequence: line.sequence, line: canonicalJson(line), hash: head }
  const added = nextRow({ runId: line.runId, kind: 'run-resumed', at: 1, body: {} }, last)
  const header = { ...JSON.parse(first), head: added.hash, rows: added.sequence }
  const longer = [canonicalJson(header), ...rows, canonicalJson({ hash: added.hash, line: JSON.parse(added.line) })]
  expect(await verify(longer, head)).toMatchObject({ kind: 'whole', vouchedRows: rows.length, rowsAfterHead: 1 })
})

describe('a bundle of an honest run verifies', () => {
  test('while it is open, without its key and with its selections unchecked, and says so', async () => {
    const store = memoryStore()
    const stopping = new AbortController()
    const { models } = countedModels(async (_, call) => {
      if (call === 30) stopping.abort()
    })
    const plan = samplePlan({ kind: 'decide', spotCheckRate: 0.3 })
    const tools = { stopping: stopping.signal }
    const world = { store, plan, questions: FRESH, certified: await shared() }
    const { runId, halt } = await runWorld({ ...world, models, tools })
    expect(halt).toBe('interrupted')
    const lines = await bundleOf(store, runId)
    expect(lines.join('\n')).not.toContain(SAMPLE_KEY)
    const verdict = await verify(lines)
    expect(verdict).toMatchObject({ kind: 'whole', repeatedSelections: 0 })
    expect(verdict.kind === 'whole' && verdict.uncheckedSelections === verdict.decisions && verdict.decisions > 0).toBe(
      true,
    )
    // Once closed, it discloses the key, and every selection is repeated.
    const over = await runWorld({ ...world, resume: { kind: 'latest' } })
    const closed = await bundleOf(store, over.runId)
    expect(await verify(closed)).toMatchObject({
      kind: 'whole',
      decisions: 20,
      repeatedSelections: 20,
      uncheckedSelections: 0,
    })
  })

  test('that failed, was resumed and decided', async () => {
    const store = memoryStore()
    const world = { store, plan: samplePlan({ kind: 'decide' }), questions: FRESH, certified: await shared() }
    const { models } = countedModels(async (agent, call) => {
      if (agent === 'bob' && call < 20) throw new ModelError('request', 'no', { charged: 'no' })
    })
    const failed = await runWorld({ ...world, models })
    expect(failed.tally.statuses['agent-failure']).toBeGreaterThan(0)
    expect(await verify(await bundleOf(store, failed.runId), failed.head)).toMatchObject({ kind: 'whole' })
    const [erased] = (await store.runs.questions(failed.runId, { after: -1, limit: 99 })).filter(
      ({ status }) => status === 'agent-failure',
    )
    await store.redact(erased?.questionId ?? '')
    const again = await runWorld({ ...world, resume: { kind: 'latest' }, retryErrors: true })
    expect(again.tally.statuses).toMatchObject({ 'agent-failure': 0, done: 19, error: 1 })
    expect(await verify(await bundleOf(store, again.runId), again.head)).toMatchObject({ kind: 'whole' })
  })

  test.each([
    ['in shadow', { isShadow: true }, {}],
    ['with another panel', { seed: 7 }, { allowMismatch: false }],
    ['with another panel that was allowed', { seed: 7 }, { allowMismatch: true }],
  ])('%s', async (title, change, allow) => {
    const plain = samplePlan({ kind: 'decide', spotCheckRate: 0.3, ...change })
    const agents = plain.panel.agents.map((agent) => ({ ...agent, model: `${agent.model}-2` }))
    const plan = title.includes('panel') ? { ...plain, panel: { ...plain.panel, agents } } : plain
    const store = memoryStore()
    const { runId, head } = await runWorld({ store, plan, questions: FRESH, certified: await shared(), allow })
    expect(await verify(await bundleOf(store, runId), head)).toMatchObject({ kind: 'whole', decisions: 20 })
  })

  test('that only debated, and of debates of another tool', async () => {
    const store = memoryStore()
    const { runId, head } = await runWorld({ store, plan: samplePlan(), questions: FRESH })
    expect(await verify(await bundleOf(store, runId), head)).toMatchObject({ kind: 'whole', decisions: 0 })
    const run = await store.runs.find(runId)
    const path = join(temporaryFolder(), 'debates.jsonl')
    if (run !== null) writeFileSync(path, (await all(exportLines(store, run, 'debates'))).join('\n'))
    let id = 0
    const tools = { now: () => 1, newId: () => `import ${++id}`, where: 'debates.jsonl' }
    const imported = await importDebates(store, () => debatesOfFile(path), tools)
    const lines = await bundleOf(store, imported.id)
    expect(await verify(lines)).toMatchObject({ kind: 'whole', rows: 2 })
    const forged = chained(lines, inKind('run-closed', { questions: 3 })(linesOf(lines)))
    expect(await verify(forged)).toMatchObject({ reason: 'it names 3 questions, the chain has 20' })
  })
})

describe('a bundle that another version wrote', () => {
  const OTHER = { version: '0.0.9', methodVersion: 1 }
  const inLines = (code: CodeVersion) => (lines: Line[]) => lines.map((line) => ({ ...line, code }))
  /** The bound of the first action, as another version would have computed it. */
  const otherBound = (lines: Line[]) => {
    const { bound, path } = lines.find(isAct)?.body ?? {}
    const last = path.at(-1)
    return inAction({ bound: bound + 1e-6, path: path.with(-1, { ...last, lower: last.lower + 1e-6 }) })(lines)
  }

  test('is whole if the values are the same', async () => {
    const { lines } = await sample()
    expect(await verify(chained(lines, inLines(OTHER)(linesOf(lines))))).toMatchObject({ kind: 'whole', decisions: 20 })
  })

  test('is neither verified nor called changed if they differ', async () => {
    const { lines } = await sample()
    const written = chained(lines, inLines(OTHER)(otherBound(linesOf(lines))))
    const verdict = await verify(written, JSON.parse(written[0] ?? '').head)
    expect(verdict).toMatchObject({
      kind: 'other-code',
      decisions: 19,
      unconfirmedDecisions: 1,
      rowsAfterHead: 0,
      first: {
        place: expect.stringMatching(/^row \d+$/),
        writtenBy: OTHER,
        reason: expect.stringContaining('with the bound'),
      },
      thisCode: THIS_CODE,
    })
  })

  test('is changed if it claims that this version wrote it', async () => {
    const { lines } = await sample()
    expect(await verify(chained(lines, otherBound(linesOf(lines))))).toMatchObject({ kind: 'broken' })
  })

  test('is changed if the chain is broken after a differing value, or a decision contradicts its run', async () => {
    const { lines } = await sample()
    const written = chained(lines, inLines(OTHER)(otherBound(linesOf(lines))))
    const end = written.at(-1) ?? ''
    expect(await verify([...written.slice(0, -1), end.replace('"acted":', '"bcted":')])).toMatchObject({
      kind: 'broken',
    })
    const shadow = inAction({ isShadow: true })(otherBound(linesOf(lines)))
    expect(await verify(chained(lines, inLines(OTHER)(shadow)))).toMatchObject({ kind: 'broken' })
    const swapped = inAction({ certificateId: '0'.repeat(64) })(linesOf(lines))
    expect(await verify(chained(lines, inLines(OTHER)(swapped)))).toMatchObject({ kind: 'broken' })
  })

  test('with a certificate of another method is not confirmed, and is changed if the certificate is', async () => {
    const { lines } = await sample()
    const [first = ''] = lines
    const { certificate, ...header } = JSON.parse(first)
    const { checksum: _, ...content } = { ...certificate, methodVersion: 99, codeVersion: '0.2.0' }
    const id = canonicalDigest(content)
    const newer = { version: '0.2.0', methodVersion: 99 }
    const named = inKind('run-opened', { certificateId: id })(inKind('decision', { certificateId: id })(linesOf(lines)))
    const bundle = (file: object, rows: Line[]) => chained([JSON.stringify({ ...header, certificate: file })], rows)
    const whole = { ...content, checksum: id }
    expect(await verify(bundle(whole, inLines(newer)(named)))).toMatchObject({
      kind: 'other-code',
      decisions: 0,
      unconfirmedDecisions: 20,
      first: { place: 'line 1', writtenBy: newer },
    })
    expect(await verify(bundle({ ...whole, budget: {} }, inLines(newer)(named)))).toMatchObject({ kind: 'broken' })
    // This version could not have decided with it.
    expect(await verify(bundle(whole, named))).toMatchObject({ kind: 'broken' })
  })
})
