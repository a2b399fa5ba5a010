/** The defaults of a config. The schema, the resolver and `quorate init` all read them from here. */
export const CONFIG_DEFAULTS = Object.freeze({
  panel: Object.freeze({
    protocol: 'debate',
    rounds: 4,
    beliefs: 'stated',
    samples: 5,
    temperature: 0.7,
    maxOutputTokens: 2048,
    insist: false,
  }),
  budget: Object.freeze({ delta: 0.03, epsilon: 0.02 }),
  certificate: Object.freeze({ profile: 'total' }),
  /** A run without a configured cap still ends. `maxCostUsd: null` removes the cap. */
  limits: Object.freeze({
    maxCostUsd: 20,
    concurrency: 16,
    attempts: 8,
    timeoutMs: 120_000,
    debateTimeoutMs: 900_000,
  }),
  server: Object.freeze({ connectionsPerAddress: 512 }),
  review: Object.freeze({ spotCheckRate: 0.05, maxClaims: 10, second: 0 }),
  store: 'sqlite:.quorate/quorate.db',
  seed: 7,
} as const)
