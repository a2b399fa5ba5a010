import { fitGam } from '../../src/smoothers/gam.ts'
import type { Calibration, Choices } from './arbitrary-calibration.ts'

/**
 * A second implementation of the k-NN bound, from the description of the method and written for reading: plain arrays,
 * all pairs, sorted lists, tails summed term by term. It only borrows the early-stopped regression of the profile
 * `paper`.
 */
export interface SlowLook {
  readonly k: number
  readonly count: number
  readonly mean: number
  readonly envelope: number
  readonly radius: number
  readonly lower: number
}

/** One entry per size, cut to the number of rows, smallest first; null if there is no envelope. */
export function slowLooks(
  { rounds, split }: Calibration,
  options: Choices,
  delta: number,
  round: number,
  state: readonly number[],
): SlowLook[] | null {
  const { states, correct } = rounds[round - 1]!
  const place = (row: readonly number[]) => row.map((x, axis) => scaled(x, column(states, axis), options.cdf))
  const pilot = split.pilot.map((row) => ({ point: place(states[row]!), label: correct[row]! }))
  const query = place(state)
  const rows = split.neighbours
    .map((row, position) => ({ point: place(states[row]!), label: correct[row]!, position }))
    .map((row) => ({ ...row, square: squaredDistance(row.point, query) }))
    .sort((a, b) => a.square - b.square || a.position - b.position)
  const envelope = slowEnvelope(pilot, options)
  if (envelope === null) return null

  if (rows.length === 0) return []
  const hoods = [...new Set(options.kFamily.map((k) => Math.min(k, rows.length)))]
    .sort((a, b) => a - b)
    .map((k) => {
      const reach = rows[k - 1]!.square
      const members = options.ties === 'index' ? rows.slice(0, k) : rows.filter(({ square }) => square <= reach)
      return { k, members, radius: Math.sqrt(reach) }
    })
  const distinct = new Set(hoods.map(({ members }) => members.length)).size
  const looks = options.looks === 'family' ? options.kFamily.length : distinct
  const level = delta / (rounds.length * looks)
  return hoods.map(({ k, members, radius }) => {
    const successes = members.filter(({ label }) => label === 1).length
    const b = options.rho * envelope(query, members, radius)
    const confident = slowConfidence(successes, members.length, level, options)
    return {
      k,
      count: members.length,
      mean: successes / members.length,
      envelope: b,
      radius,
      lower: confident - b,
    }
  })
}

interface Labelled {
  readonly point: readonly number[]
  readonly label: number
}
type Rate = (point: readonly number[]) => number
type Envelope = (query: readonly number[], members: readonly Labelled[], radius: number) => number

function slowEnvelope(pilot: readonly Labelled[], options: Choices): Envelope | null {
  const { envelope } = options
  if (envelope === 'none') return () => 0
  if (typeof envelope === 'object') {
    if ('of' in envelope) throw new Error('the slow bound knows no function of the user')
    if ('oscillation' in envelope) return () => envelope.oscillation
    if ('lipschitz' in envelope) return (_query, _members, radius) => envelope.lipschitz * radius
    return (_query, _members, radius) => envelope.holder[0] * radius ** envelope.holder[1]
  }
  if (new Set(pilot.map(({ label }) => label)).size < 2) return null
  const rate = slowSmoother(pilot, options)
  if (envelope === 'pilot-oscillation') {
    return (query, members) => mean(members.map(({ point }) => Math.abs(rate(point) - rate(query))))
  }
  const modulus = slowModulus(
    pilot.map(({ point }) => point),
    pilot.map(({ point }) => rate(point)),
    options.modulusTable,
  )
  if (envelope === 'modulus') return (_query, _members, radius) => modulus(radius)
  return (query, members) => mean(members.map(({ point }) => modulus(Math.sqrt(squaredDistance(point, query)))))
}

/** w(r) over all pairs of pilot rows, at 200 radii. */
export function slowModulus(
  points: readonly (readonly number[])[],
  rates: readonly number[],
  reading: 'linear' | 'upward',
): (radius: number) => number {
  const pairs = points.flatMap((point, i) =>
    points.slice(0, i).map((other, j) => ({
      distance: Math.sqrt(squaredDistance(point, other)),
      change: Math.abs(rates[i]! - rates[j]!),
    })),
  )
  const reach = quantile(
    pairs.map(({ distance }) => distance),
    0.99,
  )
  const radii = Array.from({ length: 200 }, (_, index) => (index === 199 ? reach : (index * reach) / 199))
  const table = radii.map((radius) =>
    pairs.reduce((most, { distance, change }) => (distance <= radius ? Math.max(most, change) : most), 0),
  )
  return (radius) => {
    if (radius > reach) return reading === 'linear' ? table[199]! : Math.max(...rates) - Math.min(...rates)
    const above = radii.findIndex((entry) => entry >= radius)
    if (reading === 'upward' || above === 0) return table[above]!
    const share = (radius - radii[above - 1]!) / (radii[above]! - radii[above - 1]!)
    return table[above - 1]! + share * (table[above]! - table[above - 1]!)
  }
}

/** NumPy's default: linear between order statistics. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  const position = share * (sorted.length - 1)
  const below = Math.floor(position)
  const low = sorted[below]!
  return low + (position - below) * ((sorted[below + 1] ?? low) - low)
}

function slowSmoother(pilot: readonly Labelled[], { smoother, profile }: Choices): Rate {
  if (smoother === 'isotonic') return slowIsotonic(pilot)
  return profile === 'paper' ? earlyStoppedGam(pilot) : slowGam(pilot)
}

/** g(x_i) = max over a <= i of min over b >= i of the mean label of places a..b; straight lines between places. */
export function slowIsotonic(pilot: readonly Labelled[]): Rate {
  const places = [...new Set(pilot.map(({ point }) => point[0]!))].sort((a, b) => a - b)
  const meanOf = (from: number, to: number) =>
    mean(pilot.filter(({ point }) => point[0]! >= places[from]! && point[0]! <= places[to]!).map(({ label }) => label))
  const rates = places.map((_, i) => {
    const from = places.slice(0, i + 1).map((_, a) => Math.min(...places.slice(i).map((_, b) => meanOf(a, i + b))))
    return Math.max(...from)
  })
  return ([x]) => {
    const above = places.findIndex((place) => place >= x!)
    if (above === -1) return rates.at(-1)!
    if (above === 0 || places[above] === x) return rates[above]!
    const share = (x! - places[above - 1]!) / (places[above]! - places[above - 1]!)
    return rates[above - 1]! + share * (rates[above]! - rates[above - 1]!)
  }
}

function earlyStoppedGam(pilot: readonly Labelled[]): Rate {
  const dimension = pilot[0]!.point.length
  const groups = new Map<string, Labelled[]>()
  for (const row of [...pilot].sort((a, b) => lexicographic(a.point, b.point))) {
    groups.set(row.point.join(), [...(groups.get(row.point.join()) ?? []), row])
  }
  const places = [...groups.values()]
  const gam = fitGam(
    Float64Array.from(places.flatMap(([first]) => first!.point)),
    dimension,
    places.map((rows) => rows.filter(({ label }) => label === 1).length),
    places.map((rows) => rows.length),
    'scikit-learn',
  )
  return (point) => gam.predict(point, 0)
}

/** Newton's method, row by row, on the whole design; the basis by the recursion of Cox and de Boor. */
function slowGam(pilot: readonly Labelled[]): Rate {
  const dimension = pilot[0]!.point.length
  const ranges = Array.from({ length: dimension }, (_, axis) => {
    const values = pilot.map(({ point }) => point[axis]!)
    return [Math.min(...values), Math.max(...values)] as const
  })
  const features: (point: readonly number[]) => number[] = (point) => [
    1,
    ...ranges.flatMap(([low, high], axis) => (low === high ? [] : cubicBasis(point[axis]!, low, high))),
  ]
  const design = pilot.map(({ point }) => features(point))
  let weights = design[0]!.map(() => 0)
  for (let step = 0; step < 40; step++) {
    const rates = design.map((row) => logistic(dot(row, weights)))
    const gradient = weights.map(
      (weight, i) => (i === 0 ? 0 : weight) + sum(design.map((row, at) => row[i]! * (rates[at]! - pilot[at]!.label))),
    )
    const bend = weights.map((_, i) =>
      weights.map(
        (_, j) =>
          (i === j && i > 0 ? 1 : 0) + sum(design.map((row, at) => row[i]! * row[j]! * rates[at]! * (1 - rates[at]!))),
      ),
    )
    const move = solve(bend, gradient)
    weights = weights.map((weight, i) => weight - move[i]!)
    if (Math.max(...move.map(Math.abs)) < 1e-14) break
  }
  return (point) => logistic(dot(features(point), weights))
}

/** Ten cubic B-splines on eight uniform knots over [low, high], constant outside. */
function cubicBasis(value: number, low: number, high: number): number[] {
  const width = (high - low) / 7
  const knots = Array.from({ length: 14 }, (_, i) => (i - 3) * width)
  const x = Math.min(Math.max(value - low, 0), high - low)
  const recursion = (i: number, degree: number): number => {
    if (degree === 0) {
      const isLast = i === 9 && x >= 7 * width
      return (i - 3) * width <= x && (x < (i - 2) * width || isLast) && (isLast || x < 7 * width) ? 1 : 0
    }
    const left = (x - knots[i]!) / (degree * width)
    const right = (knots[i + degree + 1]! - x) / (degree * width)
    return left * recursion(i, degree - 1) + right * recursion(i + 1, degree - 1)
  }
  return Array.from({ length: 10 }, (_, i) => recursion(i, 3))
}

function slowConfidence(successes: number, count: number, level: number, options: Choices): number {
  const rate = successes / count
  if (options.concentration === 'hoeffding') return rate - Math.sqrt(Math.log(1 / level) / (2 * count))
  if (options.concentration === 'clopper-pearson') return slowClopperPearson(successes, count, level)
  const variance = rate * (1 - rate) * (options.profile === 'paper' ? 1 : count / (count - 1))
  if (count === 1) return -Infinity
  return rate - Math.sqrt((2 * variance * Math.log(2 / level)) / count) - (7 * Math.log(2 / level)) / (3 * (count - 1))
}

/** The rate at which `successes` or more out of `count` has probability `level`, by bisection. */
export function slowClopperPearson(successes: number, count: number, level: number): number {
  if (successes === 0) return 0
  const tail = (p: number) => {
    let term = p ** count
    let total = term
    for (let j = count - 1; j >= successes; j--) {
      term *= ((j + 1) / (count - j)) * ((1 - p) / p)
      total += term
    }
    return total
  }
  let [low, high] = [0, 1]
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2
    if (tail(middle) < level) low = middle
    else high = middle
  }
  return low
}

function scaled(x: number, seen: readonly number[], reading: Choices['cdf']): number {
  return reading === 'none' ? x : slowCdf(seen, x, reading)
}

/** F(x) = #{rows <= x} / n; `interpolated` is linear between distinct values. */
export function slowCdf(seen: readonly number[], x: number, reading: 'step' | 'interpolated'): number {
  const share = (value: number) => seen.filter((row) => row <= value).length / seen.length
  const below = seen.filter((row) => row <= x)
  const above = seen.filter((row) => row > x)
  if (reading === 'step' || below.length === 0 || above.length === 0) return share(x)
  const [from, to] = [Math.max(...below), Math.min(...above)]
  return share(from) + ((x - from) / (to - from)) * (share(to) - share(from))
}

function column(states: readonly (readonly number[])[], axis: number): number[] {
  return states.map((state) => state[axis]!)
}

export function squaredDistance(left: readonly number[], right: readonly number[]): number {
  return sum(left.map((x, axis) => (x - right[axis]!) * (x - right[axis]!)))
}

function lexicographic(left: readonly number[], right: readonly number[]): number {
  const axis = left.findIndex((x, at) => x !== right[at])
  return axis === -1 ? 0 : left[axis]! - right[axis]!
}

/** Gaussian elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], target: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, target[i]!])
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows.slice(i).reduce((best, row) => (Math.abs(row[i]!) > Math.abs(best[i]!) ? row : best))
    rows.splice(rows.indexOf(pivot), 1)
    rows.splice(i, 0, pivot)
    for (const row of rows.slice(i + 1)) {
      const share = row[i]! / pivot[i]!
      for (let j = i; j <= rows.length; j++) row[j]! -= share * pivot[j]!
    }
  }
  const solution = target.map(() => 0)
  for (let i = rows.length - 1; i >= 0; i--) {
    const rest = sum(solution.slice(i + 1).map((value, j) => value * rows[i]![i + 1 + j]!))
    solution[i] = (rows[i]![rows.length]! - rest) / rows[i]![i]!
  }
  return solution
}

function logistic(f: number): number {
  return 1 / (1 + Math.exp(-f))
}

function dot(left: readonly number[], right: readonly number[]): number {
  return sum(left.map((value, i) => value * right[i]!))
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
