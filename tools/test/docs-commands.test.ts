import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks } from '../documents.ts'
import { sized } from '../lane.ts'

/** Their `sh` blocks are run in this order: later commands read what the demo of the README wrote. */
const RUNNABLE = ['README.md', 'docs/getting-started.md', 'docs/guides/from-logs.md']
/** Commands of these blocks that are run. `npm test` itself would never end. */
const RUN = /^(npm run (demo|quorate)|npx node --conditions=quorate-source tools\/make-logs\.ts)\b/

/** The figures of docs/concepts.md. */
const FIGURES = ['stopping-rounds', 'budget', 'waterfall', 'frontier']

/** Commands that read debates of the demo read one in this many. The demo itself has already evaluated all of them. */
const ONE_IN = sized({ short: 7, full: 1 })
const DEBATES = 'quorate-demo/debates.jsonl'

const read = (file: string) => readFileSync(file, 'utf8')

describe('commands of the README, of the first steps and of the guides', () => {
  const commands = RUNNABLE.flatMap((document) => codeBlocks(read(document)))
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) =>
      code.split('\n').map((line) => line.replace(/\s+#.*$/, '').replace(/^npx quorate demo\b/, 'npm run demo')),
    )
    .filter((line) => RUN.test(line))

  /** Working folder of the commands that read debates of the demo. */
  let folder: string
  beforeAll(() => {
    mkdirSync('.quorate', { recursive: true })
    folder = mkdtempSync('.quorate/docs-commands-')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([...new Set(commands)])('%s succeeds', (command) => {
    const cwd = command.includes(DEBATES) ? withDebates(folder) : '.'
    const path = `${resolve('node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
    const env = { ...process.env, PATH: path, NODE_OPTIONS: '--conditions=quorate-source' }
    const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: 'utf8', env, cwd })
    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' })
  })
})

test.each(FIGURES)('docs/images/demo-%s.svg is the figure of the demo above', (name) => {
  const [made, shown] = [`quorate-demo/figures/${name}.svg`, `docs/images/demo-${name}.svg`]
  if (process.env['QUORATE_SCREENSHOTS'] === 'write') copyFileSync(made, shown)
  expect(read(shown), 'QUORATE_SCREENSHOTS=write npm test -- docs takes the new one').toBe(read(made))
})

/** Fills the folder with some of the debates of the demo. */
function withDebates(folder: string): string {
  const some = read(DEBATES)
    .trimEnd()
    .split('\n')
    .filter((_, row) => row % ONE_IN === 0)
  expect(some.length).toBeGreaterThanOrEqual(300)
  mkdirSync(join(folder, 'quorate-demo'), { recursive: true })
  writeFileSync(join(folder, DEBATES), `${some.join('\n')}\n`)
  return folder
}
