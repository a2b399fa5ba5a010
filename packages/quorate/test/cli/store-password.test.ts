import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { runMain } from './run-main.ts'

describe.each(['postgres://u:hunter2@127.0.0.1:1/db', 'postgres://u@127.0.0.1:1/db?password=hunter2'])(
  'a password in --store %s',
  (store) => {
    test.each(['status', 'token list', 'serve'])('is refused and not repeated by %s', async (command) => {
      const args = [...command.split(' '), '--store', store]
      const { status, stdout, stderr } = await runMain(args, { cwd: temporaryFolder(), env: {} })
      expect([status, stdout]).toEqual([2, ''])
      expect(stderr).toContain('--store must be without a password')
      expect(stderr).not.toContain('hunter2')
    })
  },
)
