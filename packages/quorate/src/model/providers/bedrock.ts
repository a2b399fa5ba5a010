import type { Adapter } from '../ai-sdk-model.ts'

/** Converse: no log-probabilities, no seed. A bearer token, or a signature with an access key. */
export const BEDROCK: Adapter = {
  logprobs: null,
  load,
  async open({ name, url, region }, { keys, env, fetch }) {
    const { createAmazonBedrock } = await load()
    const sessionToken = env['AWS_SESSION_TOKEN']?.trim()
    const accessKeyId = keys.get('AWS_ACCESS_KEY_ID')
    const [bearer = ''] = accessKeyId === undefined ? keys.values() : []
    return createAmazonBedrock({
      // Never undefined: the SDK would look in the environment of the process itself.
      apiKey: bearer,
      accessKeyId: accessKeyId ?? '',
      secretAccessKey: keys.get('AWS_SECRET_ACCESS_KEY') ?? '',
      region: region ?? 'us-east-1',
      baseURL: url.href,
      fetch,
      ...(sessionToken ? { sessionToken } : {}),
    })(name)
  },
}

function load() {
  return import('@ai-sdk/amazon-bedrock')
}
