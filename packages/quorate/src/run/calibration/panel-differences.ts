import { type Fingerprint, fingerprintDifferences } from '@quorate/certificate'
import { plainText } from '../../text/plain-text.ts'
import type { PanelFingerprint } from './panel-fingerprint.ts'

/** One difference between a panel and the calibrated one, in words. */
export interface Difference {
  /** Field of the fingerprint. */
  readonly field: keyof PanelFingerprint
  /** Which part of the field differs, such as an agent; empty if the whole field does. */
  readonly of: string
  readonly calibrated: string
  readonly here: string
}

/** All known differences with both values, in the order of the fields. */
export function panelDifferences(calibrated: Fingerprint, here: PanelFingerprint): readonly Difference[] {
  const fields = new Set(fingerprintDifferences(calibrated, here))
  return FIELDS.filter((field) => fields.has(field)).flatMap((field) => {
    const [before, now] = [partsOf(field, calibrated[field]), partsOf(field, here[field])]
    const names = new Set([...before.keys(), ...now.keys()])
    return [...names].flatMap((of): Difference[] => {
      const [was, is] = [before.get(of) ?? 'none', now.get(of) ?? 'none']
      return was === is ? [] : [{ field, of, calibrated: was, here: is }]
    })
  })
}

/** For example: settings of agent ada: calibrated temperature 0.7, here temperature 0.2 */
export function differenceText({ field, of, calibrated, here }: Difference): string {
  return `${field}${of === '' ? '' : ` of ${plainText(of)}`}: calibrated ${plainText(calibrated)}, here ${plainText(here)}`
}

const FIELDS = Object.freeze([
  'models',
  'prompts',
  'agents',
  'rounds',
  'endsEarly',
  'elicitation',
  'settings',
  'reader',
] as const) satisfies readonly (keyof PanelFingerprint)[]

const DIGITS = 12

function partsOf(field: (typeof FIELDS)[number], value: Fingerprint[keyof PanelFingerprint]): Map<string, string> {
  if (Array.isArray(value)) return new Map(value.map((names, round) => [`round ${round + 1}`, names.join(', ')]))
  if (typeof value === 'object' && value !== null) return new Map(Object.entries(value))
  if (value === null) return new Map()
  return new Map([['', field === 'prompts' ? `digest ${String(value).slice(0, DIGITS)}` : String(value)]])
}
