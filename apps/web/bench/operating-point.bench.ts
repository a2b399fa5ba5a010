import { measure, report } from '../../../packages/certificate/bench/measure.ts'
import { createReplay } from '../src/pages/operating-point/replay/create-replay.ts'
import type { Settings } from '../src/pages/operating-point/replay/settings.ts'
import { makeLargePoint } from '../test/fixture/operating-point-fixture.ts'

// The work of the operating point's worker: decide 10,000 stored debates again, with a certificate from 5,000 debates.

/** Target times in microseconds. */
const GOALS_US = { beta: 16_000, delta: 50_000, epsilon: 50_000, profile: 2_000_000 }
const MOVES = 20

for (const profile of ['paper', 'tight', 'cells'] as const) {
  const point = makeLargePoint(profile)
  const opened = createReplay(point)
  if (opened === null) throw new Error('the point has a certificate')
  const replay = opened
  const settings: Settings = { ...replay.facts.declared, profile }
  let step = 0
  const acted = (moved: Partial<Settings>) =>
    replay.decide({ ...settings, ...moved }, () => {}).figures.acted?.count ?? 0
  const times = {
    beta: measure(() => acted({ beta: 0.1 + ((step++ * 0.0137) % 0.2) }), MOVES),
    delta: measure(() => acted({ delta: 0.01 + ((step++ * 0.00137) % 0.02) }), MOVES),
    epsilon: measure(() => acted({ epsilon: 0.01 + ((step++ * 0.00137) % 0.02) }), MOVES),
  }
  for (const name of ['beta', 'delta', 'epsilon'] as const) {
    report(`10,000 debates under ${profile}, a new ${name}`, times[name], 1, GOALS_US[name])
  }
}

for (const [from, to] of [
  ['cells', 'tight'],
  ['cells', 'paper'],
  ['tight', 'cells'],
] as const) {
  const point = makeLargePoint(from)
  const changed = () => {
    const replay = createReplay(point)
    if (replay === null) throw new Error('the point has a certificate')
    const start = performance.now()
    replay.decide({ ...replay.facts.declared, profile: to, epsilon: 0.02 }, () => {})
    return performance.now() - start
  }
  // The time to open the replay is not included.
  const times = Array.from({ length: 3 }, changed)
  const meanMs = times.reduce((sum, time) => sum + time, 0) / times.length
  const sdMs = Math.sqrt(times.reduce((sum, time) => sum + (time - meanMs) ** 2, 0) / times.length)
  const timing = { minMs: Math.min(...times), meanMs, sdMs, sink: meanMs }
  report(`10,000 debates, from ${from} to ${to}`, timing, 1, GOALS_US.profile)
}
