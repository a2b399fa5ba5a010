import { expect, test } from 'vitest'
import { runCli } from './run-cli.ts'
import { runMain } from './run-main.ts'

test('the program in a process of its own says the same, on the same streams, and ends with the same code', async () => {
  for (const args of [['--version'], ['help', 'demo'], ['dmeo'], ['demo', '--seed', 'x'], ['verify', 'no-such-file']]) {
    expect(runCli(args)).toEqual(await runMain(args))
  }
})
