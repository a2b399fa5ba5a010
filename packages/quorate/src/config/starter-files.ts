import { usualFloor } from '@quorate/certificate'
import { ELICITATION_NAMES } from '../debate/elicit/elicitations.ts'
import { simulatePanel } from '../simulated/simulate-panel.ts'
import { CONFIG_DEFAULTS } from './defaults.ts'

export const PRESETS = ['simulated', 'local', 'openai', 'anthropic', 'paper'] as const

export interface Starter {
  readonly preset: (typeof PRESETS)[number]
  readonly beta: number
  /** For the editor: from the config's folder to quorate.config.schema.json. */
  readonly schemaPath: string
  /** Of whatever is sampled; the default unless told. */
  readonly seed?: number
  /** The default unless told. */
  readonly spotCheckRate?: number
}

const SAMPLE_QUESTIONS = 10

const AGENTS: Readonly<Record<Starter['preset'], string>> = {
  simulated: `    # Solvers of the built-in simulator: no key, no network, only for the sample questions.
    - { name: ada, model: simulated/ada }
    - { name: bob, model: simulated/bob }
    - { name: cleo, model: simulated/cleo }
    # A real agent: { name: haiku, model: anthropic/claude-haiku-4-5 }, with ANTHROPIC_API_KEY in the environment.
`,
  local: `    # Models on this machine behind an OpenAI-compatible server, here Ollama: ollama pull qwen3:8b, and so on.
    - { name: qwen, model: 'openai-compatible/qwen3:8b', baseURL: 'http://127.0.0.1:11434/v1' }
    - { name: llama, model: 'openai-compatible/llama3.1:8b', baseURL: 'http://127.0.0.1:11434/v1' }
    - { name: gemma, model: 'openai-compatible/gemma3:12b', baseURL: 'http://127.0.0.1:11434/v1' }
`,
  openai: `    # The key comes from the environment: OPENAI_API_KEY (or from .env beside this file).
    - { name: mini, model: openai/gpt-5-mini }
    - { name: nano, model: openai/gpt-5-nano }
    - { name: older, model: openai/gpt-4.1-mini }
    # Models of one maker err together more often: a model of another maker makes the panel stronger.
`,
  anthropic: `    # The key comes from the environment: ANTHROPIC_API_KEY (or from .env beside this file).
    - { name: haiku, model: anthropic/claude-haiku-4-5 }
    - { name: sonnet, model: anthropic/claude-sonnet-4-6 }
    - { name: newer, model: anthropic/claude-sonnet-5-5 }
    # Models of one maker err together more often: a model of another maker makes the panel stronger.
`,
  paper: `    # Keys only come from the environment: ANTHROPIC_API_KEY, DEEPSEEK_API_KEY (or from .env beside this file).
    - { name: haiku, model: anthropic/claude-haiku-4-5 }
    # The paper asked DeepSeek-R1, a name that DeepSeek retired in July 2026. This is its successor. R1 itself:
    # bedrock/us.deepseek.r1-v1:0, or an OpenAI-compatible server.
    - { name: deepseek, model: deepseek/deepseek-flash }
    # Qwen-3 32B on a server of your own, such as vLLM. One that asks for a key: add apiKeyEnv: NAME_OF_VARIABLE.
    - { name: qwen, model: openai-compatible/qwen3-32b, baseURL: 'http://127.0.0.1:8000/v1' }
`,
}

const OWN_SERVER = '{ inputUsdPerMillion: 0, outputUsdPerMillion: 0 }'

const PRICES: Readonly<Record<Starter['preset'], string>> = {
  simulated: '',
  local: `
# US dollars per million tokens. 0 for a server of your own.
prices:
  'openai-compatible/qwen3:8b': ${OWN_SERVER}
  'openai-compatible/llama3.1:8b': ${OWN_SERVER}
  'openai-compatible/gemma3:12b': ${OWN_SERVER}
`,
  openai: '',
  anthropic: '',
  paper: `
# US dollars per million tokens, for models that are not in the built-in table. 0 for a server of your own.
prices:
  openai-compatible/qwen3-32b: ${OWN_SERVER}
`,
}

/** Variables that a preset needs. */
export const PRESET_KEYS: Readonly<Record<Starter['preset'], readonly string[]>> = {
  simulated: [],
  local: [],
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  paper: ['ANTHROPIC_API_KEY', 'DEEPSEEK_API_KEY'],
}

/** A config with a comment on everything a newcomer would ask. */
export function starterConfig({ preset, beta, schemaPath, ...chosen }: Starter): string {
  const { panel, certificate, limits, review, store } = CONFIG_DEFAULTS
  const { seed = CONFIG_DEFAULTS.seed, spotCheckRate = review.spotCheckRate } = chosen
  return `# yaml-language-server: $schema=${schemaPath}
# What quorate does with your questions. Check it with: quorate validate

panel:
  protocol: ${panel.protocol}        # or growing-panel with sizes: [3, 6, 9, 12]
  rounds: ${panel.rounds}
  beliefs: ${panel.beliefs}         # ${ELICITATION_NAMES.join(' | ')}: how an answer becomes a probability
  agents:
${AGENTS[preset]}
${preset === 'paper' ? paperBudget(beta) : usualBudget(beta, certificate.profile)}

limits:
  maxCostUsd: ${limits.maxCostUsd}          # a run stops before it costs more; null: no cap
  concurrency: ${limits.concurrency}         # calls in flight
  attempts: ${limits.attempts}             # for one answer
  timeoutMs: ${limits.timeoutMs}       # for one attempt
  debateTimeoutMs: ${limits.debateTimeoutMs} # for a whole debate
${PRICES[preset]}
# Share of questions that a person labels whatever the panel decided: the realised wrong-action rate comes from them.
review: { spotCheckRate: ${spotCheckRate} }

store: ${store}   # from the folder of this file; PostgreSQL through QUORATE_STORE
seed: ${seed}
`
}

function usualBudget(beta: number, profile: string): string {
  return `# beta: of all questions the panel may act wrongly on this share at most.
# floor: in every class of debates that is acted on at least this share must be right; none takes it away.
budget: { beta: ${beta}, floor: ${usualFloor(beta)} }

certificate: { profile: ${profile} }   # total | cells | tight | paper: how it is certified`
}

/** The paper knows no floor. */
function paperBudget(beta: number): string {
  return `# beta: an answer is acted on where, by its bound, at least 1 - beta of the answers like it are right.
budget: { beta: ${beta} }

certificate: { profile: paper }   # as in the paper; total is the usual one and promises more`
}

/** Ten questions with checkable answers, labelled. Simulated agents can debate them. */
export function starterQuestions(): string {
  const sampled = simulatePanel({ seed: CONFIG_DEFAULTS.seed, count: SAMPLE_QUESTIONS })
  return sampled
    .map(({ quorate, group, question, options, gold }, index) =>
      JSON.stringify({ quorate, id: `sample-${String(index + 1).padStart(2, '0')}`, group, question, options, gold }),
    )
    .map((line) => `${line}\n`)
    .join('')
}
