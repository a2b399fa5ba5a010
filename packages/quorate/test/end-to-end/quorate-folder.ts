import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { starterConfig } from '../../src/config/starter-files.ts'
import { type DemoQuestion, drawDemoQuestions, questionLines } from '../../src/demo/demo-questions.ts'
import { runMain } from '../cli/run-main.ts'

export const BIN = resolve(import.meta.dirname, '../../bin/quorate.js')
export const FROM_SOURCES = ['--conditions=quorate-source', BIN] as const

/**
 * At a rate of 6 % some deferrals of so many questions are reviewed open, some blind, and some questions are spot checks. One
 * of the three is missing in fewer than 1 of 50,000 runs. More frequent spot checks would make every deferral blind.
 */
const IN_THE_FILE = 200
const SPOT_CHECK_RATE = 0.06
/**
 * At a rate of 50 %, a monitor that hears of so many late questions that every action was wrong alarms whatever is sampled.
 * Of 100 it would miss one time in five.
 */
const SIZES = { labelled: 600, fresh: IN_THE_FILE + 400 }
const SEED = 7

const { labelled, fresh } = drawDemoQuestions(SEED, SIZES, false)
/** In fresh.jsonl, for the command line. */
export const FRESH: readonly DemoQuestion[] = fresh.slice(0, IN_THE_FILE)
/** For those who ask over HTTP. */
export const LATE: readonly DemoQuestion[] = fresh.slice(IN_THE_FILE)

/** Which option is right, by the text of the question: what a reviewer finds out by thinking. */
export const RIGHT: ReadonlyMap<string, string> = new Map(fresh.map(({ question, gold }) => [question, gold]))

const run = promisify(execFile)

/** The command line as people run it, in the folder; what it said on standard output. */
export async function quorateAlone(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [...FROM_SOURCES, ...args], { cwd: folder })
  return stdout
}

/** The same in this process, which has its modules loaded: for what stands around the servers and the pages. */
export async function quorate(folder: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runMain(args, { cwd: folder })
  if (status !== 0) throw new Error(`quorate ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

/** A config for the simulated panel and two files of questions, of which only the first says what is right. */
export async function writeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const config = starterConfig({ preset: 'simulated', beta: 0.1, schemaPath: './schema.json', seed: SEED })
  await writeFile(
    join(folder, 'quorate.config.yaml'),
    config.replace(/spotCheckRate: [\d.]+/, `spotCheckRate: ${SPOT_CHECK_RATE}`),
  )
  await writeFile(join(folder, 'labelled.jsonl'), questionLines(labelled))
  const unlabelled = FRESH.map(({ gold: _, ...question }) => `${JSON.stringify(question)}\n`)
  await writeFile(join(folder, 'fresh.jsonl'), unlabelled.join(''))
}

/** Debates the labelled questions and makes `certificate.json` of them. */
export async function calibrate(folder: string): Promise<void> {
  const { runId } = JSON.parse(await quorate(folder, 'debate', 'labelled.jsonl', '--json'))
  await quorate(folder, 'calibrate', '--run', runId, '--out', 'certificate.json')
}

export async function decideFresh(folder: string): Promise<{ readonly acted: number }> {
  return JSON.parse(await quorate(folder, 'decide', 'fresh.jsonl', '--certificate', 'certificate.json', '--json'))
}

export async function createToken(folder: string, name: string, role: 'viewer' | 'reviewer' | 'admin') {
  const output = await quorate(folder, 'token', 'create', '--name', name, '--role', role, '--kind', 'human', '--json')
  const { token } = JSON.parse(output)
  if (typeof token !== 'string') throw new Error(`quorate token create said no token: ${output}`)
  return token
}
