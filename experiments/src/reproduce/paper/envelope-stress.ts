export const INFLATIONS = [1, 1.25, 1.5, 2] as const
export const STRESSED_TWINS = ['mmlu-pro', 'arc', 'bbh'] as const
export type StressedTwin = (typeof STRESSED_TWINS)[number]

/** Table 4 (tab:envelope_stress): beta = .15; one pair per inflation of the modulus, per cent. */
export const ENVELOPE_STRESS: Readonly<Record<StressedTwin, readonly (readonly [wrong: number, act: number])[]>> = {
  'mmlu-pro': [
    [0.6, 29.8],
    [0.6, 28.6],
    [0.6, 28.2],
    [0.6, 27.8],
  ],
  arc: [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ],
  bbh: [
    [1.1, 74.9],
    [1.1, 74],
    [1, 73.2],
    [1, 72.3],
  ],
}
