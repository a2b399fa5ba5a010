import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { folderWith } from '../config/config-folder.ts'
import { runMain } from './run-main.ts'

describe('help', () => {
  test('teaches commands, an example, exit codes and NO_COLOR on 80 columns', async () => {
    const { status, stdout, stderr } = await runMain(['--help'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const taught of ['Commands', 'demo', 'Example', 'Exit codes', 'NO_COLOR']) expect(stdout).toContain(taught)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  test('--help says how every command continues after the spend cap, as run has no --resume', async () => {
    const { stdout } = await runMain(['--help'])
    const words = stdout.replaceAll(/\s+/gu, ' ')
    expect(words).toContain('with a higher --max-cost, and for debate and decide also with --resume')
  })

  test.each([[[]], [['-h']], [['help']], [['help', '--help']]])('%j prints the same page as --help', async (args) => {
    expect(await runMain(args)).toEqual(await runMain(['--help']))
  })

  test.each(COMMANDS)('the page of $name fits on 80 columns', async ({ load }) => {
    const { help } = await load()
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test.each([[['demo', '--help']], [['demo', '--seed', '3', '-h']]])(
    '%j prints the page of help demo',
    async (args) => {
      const page = await runMain(['help', 'demo'])
      expect(page.status).toBe(0)
      for (const flag of ['--seed', '--beta', '--no-color']) expect(page.stdout).toContain(flag)
      expect(await runMain(args)).toEqual(page)
    },
  )
})

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(await runMain(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
})

test('an error of a clone names the next command as it is typed there', async () => {
  const folder = folderWith({})
  const env = {
    npm_lifecycle_event: 'quorate',
    npm_package_json: join(folderWith({ 'package.json': '{}' }), 'package.json'),
  }
  const installed = await runMain(['validate'], { cwd: folder, env: { npm_lifecycle_event: '' } })
  expect(installed.stderr).toContain('make one with "quorate init", or name one')
  const cloned = await runMain(['validate'], { cwd: folder, env })
  expect(cloned.stderr).toMatch(/make one with "npm --prefix \S+ run quorate -- init", or name one/u)
  const unknown = await runMain(['export', '--run', 'none', '--out', 'x.jsonl'], { cwd: folder, env })
  expect(unknown).toMatchObject({ status: 1 })
  expect(unknown.stderr).not.toContain('"quorate ')
})

describe('a usage error exits with 2, writes nothing to standard output and reports', () => {
  test.each([
    ['which command was meant', ['dmeo'], 'unknown command "dmeo". Did you mean "demo"?'],
    ['that a command is unknown', ['xyzzy'], 'unknown command "xyzzy"\n'],
    ['that a command to explain is unknown', ['help', 'dem'], 'unknown command "dem". Did you mean "demo"?'],
    ['which global flag was meant', ['--hlep'], 'unknown flag "--hlep". Did you mean "--help"?'],
    ['which flag of the command was meant', ['demo', '--sed', '3'], 'demo: unknown flag --sed. Did you mean --seed?'],
    ['that a flag is unknown', ['demo', '--constructor'], 'demo: unknown flag --constructor\n'],
    ['that an argument is too much', ['demo', 'now'], 'demo: unexpected argument "now"'],
    ['that a value is missing', ['demo', '--seed'], 'demo: --seed needs a value, got none'],
    ['that a value is too much', ['demo', '--no-color=1'], 'demo: --no-color takes no value, got "1"'],
    ['which seed it expects', ['demo', '--seed', '-1'], '--seed must be an integer from 0 to 4294967295, got "-1"'],
    ['that a seed is not a word', ['demo', '--seed', 'x'], '--seed must be an integer from 0 to 4294967295, got "x"'],
    ['that a seed is not empty', ['demo', '--seed='], '--seed must be an integer from 0 to 4294967295, got ""'],
    [
      'which beta it expects',
      ['demo', '--beta', '1'],
      '--beta must be a number from 0.0001 to below 1, such as 0.05, got "1"',
    ],
    [
      'that NaN is no beta',
      ['demo', '--beta=NaN'],
      '--beta must be a number from 0.0001 to below 1, such as 0.05, got "NaN"',
    ],
  ])('%s', async (_claim, args, message) => {
    const { status, stdout, stderr } = await runMain(args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`quorate: ${message}`)
  })
})
