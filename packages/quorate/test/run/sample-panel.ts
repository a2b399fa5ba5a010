import { loadPrompts } from '../../src/debate/load-prompts.ts'
import type { Model } from '../../src/model/model.ts'
import { simulatedModel } from '../../src/model/simulated-model.ts'
import type { Question } from '../../src/record/question.ts'
import type { RunPlan } from '../../src/run/run-plan.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { resolveLimits } from '../../src/traffic/traffic-limits.ts'

export const AGENTS = ['ada', 'bob', 'cleo'] as const

/** Questions that simulated agents can answer. The same seed gives the same questions. */
export function simulatedQuestions(count: number, { seed = 5, from = 0 } = {}): readonly Question[] {
  return simulatePanel({ seed, count: from + count })
    .slice(from)
    .map(({ id, group, question, options, gold }) => {
      const named = Object.entries(options).map(([name, text]) => ({ name, text }))
      return { id, group, question, options: named, gold }
    })
}

export function samplePlan(change: Partial<RunPlan> = {}): RunPlan {
  return {
    kind: 'debate',
    panel: {
      protocol: 'debate',
      rounds: 4,
      sizes: null,
      elicitation: 'stated',
      samples: 1,
      prompts: loadPrompts(),
      agents: AGENTS.map((name) => ({
        name,
        model: `simulated/${name}`,
        temperature: 0.7,
        maxOutputTokens: 256,
        baseURL: undefined,
        apiKeyEnv: undefined,
        insist: false,
      })),
    },
    limits: {
      maxCostUsd: null,
      debateTimeoutMs: 60_000,
      traffic: resolveLimits({
        concurrency: 8,
        backOff: { firstMs: 1, mostMs: 1 },
        breaker: { failures: 12, restMs: 1, mostRestMs: 1, probes: 3 },
      }),
    },
    spotCheckRate: 0,
    prices: {},
    seed: 7,
    identity: '{"panel":"sample"}',
    hash: 'sample',
    isShadow: false,
    allowUnpriced: false,
    ...change,
  }
}

/** Agents of the demo's panel that record their calls. `instead` runs before each reply, and may throw instead of it. */
export function countedModels(instead: (agent: string, call: number) => Promise<void> = async () => undefined) {
  const asked: { agent: string; question: string }[] = []
  const models = new Map<string, { model: Model; insist: boolean }>()
  for (const agent of AGENTS) {
    const inner = simulatedModel({ agent, seed: 7 })
    const model: Model = {
      ...inner,
      async call(request) {
        asked.push({ agent, question: request.messages[0]?.content ?? '' })
        await instead(agent, asked.length)
        return inner.call(request)
      },
    }
    models.set(agent, { model, insist: false })
  }
  return { models, asked }
}

export async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}
