import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { FRESH_QUESTIONS, LABELLED_QUESTIONS } from './questions.ts'

export interface PanelSettings {
  readonly url: string
  readonly beliefs: 'logprobs' | 'vote'
  /** By agent. */
  readonly maxOutputTokens: Readonly<Record<string, number>>
}

const BIN = resolve(import.meta.dirname, '../../bin/quorate.js')
const PROMPTS = join(import.meta.dirname, 'prompts')
export const PANEL_SEED = 7

/** A folder with two agents on one model, twelve labelled questions and six fresh ones. */
export function writePanelFolder(folder: string, { url, beliefs, maxOutputTokens }: PanelSettings): void {
  mkdirSync(folder, { recursive: true })
  const temperatures: Readonly<Record<string, number>> = { ann: 0.4, bob: 1 }
  const agents = Object.entries(maxOutputTokens).map(([name, tokens]) => ({
    name,
    model: 'openai-compatible/minimind2-small',
    baseURL: url,
    temperature: temperatures[name],
    maxOutputTokens: tokens,
    insist: true,
  }))
  // A config reads prompts only from its own folder.
  cpSync(PROMPTS, join(folder, 'prompts'), { recursive: true })
  const prompts = {
    firstRound: 'prompts/first-round.txt',
    laterRound: 'prompts/later-round.txt',
    reminder: 'prompts/reminder.txt',
  }
  const config = {
    panel: { rounds: 2, beliefs, agents, prompts },
    budget: { beta: 0.3 },
    limits: { concurrency: 2, timeoutMs: 60_000, maxCostUsd: null },
    review: { spotCheckRate: 0 },
    seed: PANEL_SEED,
  }
  writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'labelled.jsonl'), LABELLED_QUESTIONS)
  writeFileSync(join(folder, 'fresh.jsonl'), FRESH_QUESTIONS)
}

export interface CommandResult {
  readonly code: number | null
  /** What it printed, parsed. */
  readonly json: Readonly<Record<string, unknown>>
  readonly errors: string
}

/** The real command line with --json, in a process of its own. */
export function runCommand(folder: string, args: readonly string[]): Promise<CommandResult> {
  const node = ['--conditions=quorate-source', BIN, ...args, '--json']
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, 'home') }
  const child = spawn(process.execPath, node, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  return new Promise((settle, fail) => {
    child.once('error', fail)
    child.once('close', (code) => settle({ code, json: parsed(output), errors }))
  })
}

export function readLines<Line>(folder: string, file: string): readonly Line[] {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

function parsed(output: string): CommandResult['json'] {
  try {
    return JSON.parse(output)
  } catch {
    return { output }
  }
}
