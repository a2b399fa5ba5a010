import { z } from 'zod'
import { ELICITATION_NAMES } from '../debate/elicit/elicitations.ts'
import { SETTING_NAMES } from '../model/dropped-settings.ts'
import { REMOTE_PROVIDERS } from '../model/providers.ts'
import { LIMITS } from '../record/limits.ts'
import { trimmedText, variableName } from '../record/names.ts'
import { between, whole, word } from './config-values.ts'
import { CONFIG_DEFAULTS } from './defaults.ts'

const { panel } = CONFIG_DEFAULTS

const Agent = z.strictObject(
  {
    name: trimmedText('a name of 1 to 64 characters', 64).describe('What the agent is called in debates and pages.'),
    model: trimmedText('provider/name, such as anthropic/claude-haiku-4-5', 200).describe(
      `provider/name: ${Object.keys(REMOTE_PROVIDERS).join(', ')}, simulated, manual; scripted/FILE.jsonl; replay/provider/name; function/NAME of a program.`,
    ),
    baseURL: trimmedText('an http or https address, such as http://127.0.0.1:8000/v1', 2000)
      .optional()
      .describe(
        'Address of an OpenAI-compatible server, or its former address for a replay. Required for openai-compatible.',
      ),
    apiKeyEnv: variableName('QWEN_KEY')
      .optional()
      .describe('Name of the environment variable with the key. Never the key itself.'),
    temperature: between(0, 2, '0.7')
      .nullable()
      .default(panel.temperature)
      .describe('null: leave it to the provider, as reasoning models require.'),
    maxOutputTokens: whole(1, 1_000_000).default(panel.maxOutputTokens),
    insist: z
      .union([z.boolean(), z.array(z.enum(SETTING_NAMES)).min(1)], {
        error: `true, false, or a list of ${SETTING_NAMES.join(', ')}`,
      })
      .default(panel.insist)
      .describe('Settings that must be honoured. It is an error if the provider drops one. true: all of them.'),
  },
  { error: 'a map with name and model' },
)

const PROMPT = 'the path of a text file, from the folder of this file'

/** The key `panel` of a config. */
export const PanelSchema = z.strictObject(
  {
    protocol: word(['debate', 'growing-panel']).default(panel.protocol),
    rounds: whole(1, LIMITS.rounds)
      .optional()
      .meta({ default: panel.rounds, description: 'Rounds of a debate. A growing panel has one round for each size.' }),
    sizes: z
      .array(whole(1, LIMITS.agents), { error: 'a list of whole numbers that grow, such as [3, 6, 9, 12]' })
      .min(1, { error: 'a list of whole numbers that grow, such as [3, 6, 9, 12]' })
      .max(LIMITS.rounds, { error: `a list of at most ${LIMITS.rounds} sizes` })
      .optional()
      .describe('Number of agents in each round of a growing panel.'),
    beliefs: word(ELICITATION_NAMES).default(panel.beliefs).describe('How an answer becomes a probability.'),
    samples: whole(1, LIMITS.samples)
      .optional()
      .meta({ default: panel.samples, description: 'Answers per agent and round, with beliefs: samples.' }),
    agents: z
      .array(Agent, { error: 'a list of agents, each with name and model' })
      .min(1, { error: 'a list of at least one agent' })
      .max(LIMITS.agents, { error: `a list of at most ${LIMITS.agents} agents` }),
    prompts: z
      .strictObject(
        {
          firstRound: trimmedText(PROMPT, 2000).optional(),
          laterRound: trimmedText(PROMPT, 2000).optional(),
          reminder: trimmedText(PROMPT, 2000).optional(),
        },
        { error: 'a map with firstRound, laterRound or reminder' },
      )
      .optional()
      .describe('Templates that replace the built-in ones.'),
  },
  { error: 'a map with agents' },
)
