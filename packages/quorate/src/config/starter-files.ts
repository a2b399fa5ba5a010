import { usualFloor } from '@quorate/certificate'
import { ELICITATION_NAMES } from '../debate/elicit/elicitations.ts'
import { loadPrompts } from '../debate/load-prompts.ts'
import { LIMITS } from '../record/limits.ts'
import { simulatePanel } from '../simulated/simulate-panel.ts'
import { drawTickets } from '../simulated/tickets.ts'
import { csvLine } from '../text/csv-text.ts'
import { CONFIG_DEFAULTS } from './defaults.ts'

export const PRESETS = ['simulated', 'local', 'openai', 'anthropic', 'paper', 'labels'] as const

export interface StarterChoice {
  readonly preset: (typeof PRESETS)[number]
  readonly beta: number
}

export interface Starter extends StarterChoice {
  /** For the editor: the path from the config's folder to quorate.config.schema.json. */
  readonly schemaPath: string
  /** For the preset labels: whether the rows are the sample tickets, which simulated agents can label. */
  readonly hasSampleTickets?: boolean
  /** Whether the user's own prompts are in files beside it. */
  readonly hasPrompts?: boolean
  /** Seed of everything that is sampled; the usual one by default. */
  readonly seed?: number
  /** The usual one by default. */
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
  labels: `    # Models on this machine behind an OpenAI-compatible server: write their names and its address here.
    - { name: small, model: openai-compatible/small, baseURL: 'http://127.0.0.1:8000/v1' }
    - { name: middle, model: openai-compatible/middle, baseURL: 'http://127.0.0.1:8000/v1' }
    - { name: large, model: openai-compatible/large, baseURL: 'http://127.0.0.1:8000/v1' }
    # Or a provider's: { name: haiku, model: anthropic/claude-haiku-4-5 }, with ANTHROPIC_API_KEY in the environment.
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
    # Models of one provider tend to make the same errors: a model of another provider makes the panel stronger.
`,
  anthropic: `    # The key comes from the environment: ANTHROPIC_API_KEY (or from .env beside this file).
    - { name: haiku, model: anthropic/claude-haiku-4-5 }
    - { name: sonnet, model: anthropic/claude-sonnet-4-6 }
    - { name: newer, model: anthropic/claude-sonnet-5-5 }
    # Models of one provider tend to make the same errors: a model of another provider makes the panel stronger.
`,
  paper: `    # Keys come only from the environment: ANTHROPIC_API_KEY, DEEPSEEK_API_KEY (or from .env beside this file).
    - { name: haiku, model: anthropic/claude-haiku-4-5 }
    # The paper asked DeepSeek-R1, a name that DeepSeek retired in July 2026. This is its successor. R1 itself:
    # bedrock/us.deepseek.r1-v1:0, or an OpenAI-compatible server.
    - { name: deepseek, model: deepseek/deepseek-flash }
    # Qwen-3 32B on a server of your own, such as vLLM. One that asks for a key: add apiKeyEnv: NAME_OF_VARIABLE.
    - { name: qwen, model: openai-compatible/qwen3-32b, baseURL: 'http://127.0.0.1:8000/v1' }
`,
}

const SAMPLE_AGENTS = `    # Solvers of the built-in simulator: no key, no network, only for the sample tickets.
    - { name: ada, model: simulated/ada }
    - { name: bob, model: simulated/bob }
    - { name: cleo, model: simulated/cleo }
    # For your own rows, models on this machine behind an OpenAI-compatible server:
    # - { name: small, model: openai-compatible/small, baseURL: 'http://127.0.0.1:8000/v1' }
    # Or a provider's: { name: haiku, model: anthropic/claude-haiku-4-5 }, with ANTHROPIC_API_KEY in the environment.
`

const LABELS = `# The task for every row, and its possible answers.
task:
  instruction: Choose the label that fits what the customer wants.   # shown above every question in the prompt
  # guideline: guideline.md       # a text that reviewers see beside every item
answers:
  kind: labels
  labels:                         # name: description; both are in the prompt, up to ${LIMITS.options}
    refund: wants money back
    bug report: reports a defect
    delivery: asks where a parcel is
    other: none of these          # an answer that can be right
  shuffle: true                   # each row has its own order, from the seed and its id: position bias averages out

# Columns of the CSV file. Rows with a label are used for calibration, the others are decided.
questions: { text: body, id: ticket_id, gold: label, group: channel }

`

const PROMPT_LINES = `  prompts: { firstRound: first-round.txt, laterRound: later-round.txt, reminder: reminder.txt }   # prompts.md explains them
`

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
  labels: `
# US dollars per million tokens. 0 for a server of your own.
prices:
  openai-compatible/small: ${OWN_SERVER}
  openai-compatible/middle: ${OWN_SERVER}
  openai-compatible/large: ${OWN_SERVER}
`,
  paper: `
# US dollars per million tokens, for models that are not in the built-in table. 0 for a server of your own.
prices:
  openai-compatible/qwen3-32b: ${OWN_SERVER}
`,
}

/** Environment variables that a preset needs. */
export const PRESET_KEYS: Readonly<Record<Starter['preset'], readonly string[]>> = {
  labels: [],
  simulated: [],
  local: [],
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  paper: ['ANTHROPIC_API_KEY', 'DEEPSEEK_API_KEY'],
}

/** A config that explains in comments what a newcomer would ask. */
export function starterConfig({ preset, beta, schemaPath, ...chosen }: Starter): string {
  const { panel, certificate, limits, review, store } = CONFIG_DEFAULTS
  const { seed = CONFIG_DEFAULTS.seed, spotCheckRate = review.spotCheckRate } = chosen
  const isSample = preset === 'labels' && chosen.hasSampleTickets === true
  return `# yaml-language-server: $schema=${schemaPath}
# What quorate does with your questions. Check it with: quorate validate

${preset === 'labels' ? LABELS : ''}panel:
  protocol: ${panel.protocol}        # or growing-panel with sizes: [3, 6, 9, 12]
  rounds: ${panel.rounds}
  beliefs: ${panel.beliefs}         # ${ELICITATION_NAMES.join(' | ')}: how an answer becomes a probability
${chosen.hasPrompts === true ? PROMPT_LINES : ''}  agents:
${isSample ? SAMPLE_AGENTS : AGENTS[preset]}
${preset === 'paper' ? paperBudget(beta) : usualBudget(beta, certificate.profile)}

limits:
  maxCostUsd: ${limits.maxCostUsd}          # a run stops at this cost; null: no cap
  concurrency: ${limits.concurrency}         # calls in flight
  attempts: ${limits.attempts}             # for one answer
  timeoutMs: ${limits.timeoutMs}       # for one attempt
  debateTimeoutMs: ${limits.debateTimeoutMs} # for a whole debate
${isSample ? '' : PRICES[preset]}
# Share of questions that a person labels, whatever the panel decided. They measure the realised wrong-action rate.
review: { spotCheckRate: ${spotCheckRate} }

store: ${store}   # from the folder of this file; PostgreSQL through QUORATE_STORE
seed: ${seed}
`
}

function usualBudget(beta: number, profile: string): string {
  return `# beta: the panel may act wrongly on at most this share of all questions.
# floor: in every class of debates that is acted on, at least this share must be right. none removes it.
budget: { beta: ${beta}, floor: ${usualFloor(beta)} }

certificate: { profile: ${profile} }   # total | cells | tight | paper: how it is certified`
}

/** The paper has no floor. */
function paperBudget(beta: number): string {
  return `# beta: an answer is acted on if its bound says that at least 1 - beta of such answers are right.
budget: { beta: ${beta} }

certificate: { profile: paper }   # as in the paper; total is the default and promises more`
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

export const SAMPLE_TICKETS = { rows: 500, labelled: 300 }

/** Tickets of the preset labels, the first ones with a label. Simulated agents can debate them. */
export function starterTickets(): string {
  const { rows, labelled } = SAMPLE_TICKETS
  const tickets = drawTickets({ seed: CONFIG_DEFAULTS.seed, count: rows })
  return [
    ['ticket_id', 'channel', 'body', 'label'],
    ...tickets.map(({ body, right }, at) => {
      const id = `T-${String(at + 1).padStart(3, '0')}`
      return [id, at % 4 === 0 ? 'chat' : 'mail', body, at < labelled ? right : '']
    }),
  ]
    .map((cells) => csvLine(cells))
    .join('')
}

const PROMPTS_GUIDE = `# The placeholders of your prompts

quorate replaces each name in braces. A template with an unknown placeholder, or without a required one, is refused.

| placeholder | replaced by | required in |
| --- | --- | --- |
| {instruction} | task.instruction of the config; without an instruction, a line with only this placeholder is left out | first-round.txt and later-round.txt, if the config has an instruction |
| {question} | the text of the question | first-round.txt, later-round.txt |
| {options} | the options, one per line, with their descriptions | first-round.txt, later-round.txt |
| {names} | the names of the options, separated by bars | |
| {form} | the form in which the answer must be written | all |
| {responses} | what every agent said in the previous round | later-round.txt |
| {code} | the code in the tags around the responses | later-round.txt only |
| {agent} | the name of the agent that is asked | |
| {round} | the number of the round | |

Other prompts make another panel: a certificate covers only the prompts that it was calibrated with.
`

/** The built-in prompts as files that the user can edit, and a description of their placeholders. */
export function starterPrompts(): readonly { readonly name: string; readonly text: string }[] {
  const { firstRound, laterRound, reminder } = loadPrompts()
  return [
    { name: 'first-round.txt', text: `${firstRound}\n` },
    { name: 'later-round.txt', text: `${laterRound}\n` },
    { name: 'reminder.txt', text: `${reminder}\n` },
    { name: 'prompts.md', text: PROMPTS_GUIDE },
  ]
}
