import type { BreakerLimits } from './limits.ts'

/** What several processes know together about models and providers; times are the database's own. */
export interface SharedLimits {
  breakers(): Promise<readonly SharedBreaker[]>
  failed(
    failure: { readonly name: string; readonly by: string; readonly error: string } & Omit<BreakerLimits, 'probes'>,
  ): Promise<void>
  succeeded(name: string): Promise<void>
  probe(name: string, by: string, forMs: number): Promise<boolean>
  pause(name: string, forMs: number): Promise<void>
}

/** How a model, or with `pausedForMs` a provider, stands; negative times are over. */
export interface SharedBreaker {
  readonly name: string
  readonly failures: number
  readonly rests: number
  readonly restsForMs: number | null
  readonly probeBy: string | null
  readonly probeForMs: number | null
  readonly pausedForMs: number | null
}
