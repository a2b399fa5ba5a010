import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

const USAGE = `npm run bench -- [PART ...] [flags]

Runs every *.bench.ts of the bench folders, or those whose path contains a PART.
Flags go to the files.

Flags of workers
  --calls N          calls of a measurement (default 20000)
  --debates N        debates that are queued (default 100000)
  --repeats N        of each measurement (default 3)
  --latency MS       that a model takes (default 50)
  --write            writes the tables into docs/operations.md
`

const given = process.argv.slice(2)
if (given.includes('--help') || given.includes('-h')) {
  console.log(USAGE)
  process.exit(0)
}
/** Names of files come first. Everything from the first flag on is passed to the files. */
const flagAt = given.findIndex((word) => word.startsWith('--'))
const [wanted, flags] = flagAt < 0 ? [given, []] : [given.slice(0, flagAt), given.slice(flagAt)]
const files = globSync(['packages/*/bench/*.bench.ts', 'apps/*/bench/*.bench.ts'])
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
if (files.length === 0) {
  console.error(`bench: no file *.bench.ts of a bench folder matches ${wanted.join(' or ') || '(anything)'}`)
  process.exit(2)
}

const failed = files.filter((file) => {
  console.log(`\n── ${file}`)
  return spawnSync(process.execPath, ['--conditions=quorate-source', file, ...flags], { stdio: 'inherit' }).status !== 0
})
if (failed.length > 0) console.error(`\nbench: failed in ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
