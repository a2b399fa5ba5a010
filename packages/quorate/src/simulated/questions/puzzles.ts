import type { Random } from '@quorate/certificate'
import { integerBetween, pick } from '../draws.ts'
import { numericQuestion } from './numeric-question.ts'
import type { ComputedQuestion, Reading, Template } from './question.ts'

/** Puzzles whose obvious answer is wrong, although nearly everybody gives it with confidence. */
export const PUZZLES: readonly [Template, ...Template[]] = [machineMinutes, patchPeriods, snailDays]

export const PUZZLES_READINGS: readonly Reading[] = [
  [
    /^If (\d+) machines make \d+ (\w+) in \d+ minutes, how many minutes do (\d+) machines/,
    ([few, goods = '', many]) => machineQuestion(Number(few), Number(many), goods),
  ],
  [
    /^A patch of (\w+) doubles its area every (\w+) and fills a (\w+) after (\d+) /,
    ([growing = '', period = '', place = '', full]) => patchQuestion(Number(full), growing, period, place),
  ],
  [
    /^A (\w+) at the foot of a wall of (\d+) metres climbs (\d+) metres each day and slides back (\d+) each night/,
    ([climber = '', wall, up, down]) => climbQuestion(Number(wall), Number(up), Number(down), climber),
  ],
]

const GOODS = ['toys', 'gloves', 'bolts', 'masks', 'clocks', 'bottles', 'badges', 'chairs'] as const
const GROWING = ['lilies', 'algae', 'moss', 'duckweed', 'mould', 'ivy'] as const
const PERIODS = ['hour', 'day', 'week'] as const
const PLACES = ['pond', 'tank', 'basin', 'roof'] as const
const CLIMBERS = ['snail', 'beetle', 'frog', 'lizard'] as const

function machineMinutes(random: Random): ComputedQuestion {
  const [few, many] = [integerBetween(random, 3, 19), 10 * integerBetween(random, 3, 40)]
  return machineQuestion(few, many, pick(random, GOODS))
}

function machineQuestion(few: number, many: number, goods: string): ComputedQuestion {
  return numericQuestion({
    question:
      `If ${few} machines make ${few} ${goods} in ${few} minutes, how many minutes do ${many} machines need to make ` +
      `${many} ${goods}?`,
    right: few,
    mistakes: [many, 1, few * many],
  })
}

function patchPeriods(random: Random): ComputedQuestion {
  const full = 2 * integerBetween(random, 6, 40)
  return patchQuestion(full, pick(random, GROWING), pick(random, PERIODS), pick(random, PLACES))
}

/** `full`: periods until the place is full. It is even, so that the wrong answer, half of it, is a whole number. */
function patchQuestion(full: number, growing: string, period: string, place: string): ComputedQuestion {
  return numericQuestion({
    question:
      `A patch of ${growing} doubles its area every ${period} and fills a ${place} after ${full} ${period}s. ` +
      `After how many ${period}s did it fill half of the ${place}?`,
    right: full - 1,
    mistakes: [full / 2, full - 2, full / 2 - 1],
  })
}

function snailDays(random: Random): ComputedQuestion {
  const [down, gain] = [integerBetween(random, 1, 6), integerBetween(random, 1, 4)]
  const days = integerBetween(random, 6, 30)
  return climbQuestion(days * gain + down, down + gain, down, pick(random, CLIMBERS))
}

function climbQuestion(wall: number, up: number, down: number, climber: string): ComputedQuestion {
  const nights = Math.ceil((wall - up) / (up - down))
  return numericQuestion({
    question:
      `A ${climber} at the foot of a wall of ${wall} metres climbs ${up} metres each day and slides back ${down} each ` +
      'night. On which day does it reach the top?',
    right: nights + 1,
    mistakes: [Math.ceil(wall / (up - down)), nights + 2, nights],
  })
}
