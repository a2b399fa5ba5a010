/**
 * Moré and Thuente's line search (ACM TOMS 20, 1994) as in MINPACK-2's dcsrch: a step with sufficient decrease and a
 * flat enough slope. It follows the publication step by step, because a solver that stops early can only be reproduced
 * by taking the same steps.
 */
export interface LineSearch {
  /** Takes the value and slope at the last proposed step, and returns the next step or that this one is good enough. */
  next(value: number, slope: number): { readonly isDone: boolean; readonly step: number }
}

const DECREASE = 1e-3
const FLATNESS = 0.9
const WIDTH = 0.1

/** An end of the interval that contains the minimiser. */
interface End {
  readonly step: number
  readonly value: number
  readonly slope: number
}

export function lineSearch(
  start: { value: number; slope: number },
  firstStep: number,
  largestStep: number,
): LineSearch {
  const enough = DECREASE * start.slope
  let best: End = { step: 0, ...start }
  let other: End = best
  let isBracketed = false
  let isFirstStage = true
  let width = largestStep
  let widthBefore = 2 * largestStep
  let smallest = 0
  let largest = 5 * firstStep
  let step = firstStep

  return {
    next(value, slope) {
      const target = start.value + step * enough
      if (isFirstStage && value <= target && slope >= 0) isFirstStage = false
      const isStuck = isBracketed && (step <= smallest || step >= largest || largest - smallest <= WIDTH * largest)
      const isAtLimit = step === largestStep && value <= target && slope <= enough
      const isGood = value <= target && Math.abs(slope) <= FLATNESS * -start.slope
      if (isStuck || isAtLimit || isGood) return { isDone: true, step }

      const tried: End = { step, value, slope }
      // In the first stage the interval is updated with the function minus the line of sufficient decrease.
      const isModified = isFirstStage && value <= best.value && value > target
      const lean = isModified ? enough : 0
      const found = narrow(tilted(best, lean), tilted(other, lean), tilted(tried, lean), isBracketed, smallest, largest)
      best = tilted(found.best, -lean)
      other = tilted(found.other, -lean)
      isBracketed = found.isBracketed
      step = found.step
      if (isBracketed) {
        if (Math.abs(other.step - best.step) >= 0.66 * widthBefore) step = best.step + 0.5 * (other.step - best.step)
        widthBefore = width
        width = Math.abs(other.step - best.step)
        smallest = Math.min(best.step, other.step)
        largest = Math.max(best.step, other.step)
      } else {
        smallest = step + 1.1 * (step - best.step)
        largest = step + 4 * (step - best.step)
      }
      step = Math.min(Math.max(step, 0), largestStep)
      if (isBracketed && (step <= smallest || step >= largest || largest - smallest <= WIDTH * largest))
        step = best.step
      return { isDone: false, step }
    },
  }
}

function tilted({ step, value, slope }: End, lean: number): End {
  return { step, value: value - step * lean, slope: slope - lean }
}

/** A safeguarded cubic or quadratic step, and the interval that still contains a minimiser (MINPACK-2's dcstep). */
function narrow(best: End, other: End, tried: End, wasBracketed: boolean, smallest: number, largest: number) {
  const turn = tried.slope * Math.sign(best.slope)
  let isBracketed = wasBracketed
  let step: number
  if (tried.value > best.value) {
    const cubic = cubicStep(best, tried)
    const quadratic =
      best.step +
      (best.slope / ((best.value - tried.value) / (tried.step - best.step) + best.slope) / 2) * (tried.step - best.step)
    step = Math.abs(cubic - best.step) < Math.abs(quadratic - best.step) ? cubic : cubic + (quadratic - cubic) / 2
    isBracketed = true
  } else if (turn < 0) {
    const cubic = cubicStep(tried, best)
    const secant = secantStep(best, tried)
    step = Math.abs(cubic - tried.step) > Math.abs(secant - tried.step) ? cubic : secant
    isBracketed = true
  } else if (Math.abs(tried.slope) < Math.abs(best.slope)) {
    const cubic = flatCubicStep(best, tried, smallest, largest)
    const secant = secantStep(best, tried)
    if (isBracketed) {
      step = Math.abs(cubic - tried.step) < Math.abs(secant - tried.step) ? cubic : secant
      const limit = tried.step + 0.66 * (other.step - tried.step)
      step = tried.step > best.step ? Math.min(limit, step) : Math.max(limit, step)
    } else {
      step = Math.abs(cubic - tried.step) > Math.abs(secant - tried.step) ? cubic : secant
      step = Math.max(smallest, Math.min(largest, step))
    }
  } else if (isBracketed) {
    step = cubicStep(tried, other)
  } else {
    step = tried.step > best.step ? largest : smallest
  }
  if (tried.value > best.value) return { best, other: tried, step, isBracketed }
  return { best: tried, other: turn < 0 ? best : other, step, isBracketed }
}

function secantStep(best: End, tried: End): number {
  return tried.step + (tried.slope / (tried.slope - best.slope)) * (best.step - tried.step)
}

/** Minimiser of the cubic through both ends, measured from `from`. */
function cubicStep(from: End, to: End): number {
  const theta = (3 * (from.value - to.value)) / (to.step - from.step) + from.slope + to.slope
  const scale = Math.max(Math.abs(theta), Math.abs(from.slope), Math.abs(to.slope))
  const root = scale * Math.sqrt((theta / scale) ** 2 - (from.slope / scale) * (to.slope / scale))
  const gamma = to.step < from.step ? -root : root
  const p = gamma - from.slope + theta
  const q = gamma - from.slope + gamma + to.slope
  return from.step + (p / q) * (to.step - from.step)
}

/**
 * The same if the slope decreases without changing sign: the cubic may have no minimiser, or one in the wrong
 * direction.
 */
function flatCubicStep(best: End, tried: End, smallest: number, largest: number): number {
  const theta = (3 * (best.value - tried.value)) / (tried.step - best.step) + best.slope + tried.slope
  const scale = Math.max(Math.abs(theta), Math.abs(best.slope), Math.abs(tried.slope))
  const root = scale * Math.sqrt(Math.max(0, (theta / scale) ** 2 - (best.slope / scale) * (tried.slope / scale)))
  const gamma = tried.step > best.step ? -root : root
  const p = gamma - tried.slope + theta
  const q = gamma + (best.slope - tried.slope) + gamma
  const r = p / q
  if (r < 0 && gamma !== 0) return tried.step + r * (best.step - tried.step)
  return tried.step > best.step ? largest : smallest
}
