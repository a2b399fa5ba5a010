import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type LegEnd,
  LONG,
  QUICK,
  soakLegs,
  soakTable,
  walk,
  wrongTimes,
} from '../packages/quorate/test/workers/soak-legs.ts'
import { withGenerated } from './documents.ts'

const USAGE = `npm run soak -- [--debates N] [--seed S] [--quick] [--only PART] [--write]

Four workers run debates on their own PostgreSQL while a tenth of all
requests fails: undisturbed, with a worker killed every 2 s, with the database
restarted, with a worker stopped for 40 s. Fails unless every debate is there,
no answered call was repeated, and store and provider agree on every call and
its price.

  --debates N   of the first two legs (default ${LONG.debates}; the others have fewer)
  --seed S      of faults and kills (default 20)
  --quick       ${QUICK.debates} debates and a shorter stop; times are shown, not checked
  --only PART   only legs whose name contains it
  --write       writes the table into docs/soak.md; only of all legs`

const DOCUMENT = resolve(import.meta.dirname, '../docs/soak.md')
const REPORT_EVERY_SECONDS = 10

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(USAGE)
  process.exit(0)
}
const asked = readFlags()
if (typeof asked === 'string') {
  console.error(`soak: ${asked}\n\n${USAGE}`)
  process.exit(2)
}
// Exits on a signal, so that exit handlers end the processes they started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const { size, seed, only, isWrite } = asked
// Workers run from the build, as users run them: from the sources a process takes longer to start, and they start often
// here.
if (spawnSync(process.execPath, ['tools/build.ts'], { stdio: 'inherit' }).status !== 0) process.exit(1)
const ends: LegEnd[] = []
for (const leg of soakLegs(size, seed).filter(({ name }) => name.includes(only))) {
  console.log(`\n── ${leg.name}, ${leg.debates} debates`)
  let reportedAt = 0
  const end = await walk(leg, {
    seed,
    today: new Date(),
    log({ seconds, done, kills }) {
      if (seconds < reportedAt + REPORT_EVERY_SECONDS) return
      reportedAt = seconds
      console.log(`${seconds.toFixed(0).padStart(5)} s  ${done} of ${leg.debates} debates  ${kills} kills`)
    },
  })
  console.log(`${end.seconds.toFixed(0).padStart(5)} s  all there, once, accounted for`)
  ends.push(end)
}
console.log(`\n${soakTable(ends)}`)
const wrong = only === '' ? wrongTimes(ends, size) : null
if (wrong !== null) console.error(`soak: ${wrong}`)
process.exitCode = wrong === null ? 0 : 1
if (isWrite && wrong === null) {
  writeFileSync(DOCUMENT, withGenerated(readFileSync(DOCUMENT, 'utf8'), 'soak', soakTable(ends)))
  console.log('soak: wrote docs/soak.md')
}

function readFlags() {
  const text = { type: 'string' } as const
  const given = { type: 'boolean', default: false } as const
  try {
    const options = { debates: text, seed: text, only: text, quick: given, write: given }
    const { values } = parseArgs({ options })
    const size = values.quick ? QUICK : LONG
    const [debates, seed] = [Number(values.debates ?? size.debates), Number(values.seed ?? 20)]
    if (!(Number.isSafeInteger(debates) && debates > 0)) return `expected a number of debates, got ${values.debates}`
    if (!Number.isSafeInteger(seed)) return `expected a whole number as seed, got ${values.seed}`
    if (values.write && values.only !== undefined) return '--write needs all legs'
    const fewerDebates = Math.min(size.fewerDebates, debates)
    return { size: { ...size, debates, fewerDebates }, seed, only: values.only ?? '', isWrite: values.write }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
