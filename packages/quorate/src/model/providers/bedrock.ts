import { ModelSetupError } from '../model-setup-error.ts'
import { CLAUDE_WITHOUT_TEMPERATURE } from './anthropic.ts'
import type { PlaceContext, Provider, ProviderPlace } from './provider.ts'

const KEYS = [['AWS_BEARER_TOKEN_BEDROCK'], ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']] as const

/** The Converse interface has no log-probabilities and no seed. It takes a bearer token, or a signature with an access key. */
export const BEDROCK: Provider = {
  standard: null,
  place,
  adapter: {
    logprobs: null,
    load,
    async open({ name, url, region }, { keys, env, fetch }) {
      const { createAmazonBedrock } = await load()
      const sessionToken = env['AWS_SESSION_TOKEN']?.trim()
      const accessKeyId = keys.get('AWS_ACCESS_KEY_ID')
      const [bearer = ''] = accessKeyId === undefined ? keys.values() : []
      return createAmazonBedrock({
        // Never undefined, because the SDK would then read the environment of the process.
        apiKey: bearer,
        accessKeyId: accessKeyId ?? '',
        secretAccessKey: keys.get('AWS_SECRET_ACCESS_KEY') ?? '',
        region: region ?? 'us-east-1',
        baseURL: url.href,
        fetch,
        ...(sessionToken ? { sessionToken } : {}),
      })(name)
    },
  },
  drops: (name) => [
    ...(CLAUDE_WITHOUT_TEMPERATURE.test(name) ? (['temperature'] as const) : []),
    ...(['seed', 'logprobs'] as const),
  ],
  // Converse has structured output only as a forced tool call, which reasoning models refuse.
  hasStructuredOutput: () => false,
  prices: {
    // For one region and for geographic profiles. The global profile is a tenth cheaper.
    'https://github.com/aws/agent-toolkit-for-aws/blob/main/plugins/aws-startup-advisor/skills/llm-to-bedrock/scripts/bedrock_pricing.py':
      {
        'anthropic.claude-haiku-4-5': [1.1, 5.5],
        'global.anthropic.claude-haiku-4-5': [1, 5],
        'anthropic.claude-sonnet-4-6': [3.3, 16.5],
        'global.anthropic.claude-sonnet-4-6': [3, 15],
        'anthropic.claude-sonnet-5': [2.2, 11],
        'global.anthropic.claude-sonnet-5': [2, 10],
      },
    'https://github.com/braintrustdata/braintrust-proxy/issues/629': { 'qwen.qwen3-32b-v1:0': [0.15, 0.6] },
  },
}

function place({ id, env, baseURL }: PlaceContext): ProviderPlace {
  const region = env['AWS_REGION']?.trim() || env['AWS_DEFAULT_REGION']?.trim() || null
  if (region === null && baseURL === undefined) throw new ModelSetupError(id, 'set AWS_REGION in the environment')
  // The region becomes part of the host that receives the keys.
  if (region !== null && !/^[a-z]{2,5}(-[a-z]+)+-\d{1,2}$/.test(region)) {
    throw new ModelSetupError(id, 'AWS_REGION is not the name of a region such as eu-central-1')
  }
  const domain = region?.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return {
    url: region === null ? null : `https://bedrock-runtime.${region}.${domain}`,
    keyVariables: KEYS,
    region,
  }
}

function load() {
  return import('@ai-sdk/amazon-bedrock')
}
