import { expect, test } from 'vitest'
import { runCli } from './run-cli.ts'
import { runMain } from './run-main.ts'

test('the program in its own process prints the same on the same streams, and exits with the same code', async () => {
  for (const args of [['--version'], ['help', 'demo'], ['dmeo'], ['demo', '--seed', 'x'], ['verify', 'no-such-file']]) {
    expect(runCli(args)).toEqual(await runMain(args))
  }
})
