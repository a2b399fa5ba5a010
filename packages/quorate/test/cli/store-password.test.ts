import { expect, test } from 'vitest'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { runMain } from './run-main.ts'

test.each(['postgres://u:hunter2@127.0.0.1/db', 'postgres://u@127.0.0.1/db?password=hunter2'])(
  'a password in --store is refused and not repeated: %s',
  async (store) => {
    const { status, stdout, stderr } = await runMain(['status', '--store', store], { cwd: temporaryFolder(), env: {} })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('--store must be without a password')
    expect(stderr).not.toContain('hunter2')
  },
)
