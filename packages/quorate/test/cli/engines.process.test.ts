import { readFileSync } from 'node:fs'
import { calibrate, decide, loadCertificate, replay } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { simulatedQuestions } from '../run/run-world.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import { commandFolder } from './command-folder.ts'

const postgres = await privatePostgres()
const BUDGET = { beta: 0.3, delta: 0.03, epsilon: 0.02 }
/** The budget of the library that is equivalent to that of the config. */
const DECLARED = { total: { ...BUDGET, total: { kind: 'pac', delta: BUDGET.delta } }, cells: BUDGET } as const

/** From questions to decisions that verify, with the same bounds from the library on the exported debates. */
async function wholeWay(profile: 'total' | 'cells', env: Readonly<Record<string, string>> = {}): Promise<void> {
  const agents = ['ada', 'bob', 'cleo'].map((name) => ({ name, model: `simulated/${name}` }))
  const certificate = { profile }
  const config = { panel: { agents, rounds: 3 }, budget: BUDGET, certificate, review: { spotCheckRate: 0.2 } }
  const { at, ask, run } = commandFolder(config)
  ask('labelled.jsonl', simulatedQuestions(150))
  ask('fresh.jsonl', simulatedQuestions(25, { from: 150 }))
  const ran = async (...args: readonly string[]) => {
    const result = await run([...args, '--json'], env)
    expect(result.status, `${args.join(' ')}: ${result.stderr}`).toBe(0)
    return result.json()
  }
  const lines = (name: string) => {
    const texts = readFileSync(at(name), 'utf8').trimEnd().split('\n')
    return texts.map((line) => JSON.parse(line))
  }
  const debated = await ran('debate', 'labelled.jsonl', '--out', 'debates.jsonl')
  await ran('calibrate', '--run', debated.runId, '--out', 'of-run.json')
  await ran('calibrate', 'debates.jsonl', '--out', 'of-file.json')
  const decided = await ran('decide', 'fresh.jsonl', '--certificate', 'of-run.json', '--out', 'decisions.jsonl')
  await ran('debate', 'fresh.jsonl', '--out', 'fresh-debates.jsonl')
  const bundle = await ran('export', '--run', decided.runId, '--what', 'bundle', '--out', 'run.bundle')
  const verified = await ran('verify', 'run.bundle', '--head', String(bundle['head']))
  expect(verified).toMatchObject({ kind: 'whole', decisions: 25, rowsAfterHead: 0 })

  const library = calibrate(lines('debates.jsonl'), { profile, budget: DECLARED[profile], beliefs: 'stated' })
  const fresh = lines('fresh-debates.jsonl')
  const decisions = new Map(lines('decisions.jsonl').map((decision) => [decision.questionId, decision]))
  expect(decided['acted']).toBeGreaterThan(0)
  expect(decisions.size).toBe(25)
  for (const certificate of [library, loadCertificate(readFileSync(at('of-file.json'), 'utf8'))]) {
    const { bounds, actedAt } = replay(certificate, fresh).at(DECLARED[profile])
    for (const [row, debate] of fresh.entries()) {
      const decision = decisions.get(debate.id)
      expect(decision.path).toEqual(JSON.parse(JSON.stringify(decide(certificate, debate).path)))
      for (const { round, lower } of decision.path) expect(lower ?? Number.NaN).toBe(bounds[row * 3 + round - 1])
      expect(decision.kind === 'act' ? decision.round : 0).toBe(actedAt[row])
    }
  }
}

test.each(['total', 'cells'] as const)(
  'on SQLite the command line works end to end with %s, with the bounds of the library to the last bit',
  (profile) => wholeWay(profile),
)

if (postgres.kind === 'absent') {
  test.skip(`the command line on PostgreSQL: ${postgres.reason}`, () => {})
} else {
  test('on PostgreSQL the command line works end to end, through QUORATE_STORE', async () => {
    const { url, schema } = await postgres.freshUrl()
    await wholeWay('total', { QUORATE_STORE: url })
    const { rows } = await postgres.admin.query(`select count(*)::int as count from ${schema}.decisions`)
    expect(rows).toEqual([{ count: 25 }])
  })
}
