import {
  type Evaluation,
  evaluatedFile,
  halves,
  policyNamed,
  readDebates,
  splitSeeds,
  summarise,
  tallySplit,
} from '@quorate/certificate'
import { gatherReport } from '../../src/page/gather-report.ts'
import type { Profile, ReportData } from '../../src/page/report-data.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'

/** A report over simulated debates, without a file and without threads. */
export function exampleReport(profile: Profile, { beta = 0.2, count = 1200 } = {}): ReportData {
  const read = readDebates(simulatePanel({ seed: 3, count }))
  const budget = { beta, delta: 0.03, epsilon: 0.02 }
  return gatherReport({
    source: {
      file: 'simulated.jsonl',
      reading: { beliefs: 'stated', answered: 0, missing: 0, renormalised: 0, questions: 0, unjudged: 0 },
      unlabelled: 2,
      failed: 0,
    },
    read,
    questionOf: (id) => id,
    profile,
    budget,
    groupConditional: false,
    evaluation: evaluated(read, profile, budget),
    otherBudgets: [evaluated(read, profile, { ...budget, beta: 0.3 })],
    audit: null,
    recompute: { command: 'quorate report simulated.jsonl --beta 0.2', seed: 7, packageVersion: '0.0.0' },
  })
}

function evaluated(
  read: ReturnType<typeof readDebates>,
  profile: Profile,
  budget: { beta: number; delta: number; epsilon: number },
): Evaluation {
  const ids = read.debates.map(({ record }) => record.id)
  const policies = [profile, 'consensus', 'majority-final'] as const
  const splits = splitSeeds(2).map((seed) =>
    tallySplit(read, halves(ids, seed), {
      seed,
      policies: policies.map(policyNamed),
      budgets: [budget],
      protocol: 'debate',
    }),
  )
  return summarise(splits, evaluatedFile(read), { beta: budget.beta, place: 0 })
}
