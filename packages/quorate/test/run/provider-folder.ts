import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from '../store/temporary-folder.ts'

export const PLANTED_KEY = 'sk-planted-4711-do-not-store'

const BIN = resolve(import.meta.dirname, '../../bin/quorate.js')

interface Size {
  readonly questions: number
  readonly rounds?: number
}

/** A folder with questions and a config whose three agents are at this address. */
export function providerFolder(url: string, size: Size): string {
  const folder = temporaryFolder()
  fillProviderFolder(folder, url, size)
  return folder
}

export function fillProviderFolder(folder: string, url: string, { questions, rounds = 3 }: Size): void {
  const lines = Array.from({ length: questions }, (_, index) =>
    JSON.stringify({ id: `q${index}`, question: `Which of four is number ${index}?`, options: ['A', 'B', 'C', 'D'] }),
  )
  writeFileSync(join(folder, 'questions.jsonl'), `${lines.join('\n')}\n`)
  const agents = ['ann', 'bob', 'cy'].map((name) => ({
    name,
    model: `openai-compatible/${name}`,
    baseURL: `${url}/v1`,
    apiKeyEnv: 'FAKE_KEY',
    maxOutputTokens: 64,
  }))
  const price = { inputUsdPerMillion: 10, outputUsdPerMillion: 10 }
  const prices = Object.fromEntries(agents.map(({ model }) => [model, price]))
  const limits = { concurrency: 8, timeoutMs: 2000, maxCostUsd: null }
  const config = { panel: { rounds, agents }, budget: { beta: 0.2 }, limits, prices }
  writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(config))
}

export interface StartedCommand {
  readonly child: ChildProcess
  /** Its output so far. */
  output(): string
}

export interface Surroundings {
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** A program, with its arguments, that runs the command that follows it. */
  readonly under?: readonly string[]
}

/** The real command line in a process of its own, with a key in its environment. */
export function startCommand(
  folder: string,
  args: readonly string[],
  { env: more = {}, under = [] }: Surroundings = {},
): StartedCommand {
  const [program = '', ...node] = [...under, process.execPath, '--conditions=quorate-source', BIN, ...args]
  const env = { ...process.env, FAKE_KEY: PLANTED_KEY, XDG_CONFIG_HOME: join(folder, 'home'), ...more }
  const child = spawn(program, node, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return { child, output: () => output }
}
