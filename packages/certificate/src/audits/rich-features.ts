import type { ReadPanel } from '../certificate/panel.ts'
import { prefixOf } from '../certificate/step.ts'
import { learnedFeatureNames, learnedFeatures } from '../states/learned-features.ts'
import { learnedLayout } from '../states/learned-layout.ts'

/** All that the package knows to say about a debate after one round, as numbers. */
export interface RichFeatures {
  readonly names: readonly string[]
  of(panel: ReadPanel): Float64Array
}

export function richFeatures(panels: readonly ReadPanel[], round: number): RichFeatures {
  const layout = learnedLayout(
    panels.map((panel) => prefixOf(panel, round)),
    panels.map(({ record }) => record.group),
  )
  return {
    names: [...learnedFeatureNames(layout), 'stability'],
    of(panel) {
      const features = learnedFeatures(layout, prefixOf(panel, round), panel.record.group)
      // Never null: agents count by name only where every row has the same.
      return Float64Array.of(...features!, panel.rounds[round - 1]!.stability)
    },
  }
}
