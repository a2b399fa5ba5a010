/**
 * `node --conditions=quorate-source experiments/src/twins/fit/main.ts [twin ...]` fits the named twins, all by default, and
 * writes parameters.json. Seeded: the same code gives the same file. Takes about half an hour on one core.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { TWIN_NAMES } from '../targets.ts'
import { fitTwin } from './fit-twin.ts'

const FILE = resolve(import.meta.dirname, '../parameters.json')

const asked = process.argv.slice(2)
for (const name of TWIN_NAMES.filter((twin) => asked.length === 0 || asked.includes(twin))) {
  const { parameters, loss } = fitTwin(name)
  const stored = JSON.parse(readFileSync(FILE, 'utf8'))
  writeFileSync(FILE, `${JSON.stringify({ ...stored, [name]: parameters }, null, 2)}\n`)
  console.log(`${name}: fitted, sum of squared residuals ${loss.toFixed(2)}`)
}
