import { type Debate, firstRoundScores, parseDebate } from '@quorate/certificate'
import { driftWatch } from '../../../src/monitor/drift-watch.ts'
import { USUAL_ETA } from '../../../src/monitor/risk-report.ts'
import type { Store } from '../../../src/store/store.ts'
import { samplePlan } from '../../run/run-world.ts'
import { calibrated } from './world.ts'

/** Computes the state from the beginning over every arrival, as if nothing had ever been stored. */
export async function slowWalk(store: Store) {
  const { certificate, id: certificateId } = (await calibrated()).certified
  const scores = firstRoundScores(certificate)
  const { reference } = scores
  const calibratedTurns = certificate.fingerprint.turns
  const watch = driftWatch({ eta: USUAL_ETA, reference, seed: samplePlan().seed, calibrated: calibratedTurns })
  const { elicitation } = certificate.panel ?? {}
  if (elicitation === undefined) throw new Error('the certificate was not made from debates')
  const rows = await store.monitor.arrived({ certificateId, after: 0, limit: 500 })
  const debates = rows.map(({ runId, questionId, debate }) => {
    if (debate === null) throw new Error(`${questionId} has no debate`)
    const { rounds, ...rest }: Debate = JSON.parse(debate)
    const first = { ...rest, rounds: rounds.slice(0, 1) }
    const { answered, missing } = parseDebate(first, { elicitation }).turns
    return { runId, questionId, score: scores.scoreOf(first), missing: answered === 0 ? null : missing / answered }
  })
  return { arrival: rows.length, state: watch.observe(watch.start, debates) }
}

/** The state that a server stored last. */
export async function keptDrift(store: Store) {
  const kept = await store.monitor.findDrift((await calibrated()).certified.id)
  return kept && { arrival: kept.arrival, state: JSON.parse(kept.state) }
}
