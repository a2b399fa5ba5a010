import type { BreakerLimits } from './limits.ts'

/** Limits that several processes keep together; times are the keeper's own. */
export interface SharedLimits {
  /** One place in all of these lines: so long after the keeper's clock showed `clockMicros`. */
  take(lines: readonly SharedLine[]): Promise<{ readonly waitMicros: number; readonly clockMicros: number }>
  giveBack(unused: { readonly name: string; readonly micros: number }): Promise<void>
  breakers(): Promise<readonly SharedBreaker[]>
  failed(
    failure: { readonly name: string; readonly by: string; readonly error: string } & Omit<BreakerLimits, 'probes'>,
  ): Promise<void>
  succeeded(name: string): Promise<void>
  probe(name: string, by: string, forMs: number): Promise<boolean>
  pause(name: string, forMs: number): Promise<void>
}

/** Of something that may go out every `intervalMicros`, at most `burst` at once after a rest. */
export interface SharedLine {
  readonly name: string
  readonly amount: number
  readonly intervalMicros: number
  readonly burst: number
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
