import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { FakeProvider } from '../fake-provider/fake-provider.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { checkAccount } from './account.ts'
import { CHAOS_TIMEOUT_MS, chaosFolder, startChaos } from './chaos-panel.ts'
import { SQLITE } from './engines.ts'
import { type ChaosCommand, resumed, runCommand, runHere } from './killed-command.ts'
import { checkRecords } from './records.ts'
import { mountSmallDisk } from './small-disk.ts'

/** Questions whose answers need more space than the limits below leave. */
const MANY = 30
/** Enough questions if nothing is stored before the disk can be written. */
const FEW = 6
const DATABASE = '.quorate/quorate.db'
const MEGABYTE = 2 ** 20
/** No file may grow beyond some hundred kilobytes. */
const LIMITED = ['sh', '-c', 'ulimit -f 1500; exec "$@"', 'sh']
/** Root may write everywhere, so this drops that capability. */
const WITHOUT_OVERRIDE = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search,-fowner', '--']

test('a run that fills the disk ends with a clear error, and resumes once there is space', async ({ skip }) => {
  const disk = mountSmallDisk() ?? skip('no right to mount a small disk here')
  const world = await worldIn(disk.folder, MANY)
  const { command } = world
  disk.fill(MEGABYTE)
  await expectError(command, /the disk is full: free some space and run again\. Nothing written before is lost/)
  await expectError(resumed(command), /the disk is full/)
  await expectOpens(disk.folder)
  disk.free()
  await expectComplete({ ...world, command: resumed(command) })
})

test('a disk that is full from the start is reported, and a run starts once there is space', async ({ skip }) => {
  const disk = mountSmallDisk() ?? skip('no right to mount a small disk here')
  const world = await worldIn(disk.folder, FEW)
  const { fake, command } = world
  disk.fill(0.02 * MEGABYTE)
  await expectError(command, /free some space|check free space/)
  expect(fake.counts().requests).toBe(0)
  disk.free()
  await expectComplete(world)
})

test('a store that may not grow ends the run with an error that names it, and the run resumes when it may', async () => {
  const world = await worldIn(temporaryFolder(), MANY)
  const { fake, command } = world
  await expectError({ ...command, under: LIMITED }, /reading or writing failed: check free space/)
  expect(fake.counts().requests).toBeGreaterThan(20)
  await expectOpens(command.folder)
  await expectComplete({ ...world, command: resumed(command) })
})

test('a folder without write permission is reported before anything is asked', async ({ skip }) => {
  const under = withoutOverride() ?? skip('setpriv is not installed')
  const world = await worldIn(temporaryFolder(), FEW)
  const { fake, command } = world
  const { folder } = command
  chmodSync(folder, 0o555)
  onTestFinished(() => chmodSync(folder, 0o755))
  await expectError({ ...command, under }, /cannot be written: check that its folder exists, is a folder/)
  expect(fake.counts().requests).toBe(0)
  chmodSync(folder, 0o755)
  await expectComplete(world)
})

test('a store that became read-only is reported, and the run resumes when it can be written again', async ({
  skip,
}) => {
  const under = withoutOverride() ?? skip('setpriv is not installed')
  const world = await worldIn(temporaryFolder(), MANY)
  const { fake, command } = world
  const { folder } = command
  await expectError({ ...command, under: LIMITED }, /reading or writing failed/)
  const asked = fake.counts().requests
  setWritable(folder, false)
  onTestFinished(() => setWritable(folder, true))
  await expectError({ ...resumed(command), under }, /give write permission|can be written/)
  expect(fake.counts().requests).toBe(asked)
  setWritable(folder, true)
  await expectComplete({ ...world, command: resumed(command) })
})

test('a disk that is mounted read-only is reported, and a run starts once it can be written', async ({ skip }) => {
  const disk = mountSmallDisk() ?? skip('no right to mount a small disk here')
  const world = await worldIn(disk.folder, FEW)
  const { command } = world
  disk.setWritable(false)
  await expectError(command, /cannot be written: check that its folder exists/)
  disk.setWritable(true)
  await expectComplete(world)
})

interface World {
  readonly fake: FakeProvider
  readonly command: ChaosCommand
  readonly questions: number
}

async function worldIn(folder: string, questions: number): Promise<World> {
  const fake = await startChaos({ faultRate: 0 })
  onTestFinished(() => fake.close())
  // Every call is answered, so none may time out, however busy the machine is.
  chaosFolder(fake.url, { questions, concurrency: 16, folder, timeoutMs: CHAOS_TIMEOUT_MS })
  // The user's trusted configs are kept in their home folder, not on this disk.
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home)
  const args = ['debate', 'questions.jsonl', '--trust-config', '--json']
  return { fake, questions, command: { folder, args, env: { XDG_CONFIG_HOME: home } } }
}

/** A command prefix that makes permissions apply, also to root; null if there is none. */
function withoutOverride(): readonly string[] | null {
  if (process.getuid?.() !== 0) return []
  const isThere = spawnSync('setpriv', ['--version']).status === 0
  if (!isThere && process.env['CI'] === 'true') throw new Error('setpriv is not installed; under CI=true its tests run')
  return isThere ? WITHOUT_OVERRIDE : null
}

function setWritable(folder: string, isWritable: boolean): void {
  chmodSync(join(folder, '.quorate'), isWritable ? 0o755 : 0o555)
  chmodSync(join(folder, DATABASE), isWritable ? 0o644 : 0o444)
}

/** Expects exit code 1 and one line that names the file. */
async function expectError(command: ChaosCommand, words: RegExp): Promise<void> {
  const { code, output } = await (command.under === undefined ? runHere(command) : runCommand(command))
  expect(code, output).toBe(1)
  const [error, ...others] = output.split('\n').filter((line) => /^quorate: (?!(beginning|resuming) run)/.test(line))
  expect(others).toEqual([])
  expect(error).toContain(join(command.folder, DATABASE))
  expect(error).toMatch(words)
}

/** With the answers that were committed. */
async function expectOpens(folder: string): Promise<void> {
  const store = await SQLITE.open(folder)
  const [run] = await store.runs.list(1)
  expect((await store.calls.spend(run?.id ?? '')).calls.answered).toBeGreaterThan(0)
  await store.close()
}

async function expectComplete({ command, fake, questions }: World): Promise<void> {
  const { code, output } = await runHere(command)
  expect(code, output).toBe(0)
  const store = await SQLITE.open(command.folder)
  const [run] = await store.runs.list(1)
  const answered = await checkAccount(store, run?.id ?? '', fake)
  await checkRecords(store, run?.id ?? '', { questions, answered })
  await store.close()
}
