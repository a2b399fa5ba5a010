import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A JSON file of this folder, next to the script that made it. */
export function readReference(name: string) {
  return JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))
}

/** |value - truth| / |truth|, or the absolute distance from a truth of 0. */
export function relativeError(value: number, truth: number): number {
  return Math.abs(value - truth) / (truth === 0 ? 1 : Math.abs(truth))
}
