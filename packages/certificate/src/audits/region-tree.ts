/** One side of a cut. */
export interface Condition {
  readonly feature: number
  readonly cut: number
  readonly side: 'above' | 'at-or-below'
}

/** A box of the feature space with the rows that it was grown from. */
export interface Region {
  readonly conditions: readonly Condition[]
  readonly rows: readonly number[]
}

export interface TreeShape {
  readonly mostRegions: number
  readonly fewestRows: number
}

/** Least-squares regression tree of 0/1 labels, grown best cut first. `features[row]` has that row's values. */
export function growRegions(
  features: readonly Float64Array[],
  labels: ArrayLike<number>,
  { mostRegions, fewestRows }: TreeShape,
): Region[] {
  const root: Region = { conditions: [], rows: Array.from(features.keys()) }
  const open = [{ region: root, cut: bestCut(root.rows, features, labels, fewestRows) }]
  while (open.length < mostRegions) {
    const next = open.reduce((a, b) => ((b.cut?.gain ?? 0) > (a.cut?.gain ?? 0) ? b : a))
    if (next.cut === null) break
    open.splice(open.indexOf(next), 1)
    for (const side of ['at-or-below', 'above'] as const) {
      const condition = { feature: next.cut.feature, cut: next.cut.at, side }
      const rows = next.region.rows.filter((row) => holds(condition, features[row]!))
      const region = { conditions: [...next.region.conditions, condition], rows }
      open.push({ region, cut: bestCut(rows, features, labels, fewestRows) })
    }
  }
  return open.map(({ region }) => region)
}

export function isInside({ conditions }: Region, values: Float64Array): boolean {
  return conditions.every((condition) => holds(condition, values))
}

function holds({ feature, cut, side }: Condition, values: Float64Array): boolean {
  return values[feature]! > cut === (side === 'above')
}

interface Cut {
  readonly feature: number
  readonly at: number
  readonly gain: number
}

/** The cut that removes the most squared error; null if none does, or if one side would have too few rows. */
function bestCut(
  rows: readonly number[],
  features: readonly Float64Array[],
  labels: ArrayLike<number>,
  fewestRows: number,
): Cut | null {
  if (rows.length < 2 * fewestRows) return null
  const total = rows.reduce((sum, row) => sum + labels[row]!, 0)
  let best: Cut | null = null
  for (let feature = 0; feature < features[rows[0]!]!.length; feature++) {
    const value = (row: number) => features[row]![feature]!
    const order = rows.toSorted((a, b) => value(a) - value(b))
    let below = 0
    for (let n = 1; n < order.length; n++) {
      const row = order[n - 1]!
      below += labels[row]!
      if (n < fewestRows || order.length - n < fewestRows || value(row) === value(order[n]!)) continue
      const above = total - below
      const gain = below ** 2 / n + above ** 2 / (order.length - n) - total ** 2 / order.length
      if (gain > (best?.gain ?? 1e-9)) best = { feature, at: (value(row) + value(order[n]!)) / 2, gain }
    }
  }
  return best
}
