import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ConfigError } from '../../src/config/config-error.ts'
import { type LoadedConfig, loadConfig } from '../../src/config/load-config.ts'
import type { Environment } from '../../src/model/redact-secrets.ts'

/** The example of the product's description, word for word. */
export const EXAMPLE = `panel:
  protocol: debate            # or growing-panel with sizes: [3, 6, 9, 12]
  rounds: 4
  beliefs: stated             # vote | stated | samples | logprobs
  agents:
    - { name: haiku, model: anthropic/claude-haiku-4-5 }
    - { name: r1,    model: deepseek/deepseek-reasoner }
    - { name: qwen,  model: openai-compatible/qwen3-32b, baseURL: http://127.0.0.1:8000/v1, apiKeyEnv: QWEN_KEY }
budget: { beta: 0.10, delta: 0.03, epsilon: 0.02 }
certificate: { profile: cells }   # cells | tight | paper
limits: { maxCostUsd: 20, concurrency: 16, attempts: 8, timeoutMs: 120000, debateTimeoutMs: 900000 }
review: { spotCheckRate: 0.05 }
store: sqlite:.quorate/quorate.db   # relative to this file; PostgreSQL through QUORATE_STORE (a password in the file is an error)
`

export const SMALL = `panel:
  agents:
    - { name: ada, model: simulated/ada }
budget: { beta: 0.2 }
`

/** A new folder with these files, removed after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export function load(
  text: string,
  { env = {}, flags = {} }: { env?: Environment; flags?: Readonly<Record<string, string>> } = {},
): Promise<LoadedConfig> {
  const folder = folderWith({ 'quorate.config.yaml': text })
  return loadConfig({ folder, env, flags: new Map(Object.entries(flags)) })
}

/** The problems that loading the text reports. */
export async function sayings(text: string, options: Parameters<typeof load>[1] = {}): Promise<string> {
  try {
    await load(text, options)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}
