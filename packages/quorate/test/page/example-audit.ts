import type { Audit } from '@quorate/certificate'

/** An audit with one check of each verdict. `name` is the name of the tested rows. */
export function exampleAudit(name: string): Audit {
  const row = { name, n: 400, figure: 0.7, low: 0.65, high: 0.75, line: 0.8, pValue: 1e-5, adjustedPValue: 3e-5 }
  const check = {
    assumption: 'An assumption.',
    null: 'A null.',
    pValue: 1e-5,
    adjustedPValue: 3e-5,
    rows: [row],
    finding: `${name}: 70 % of 400 were right.`,
    next: 'Collect more labels.',
  }
  const untested = {
    ...row,
    figure: null,
    low: null,
    high: null,
    line: null,
    n: null,
    pValue: null,
    adjustedPValue: null,
  }
  return {
    profile: 'cells',
    beta: 0.2,
    delta: 0.03,
    epsilon: 0,
    threshold: 0.83,
    promise: null,
    calibration: 600,
    rounds: 3,
    heldOut: 600,
    seed: 7,
    verdict: 'falsified',
    checks: [
      { ...check, name: 'stopping-rounds', verdict: 'falsified' },
      { ...check, name: 'groups', verdict: 'not falsified', pValue: 0.4, adjustedPValue: 1 },
      {
        ...check,
        name: 'exchangeability-martingale',
        verdict: 'not enough data',
        rows: [untested],
        pValue: null,
        adjustedPValue: null,
      },
    ],
    measures: [{ name: 'entropy', meaning: 'Mixed neighbourhoods.', rows: [{ name, n: 3, value: 1e12 }] }],
  }
}
