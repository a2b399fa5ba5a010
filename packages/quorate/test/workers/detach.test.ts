import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { chaosFolder, debateLines } from '../chaos/chaos-panel.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import { sampleIntent, sampleOutcome } from '../store/samples.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { type Place, runHere, runQuorate } from './fleet.ts'

const postgres = await privatePostgres()
const QUESTIONS = 4

if (postgres.kind === 'absent') {
  test.skip(`how runs are left to workers: ${postgres.reason}`, () => {})
} else {
  const world = async (): Promise<Place> => {
    const folder = chaosFolder('http://127.0.0.1:9', { questions: QUESTIONS, folder: temporaryFolder() })
    return { folder, store: (await postgres.freshUrl()).url }
  }
  const detach = (place: Place, ...more: string[]) => runHere(place, ['debate', 'questions.jsonl', '--detach', ...more])
  const runOf = (output: string) => JSON.parse(output).runId as string // written by detachedText
  const over = async <Result>(
    { store: url }: Place,
    use: (store: Awaited<ReturnType<typeof openPostgres>>) => Result,
  ) => {
    const store = await openPostgres(url, { now: () => 0, connections: 1 })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }

  test('a second run over the same questions names the first; the next commands have the flags of the config', async () => {
    const place = await world()
    const first = runOf((await detach(place, '--json')).output)
    const second = await detach(place)
    expect(second.code, second.output).toBe(0)
    expect(second.output.replaceAll(/\s+/g, ' ')).toContain(
      `Run ${first} over these questions is still open. --resume continues it.`,
    )
    const seeded = await detach(place, '--seed', '11', '--max-cost', '5')
    expect(seeded.output).not.toContain('still open')
    expect(seeded.output).toContain('  quorate worker --seed 11 ')
    for (const line of [...second.output.split('\n'), ...seeded.output.split('\n')]) {
      expect(line.length, line).toBeLessThanOrEqual(80)
    }
    const cloned = { npm_lifecycle_event: 'quorate', npm_package_json: '/somewhere/else/package.json' }
    const { output } = await detach({ ...place, env: cloned })
    expect(output).toContain('  npm --prefix /somewhere/else run quorate -- worker\n      here and on other machines')
  })

  test('a run that cannot be resumed is refused, and the process ends', async () => {
    const place = await world()
    const runId = runOf((await detach(place, '--json')).output)
    appendFileSync(join(place.folder, 'questions.jsonl'), '{"id":"more","question":"Which?","options":["A","B"]}\n')
    const other = await runQuorate(place, ['debate', 'questions.jsonl', '--detach', '--resume', runId])
    expect(other.code, other.output).toBe(1)
    expect(other.output.replaceAll(/\s+/g, ' ')).toContain('it has another file of questions')
  })

  test('a cap that is already spent is refused with the sum', async () => {
    const place = await world()
    const runId = runOf((await detach(place, '--json')).output)
    await over(place, async (store) => {
      const { questionId = '' } = (await store.runs.questions(runId, { after: -1, limit: 1 }))[0] ?? {}
      const fence = 'a fence'
      await store.shared?.runs.take(runId, questionId, { fence, at: 1 })
      const intent = sampleIntent(1, { runId, questionId, fence })
      await store.shared?.calls.open(intent)
      await store.shared?.calls.close(intent, 'answered', sampleOutcome({ costMicroUsd: 20_000 }))
    })
    const refused = await detach(place, '--resume', runId, '--max-cost', '0.01')
    expect(refused.code, refused.output).toBe(1)
    expect(refused.output.replaceAll(/\s+/g, ' ')).toContain(
      `run ${runId} has spent 0.02 USD, and its cap would be 0.01 USD: pass a larger one with --max-cost USD`,
    )
    const larger = await detach(place, '--resume', runId, '--max-cost', '0.1')
    expect(larger.code, larger.output).toBe(0)
    expect(larger.output).toContain(`${QUESTIONS} questions again in the queue.`)
  })

  test('a finished run with failed questions has nothing pending, and --retry-errors is suggested', async () => {
    const place = await world()
    const runId = runOf((await detach(place, '--json')).output)
    await over(place, async (store) => {
      const rows = await store.runs.questions(runId, { after: -1, limit: 9 })
      for (const [index, { questionId }] of rows.entries()) {
        await store.runs.setQuestion(runId, questionId, index === 0 ? 'error' : 'done')
      }
      await store.runs.finish(runId)
    })
    const nothing = await detach(place, '--resume', runId.slice(0, 13))
    expect(nothing.code, nothing.output).toBe(1)
    expect(nothing.output).toContain('Nothing is pending. 1 question failed, and --retry-errors asks again\n')
    expect(nothing.output).toContain(
      `  quorate debate questions.jsonl --detach --resume ${runId.slice(0, 13)} --retry-errors\n`,
    )
    const again = await detach(place, '--resume', runId, '--retry-errors')
    expect(again.code, again.output).toBe(0)
    expect(again.output).toContain('1 question again in the queue.')
  })

  test('a panel that is not the calibrated one, or a certificate that cannot act, is reported before any worker starts', async () => {
    const place = await world()
    const { folder } = place
    writeFileSync(join(folder, 'debates.jsonl'), debateLines(600, seededRandom(3)))
    writeFileSync(join(folder, 'few.jsonl'), debateLines(8, seededRandom(3)))
    const calibrated = await runHere(place, ['calibrate', 'debates.jsonl', '--out', 'certificate.json'])
    expect(calibrated.code, calibrated.output).toBe(0)
    await runHere(place, ['calibrate', 'few.jsonl', '--out', 'few.json'])
    const decide = (certificate: string, ...more: string[]) =>
      runHere(place, ['decide', 'questions.jsonl', '--certificate', certificate, '--detach', ...more])
    const quiet = await decide('certificate.json')
    expect(quiet.code, quiet.output).toBe(0)
    expect(quiet.output).not.toMatch(/Panel|Idle/)
    const idle = await decide('few.json')
    expect(idle.code, idle.output).toBe(20)
    expect(idle.output).toContain('Idle      This certificate cannot act on anything')
    expect(idle.output).toContain('nobody is asked')

    const path = join(folder, 'quorate.config.json')
    const config = JSON.parse(readFileSync(path, 'utf8'))
    const [ann, ...others] = config.panel.agents
    const agents = [{ ...ann, name: 'ada' }, ...others]
    writeFileSync(path, JSON.stringify({ ...config, panel: { ...config.panel, agents } }))
    const other = await decide('certificate.json')
    expect(other.code, other.output).toBe(0)
    expect(other.output).toContain('Panel     not the calibrated one: ')
    expect((await decide('certificate.json', '--fail-on-defer')).code).toBe(10)
    expect(JSON.parse((await decide('certificate.json', '--json')).output)).toMatchObject({ upFront: 'uncalibrated' })
  })
}
