/** y = limit + scale / sqrt(labels), both at least 0: the effect of sampling error on a bound as labels grow. */
export interface RootDecay {
  readonly limit: number
  readonly scale: number
}

export interface DecayPoint {
  readonly labels: number
  readonly value: number
}

/**
 * Weighted least squares under the two constraints. The weight of a point is its number of labels. Needs at least two
 * points.
 */
export function fitRootDecay(points: readonly DecayPoint[]): RootDecay {
  let weight = 0
  let x = 0
  let y = 0
  let xx = 0
  let xy = 0
  for (const { labels, value } of points) {
    const root = 1 / Math.sqrt(labels)
    weight += labels
    x += labels * root
    y += labels * value
    xx += labels * root * root
    xy += labels * root * value
  }
  const scale = (weight * xy - x * y) / (weight * xx - x * x)
  const limit = (y - scale * x) / weight
  // The problem is convex with two unknowns, so if one constraint is violated, the optimum lies on its edge.
  if (!(scale > 0)) return { limit: Math.max(0, y / weight), scale: 0 }
  return limit >= 0 ? { limit, scale } : { limit: 0, scale: Math.max(0, xy / xx) }
}

export function valueAt({ limit, scale }: RootDecay, labels: number): number {
  return limit + scale / Math.sqrt(labels)
}

/** Labels from which on the curve is at or below a value; Infinity if it never is. */
export function labelsFor({ limit, scale }: RootDecay, value: number): number {
  if (scale === 0) return limit <= value ? 0 : Infinity
  return limit < value ? (scale / (value - limit)) ** 2 : Infinity
}
