import type { RecordedName } from '../data/recorded.ts'
import type { TruthName } from '../truths/truths.ts'
import type { World } from './worlds.ts'

/**
 * Which worlds choose the defaults and which confirm them. This was fixed before any candidate was run on them. Of the
 * two runs over the same GPQA questions only one is used.
 */
export const CHOOSING: readonly World[] = [
  recorded('mmlu-pro-conf-12models'),
  recorded('dylan-mmlu-3agents'),
  recorded('conformal-llm-mmlu-10prompts'),
  simulated('sloped'),
  simulated('stepped'),
  simulated('late-agreement'),
]

export const CONFIRMING: readonly World[] = [
  recorded('mmlu-pro-14models'),
  recorded('mmlu-pro-conf-trio-mid'),
  recorded('gpqa-debate-sonnet-a'),
  simulated('flat'),
  simulated('hump'),
  simulated('dip'),
]

export const WORLDS: readonly World[] = [...CHOOSING, ...CONFIRMING]

function recorded(name: RecordedName): World {
  return { kind: 'recorded', name }
}

function simulated(name: TruthName): World {
  return { kind: 'simulated', name }
}
