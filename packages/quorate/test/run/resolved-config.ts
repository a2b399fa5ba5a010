import { ConfigSchema } from '../../src/config/config.ts'
import { type ResolvedConfig, resolveConfig } from '../../src/config/resolve-config.ts'
import { loadJudgePrompt, loadPrompts } from '../../src/debate/load-prompts.ts'

/** The config of a command, without a file. */
export function resolvedConfig(): { readonly config: ResolvedConfig } {
  const agents = ['ann', 'bob'].map((name) => ({
    name,
    model: `openai-compatible/${name}`,
    baseURL: 'http://127.0.0.1:9/v1',
    temperature: 0.7,
    maxOutputTokens: 256,
  }))
  const parsed = ConfigSchema.parse({ panel: { agents, rounds: 2, beliefs: 'stated' }, budget: { beta: 0.2 } })
  const store = { baseFolder: '/', isOwnUrl: false }
  const surroundings = {
    file: 'quorate.config.yaml',
    prompts: loadPrompts(),
    judgePrompts: { judge: loadJudgePrompt('judge'), grader: loadJudgePrompt('grade') },
    guideline: null,
    scripts: new Map(),
    store,
  }
  return { config: resolveConfig(parsed, surroundings) }
}
