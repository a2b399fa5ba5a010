import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AGENTS, simulatedQuestions } from '../run/sample-panel.ts'

export interface SimulatedFolder {
  readonly questions: number
  readonly rounds: number
}

/** Questions and a config for two agents of the simulated panel: no provider, no waiting. */
export function fillSimulatedFolder(folder: string, { questions, rounds }: SimulatedFolder): void {
  const lines = simulatedQuestions(questions).map(({ options, ...question }) =>
    JSON.stringify({ ...question, options: Object.fromEntries(options.map(({ name, text }) => [name, text])) }),
  )
  writeFileSync(join(folder, 'questions.jsonl'), `${lines.join('\n')}\n`)
  const agents = AGENTS.slice(0, 2).map((name) => ({ name, model: `simulated/${name}` }))
  const limits = { concurrency: 64, maxCostUsd: null }
  const config = { panel: { rounds, beliefs: 'stated', agents }, budget: { beta: 0.2 }, limits }
  writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(config))
}
