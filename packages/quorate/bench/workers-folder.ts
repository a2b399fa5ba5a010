import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const AGENTS = 3
export const ROUNDS = 4
export const CALLS_A_DEBATE = AGENTS * ROUNDS

/** A config of scripted models, which answer the same to everything: what is measured is ours. */
export function fillWorkersFolder(folder: string, concurrency: number): void {
  const say = '<reasoning>Because.</reasoning><answer-{code}>A</answer-{code}><confidence-{code}>80</confidence-{code}>'
  const agents = ['ann', 'bob', 'cy'].map((name) => {
    writeFileSync(join(folder, `${name}.jsonl`), `${JSON.stringify({ say })}\n`)
    return { name, model: `scripted/${name}.jsonl` }
  })
  const limits = { concurrency, maxCostUsd: null }
  const config = { panel: { rounds: ROUNDS, agents }, budget: { beta: 0.2 }, limits }
  writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(config))
}

/** The file's name. Questions of two files differ, so that none is answered from the store. */
export function writeQuestions(folder: string, name: string, count: number): string {
  const lines = Array.from({ length: count }, (_, number) => {
    const question = { id: `${name}-${number}`, question: `${name}, number ${number}?`, options: ['A', 'B', 'C', 'D'] }
    return `${JSON.stringify(question)}\n`
  })
  writeFileSync(join(folder, `${name}.jsonl`), lines.join(''))
  return `${name}.jsonl`
}
