import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCommand } from '../run/provider-folder.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { fillSqlite, MANY_RUN } from './many-debates.ts'

const HEAP_MEGABYTES = 100

// With an object for each round of each debate 150 MB were too few; 10^6 rows: `npm run bench -- calibrate-stream`.
test('calibrate --run on 20,000 debates with 240 MB of words needs a heap of 100 MB', async () => {
  const folder = temporaryFolder()
  const store = join(folder, 'many.sqlite')
  await fillSqlite(store, { count: 20_000, textBytes: 8_000, seed: 7 })
  expect(statSync(store).size).toBeGreaterThan(240e6)
  const agents = ['ada', 'bob'].map((name) => ({ name, model: `simulated/${name}` }))
  const config = { panel: { agents, rounds: 4 }, budget: { beta: 0.15 }, store: `sqlite:${store}` }
  writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(config))
  const args = ['calibrate', '--run', MANY_RUN.id, '--out', 'certificate.json', '--json']
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` }
  const { child, output } = startCommand(folder, args, { env })
  const [code] = await once(child, 'close')
  expect({ code, output: output() }).toMatchObject({ code: 0, output: expect.stringContaining('"debates":20000') })
})
