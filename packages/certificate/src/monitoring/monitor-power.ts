import { ALARM_EXPONENTS, logCapital } from './log-capital.ts'
import { checkMonitorSettings, type MonitorSettings } from './monitor-settings.ts'

/** What a setting of the monitor can and cannot detect, computed rather than simulated. */
export interface MonitorPower {
  /** Number of questions considered. The figures do not cover later questions. */
  readonly horizon: number
  /** Probability of an alarm within the horizon at a rate of exactly beta. Over any time it is at most eta. */
  readonly falseAlarm: number
  readonly delays: readonly AlarmDelay[]
}

export interface AlarmDelay {
  /** True wrong-action rate from the first question on. */
  readonly rate: number
  /** Questions until half of all such streams have raised the alarm; null if that is not within the horizon. */
  readonly median: number | null
}

/** Expected wrong actions among spot checks within the horizon, at a rate of beta. */
const EXPECTED_WRONG = 100
/**
 * Above this probability of X = 1 a step is one question. Below it a step is several questions, in which two events are
 * too rare to matter.
 */
const CHANCE_PER_STEP = 0.005
const MULTIPLES = Object.freeze([1.5, 2, 3])

/**
 * False alarms at beta and median delays at 1.5, 2 and 3 times beta (those below 1), from the distribution of the count
 * S_n of streams without an alarm, step by step. It assumes that every label is available at once.
 */
export function monitorPower(settings: MonitorSettings, multiples: readonly number[] = MULTIPLES): MonitorPower {
  checkMonitorSettings('monitorPower', settings)
  const { beta, spotCheckRate } = settings
  const r = beta * spotCheckRate
  const perStep = Math.max(1, Math.round(CHANCE_PER_STEP / r))
  const steps = Math.ceil(EXPECTED_WRONG / (r * perStep))
  const alarms = alarmCounts(settings, steps, perStep)
  const chance = (rate: number) => rate * spotCheckRate * perStep
  return {
    horizon: steps * perStep,
    falseAlarm: passage(alarms, chance(beta), 1).share,
    delays: multiples
      .map((multiple) => multiple * beta)
      .filter((rate) => rate < 1)
      .map((rate) => {
        const { share, step } = passage(alarms, chance(rate), 0.5)
        return { rate, median: share >= 0.5 ? step * perStep : null }
      }),
  }
}

/**
 * For each step the smallest count S that raises the alarm. It never decreases, because M decreases with n and
 * increases with S.
 */
function alarmCounts({ beta, spotCheckRate, eta }: MonitorSettings, steps: number, perStep: number): Uint32Array {
  const threshold = -Math.log(eta)
  let wrong = 0
  return Uint32Array.from({ length: steps + 1 }, (_, step) => {
    const asked = [{ spotCheckRate, questions: step * perStep }]
    while (logCapital(ALARM_EXPONENTS, { asked, wrong }, beta) < threshold) wrong++
    return wrong
  })
}

/** Share of streams with an alarm, computed until it reaches `until` or the last step. */
function passage(alarms: Uint32Array, chance: number, until: number): { share: number; step: number } {
  const alive = new Float64Array(alarms.at(-1)! + 1)
  alive[0] = 1
  let share = 0
  for (let step = 1; step < alarms.length; step++) {
    const alarm = alarms[step]!
    for (let count = alarm; count > 0; count--) alive[count] = alive[count]! * (1 - chance) + alive[count - 1]! * chance
    alive[0]! *= 1 - chance
    share += alive[alarm]!
    alive[alarm] = 0
    if (share >= until) return { share, step }
  }
  return { share, step: alarms.length - 1 }
}
