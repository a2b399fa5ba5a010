import { percent } from '../../tables/markdown.ts'
import type { TwinName } from '../../twins/targets.ts'
import { measuredTwins } from '../tables/table.ts'
import type { Measurements, TwinMeasurements } from '../tasks.ts'

/** A claim of the paper about its numbers, and how to test it on ours. */
export interface Claim {
  readonly claim: string
  /** Where the paper says it. */
  readonly place: string
  test(measured: Measurements): Finding
  /** Why it fails here, if we know; printed if the claim does not hold. */
  readonly reason?: string
}

export interface Finding {
  readonly verdict: ClaimVerdict
  /** Our numbers. */
  readonly sentence: string
}

export type ClaimVerdict = 'holds' | 'does not hold' | 'not testable on a twin' | 'not measured in this run'

export function finding(holds: boolean, sentence: string): Finding {
  return { verdict: holds ? 'holds' : 'does not hold', sentence }
}

/** Tests a claim about some twins. A short run that lacks one of them gives no verdict. */
export function aboutTwins<Name extends TwinName>(
  names: readonly Name[],
  test: (twins: Readonly<Record<Name, TwinMeasurements>>, titles: Readonly<Record<Name, string>>) => Finding,
): Claim['test'] {
  return (measured) => {
    const found = measuredTwins(measured, names)
    if (found.length < names.length) {
      return { verdict: 'not measured in this run', sentence: 'The run left out a twin that the claim is about.' }
    }
    const twins = Object.fromEntries(found.map(({ name, twin }) => [name, twin]))
    const titles = Object.fromEntries(found.map(({ name, title }) => [name, title]))
    // Every name was found.
    return test(twins as Record<Name, TwinMeasurements>, titles as Record<Name, string>)
  }
}

/** `LogiQA 12.3, ARC 4.5`. */
export function listed<Name extends string>(
  titles: Readonly<Record<Name, string>>,
  figure: (name: Name) => string,
): string {
  const names = Object.keys(titles) as Name[] // own keys of the record
  return names.map((name) => `${titles[name]} ${figure(name)}`).join(', ')
}

export function percentOr(share: number | null | undefined, none = 'nothing'): string {
  return share === null || share === undefined ? none : percent(share)
}

export function isWithin(value: number | null | undefined, low: number, high: number): boolean {
  return value !== null && value !== undefined && value >= low && value <= high
}
