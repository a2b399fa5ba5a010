import type { DriftState } from '@quorate/certificate'
import type { ArrivedDebate, DriftReport, DriftWatch } from '../../monitor/drift-watch.ts'

/** Debates in order of arrival: who is still being debated holds up those behind, whatever their scores are. */
export interface DriftLine {
  arrived(id: string, debate: Omit<ArrivedDebate, 'score'>): void
  /** Null: it has no score and is passed over. The first one counts. */
  scored(id: string, score: number | null): void
  report(): DriftReport
}

interface Place {
  readonly debate: Omit<ArrivedDebate, 'score'>
  /** Undefined: not known yet. */
  score: number | null | undefined
}

export function createDriftLine(watch: DriftWatch): DriftLine {
  const waiting = new Map<string, Place>()
  let state: DriftState = watch.start

  function advance(): void {
    for (const [id, { debate, score }] of waiting) {
      if (score === undefined) return
      waiting.delete(id)
      state = watch.observe(state, [{ ...debate, score }])
    }
  }

  return {
    arrived: (id, debate) => {
      if (!waiting.has(id)) waiting.set(id, { debate, score: undefined })
    },
    scored(id, score) {
      const place = waiting.get(id)
      if (place === undefined || place.score !== undefined) return
      place.score = score
      advance()
    },
    report: () => watch.view(state),
  }
}
