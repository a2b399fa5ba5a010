import { parentPort } from 'node:worker_threads'
import { canonicalJson, POLICIES, policyNamed, type ReadDebates } from '@quorate/certificate'
import { twinRows } from '../twins/twin-table.ts'
import { measurePrototypeSplit } from './measure/prototype-split.ts'
import { measureRecordedSplit } from './measure/recorded-split.ts'
import { sweepBudgets } from './measure/sweep.ts'
import { measureTwinAudit } from './measure/twin-audit.ts'
import { measureTwinSplit } from './measure/twin-split.ts'
import { STATE_VARIANTS, variantsOn } from './measure/variants.ts'
import { COMPARED_FILES, COMPARED_POLICIES, openWorld, type ReproducedWorld } from './measure/worlds.ts'
import { frontierBudgets } from './paper/frontier.ts'
import { printedConfidenceAct } from './paper/matched.ts'
import type { Results, Task } from './tasks.ts'

/** The world of the last task. Tasks of one world come together, and reading a large one takes seconds. */
let opened: { readonly world: ReproducedWorld; readonly read: ReadDebates } | undefined

/** Null means that no task is left. */
parentPort?.on('message', (task: Task | null) =>
  task === null ? parentPort?.close() : parentPort?.postMessage(doTask(task)),
)

function doTask(task: Task): Results[Task['kind']] {
  const read = debatesOf(task.world)
  if (task.kind === 'sweep') return sweepBudgets(read, task.seed)
  if (task.kind === 'prototype-split') {
    return measurePrototypeSplit(read, task.seed, task.world.draws ?? 'ours')
  }
  if (task.kind === 'recorded-split') {
    const isCompared = COMPARED_FILES.includes(task.world.name)
    return measureRecordedSplit(read, isCompared ? COMPARED_POLICIES.map(policyNamed) : POLICIES, task.seed)
  }
  if (task.kind === 'real-split') {
    return measureTwinSplit(read, { ...task, variants: STATE_VARIANTS, triesSizes: false })
  }
  const twin = task.world.name
  if (task.kind === 'audit') return measureTwinAudit(read, { ...task, twin })
  const split = measureTwinSplit(read, {
    ...task,
    variants: variantsOn(twin),
    triesSizes: twin === 'mmlu-pro',
    multiples: frontierBudgets(twin),
    printedAct: printedConfidenceAct(twin),
  })
  return { ...split, aggregates: twinRows(twin, read.debates) }
}

function debatesOf(world: ReproducedWorld): ReadDebates {
  if (opened === undefined || canonicalJson(opened.world) !== canonicalJson(world)) {
    opened = { world, read: openWorld(world) }
  }
  return opened.read
}
