import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { runMain } from './run-main.ts'

test('the store that the first command of a server makes is kept out of git', async () => {
  const cwd = temporaryFolder()
  const args = ['token', 'create', '--name', 'ann', '--role', 'admin', '--kind', 'human']
  expect(await runMain(args, { cwd, env: {} })).toMatchObject({ status: 0 })
  expect(readFileSync(join(cwd, '.quorate/.gitignore'), 'utf8')).toBe('*\n')
})
