import { parentPort } from 'node:worker_threads'
import { evaluateSettings } from '../evaluation/evaluate-setting.ts'
import { SETTINGS } from '../evaluation/settings.ts'
import { type Draw, openWorld } from '../worlds/worlds.ts'
import type { Task, TaskResult } from './measurements.ts'

/** The world of the last task. Tasks of one world come together, and reading a large one takes seconds. */
let opened: { readonly name: string; readonly draw: (seed: number) => Draw } | undefined

/** Null means that no task is left. */
parentPort?.on('message', (task: Task | null) => {
  if (task === null) return parentPort?.close()
  const { world, seed } = task
  if (opened?.name !== world.name) opened = { name: world.name, draw: openWorld(world) }
  const draw = opened.draw(seed)
  const outcomes = evaluateSettings(draw, SETTINGS)
  parentPort?.postMessage({ world, seed, outcomes } satisfies TaskResult)
})
