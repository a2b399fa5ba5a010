import type { TwinParameters } from './latent-model.ts'
import fitted from './parameters.json' with { type: 'json' }
import type { TwinName } from './targets.ts'

/** Written by `fit/main.ts`. Fitted to the published aggregates before any policy ran on a twin. */
export const PARAMETERS: Readonly<Record<TwinName, TwinParameters>> = fitted
