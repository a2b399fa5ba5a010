import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startFakeProvider } from '../fake-provider/fake-provider.ts'
import { providerFolder } from '../run/provider-folder.ts'
import { privatePostgres } from '../store/private-postgres.ts'
import { type Place, runHere, startFleet } from './fleet.ts'

const postgres = await privatePostgres()
const QUESTIONS = 16
const CALLS = QUESTIONS * 3 * 3

if (postgres.kind === 'absent') {
  test.skip(`commands of detached runs: ${postgres.reason}`, () => {})
} else {
  const world = async (latencyMs: number) => {
    const fake = await startFakeProvider({ latencyMs })
    const folder = providerFolder(fake.url, { questions: QUESTIONS })
    const { url } = await postgres.freshUrl()
    return { fake, place: { folder, store: url } }
  }

  describe('a run that is left to workers', () => {
    test('is reported with the next step, and calls no model; status shows that no worker works on it', async () => {
      const { fake, place } = await world(0)
      const detached = await runHere(place, ['debate', 'questions.jsonl', '--detach'])
      expect(detached.code, detached.output).toBe(0)
      const [, runId = ''] = /^Run (\S+): 16 questions in the queue\.$/m.exec(detached.output) ?? []
      for (const next of [
        'quorate worker ',
        'quorate status --watch ',
        `quorate export --run ${runId.slice(0, 13)} --what debates --out debates.jsonl`,
      ]) {
        expect(detached.output).toContain(next)
      }
      const status = await runHere(place, ['status'])
      expect(status.code, status.output).toBe(0)
      expect(status.output).toContain(
        `Run ${runId.slice(0, 13)}, debate\n  0 of 16 questions\n  0 calls answered, 0 open\n  0.00 USD spent\n`,
      )
      expect(status.output).toContain('In the queue, and no worker works on it: no worker is alive.')
      expect(status.output).toContain('No worker was seen lately.')
      const outcome = await runHere(place, ['status', '--run', runId.slice(0, 13), '--json'])
      expect(JSON.parse(outcome.output)).toMatchObject({
        quorate: 1,
        workers: [],
        runs: [{ id: runId, kind: 'debate', status: 'open', halt: null, servedBy: 0, statuses: { pending: 16 } }],
      })
      expect(fake.counts().requests).toBe(0)

      await checkOtherConfig(place)
      await fake.close()
    })

    test('that a worker leaves when it is stopped is finished by another; nothing is asked twice', async () => {
      const { fake, place } = await world(60)
      const detached = await runHere(place, ['debate', 'questions.jsonl', '--detach', '--json'])
      const { runId, queued } = JSON.parse(detached.output)
      expect(queued).toBe(QUESTIONS)
      const first = startFleet({ ...place, workers: 1 })
      await fake.reached(30)
      expect(await first.stop(), first.output()).toEqual([0])
      expect(first.output()).toContain('calls in flight may finish, the rest goes to other workers')
      const asked = fake.counts().requests
      expect(asked).toBeLessThan(CALLS)
      const between = await runHere(place, ['status', '--json'])
      const left = JSON.parse(between.output)
      expect(left.runs[0].statuses.pending).toBeGreaterThan(0)
      expect(left.runs[0].spend.calls).toMatchObject({ open: 0, lost: 0, answered: asked })
      expect(left.workers).toMatchObject([{ state: 'ended', debates: 0, answered: asked }])

      const second = startFleet({ ...place, workers: 1 })
      const watched = await watch(place, runId)
      expect(watched.at(-1).runs).toMatchObject([
        { id: runId, status: 'done', statuses: { done: QUESTIONS, pending: 0 }, spend: { calls: { answered: CALLS } } },
      ])
      expect(watched.every(({ quorate }) => quorate === 1)).toBe(true)
      expect(await second.stop(), second.output()).toEqual([0])
      expect(fake.counts()).toMatchObject({ requests: CALLS, answered: { requests: CALLS } })
      await fake.close()
      await checkExports(place, runId)
    })
  })

  /** A worker with another config takes nothing, and both it and the status report that. */
  const checkOtherConfig = async (place: Place) => {
    const config = JSON.parse(readFileSync(join(place.folder, 'quorate.config.json'), 'utf8'))
    writeFileSync(join(place.folder, 'other.config.json'), JSON.stringify({ ...config, seed: 99 }))
    const other = startFleet({ ...place, workers: 1, args: ['--config', 'other.config.json'] })
    await expect.poll(other.output).toMatch(/none is open yet\. 1 open run of other configs waits/)
    expect(other.output()).toMatch(/takes runs of \S*other\.config\.json \(hash [0-9a-f]{16}\)/)
    const status = async () => (await runHere(place, ['status'])).output
    await expect.poll(status).toContain('1 worker alive, none with its config')
    expect(await other.stop(), other.output()).toEqual([0])
  }

  /** Each line of `status --watch --json`, until the run is done. */
  const watch = async (place: Place, runId: string) => {
    const { output } = await runHere(place, ['status', '--watch', '--json', '--run', runId])
    return output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  const checkExports = async (place: Place, runId: string) => {
    const whole = await runHere(place, ['status', '--watch', '--run', runId])
    expect(whole.output).toContain(`Run ${runId.slice(0, 13)}, debate, done: 16 of 16 debated\n`)
    const ended = await runHere(place, ['status', '--watch'])
    expect(ended.output).toContain(`Run ${runId.slice(0, 13)}, debate, done: 16 of 16 debated\n`)
    expect(ended.output).toContain(`  result: quorate export --run ${runId.slice(0, 13)} --what debates`)
    const exported = await runHere(place, ['export', '--run', runId, '--what', 'debates', '--out', 'debates.jsonl'])
    expect(exported.code, exported.output).toBe(0)
    expect(readFileSync(join(place.folder, 'debates.jsonl'), 'utf8').trimEnd().split('\n').length).toBe(QUESTIONS)
    const archived = await runHere(place, ['archive', 'archives', '--run', runId, '--json'])
    expect(archived.code, archived.output).toBe(0)
    expect(JSON.parse(archived.output).archived).toMatchObject([{ runId, calls: CALLS }])
    const after = await runHere(place, ['status', '--run', runId, '--json'])
    expect(JSON.parse(after.output).runs[0].spend.calls).toMatchObject({ answered: CALLS })
  }
}

test('a store in one file has no workers, and each command says what to do', async () => {
  const folder = providerFolder('http://127.0.0.1:9', { questions: 1 })
  const place = { folder, store: 'sqlite:store.db' }
  const commands = [['status'], ['worker', '--trust-config'], ['debate', 'questions.jsonl', '--detach']]
  for (const args of commands) {
    const { code, output } = await runHere(place, args)
    expect(code, output).toBe(1)
    expect(output.replaceAll(/\s+/g, ' ')).toContain('Set QUORATE_STORE to postgres://USER@HOST/DATABASE')
  }
})

test('a worker accepts no cap, and says where to set it', async () => {
  const folder = providerFolder('http://127.0.0.1:9', { questions: 1 })
  for (const cap of [['--max-cost', '5'], ['--max-cost=5']]) {
    const { code, output } = await runHere({ folder, store: 'sqlite:store.db' }, ['worker', ...cap])
    expect(code).toBe(2)
    expect(output.replaceAll(/\s+/g, ' ')).toContain(
      '--max-cost is not for workers, because the cap belongs to the run',
    )
  }
})
