/** The benchmarks on which the paper's method acts; it calls the other two stress tests. */
export const ACTIVATED = ['logiqa', 'mmlu-pro', 'arc', 'bbh'] as const
export type Activated = (typeof ACTIVATED)[number]
