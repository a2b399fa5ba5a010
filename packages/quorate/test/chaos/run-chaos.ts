import { seededRandom } from '@quorate/certificate'
import { expect } from 'vitest'
import type { Counts } from '../fake-provider/counts.ts'
import { checkAccount } from './account.ts'
import { CHAOS_AGENTS, chaosFolder, ROUNDS, startChaos } from './chaos-panel.ts'
import type { ChaosEngine } from './engines.ts'
import { killMoments, runCommand, runKilled } from './killed-command.ts'
import { checkRecords } from './records.ts'

export interface Chaos {
  readonly engine: ChaosEngine
  readonly questions: number
  readonly kills: number
}

/** Debates under faults and kills through the command line. Throws unless every debate exists once and is accounted for. */
export async function runChaos({ engine, questions, kills }: Chaos): Promise<Counts> {
  const fake = await startChaos()
  const folder = chaosFolder(fake.url, { questions })
  const calls = questions * CHAOS_AGENTS.length * ROUNDS
  const args = ['debate', 'questions.jsonl', '--trust-config', '--json']
  const command = { folder, args, env: engine.env() }
  const moments = killMoments(kills, calls, seededRandom(11))
  const { code, output } = await (kills === 0 ? runCommand(command) : runKilled(command, fake, moments))
  expect(code, output).toBe(0)

  const store = await engine.open(folder)
  const [run, ...others] = await store.runs.list(10)
  expect(others).toEqual([])
  const answered = await checkAccount(store, run?.id ?? '', fake)
  expect(answered.length).toBe(calls)
  await checkRecords(store, run?.id ?? '', { questions, answered })
  await store.close()
  await fake.close()
  return fake.counts()
}
