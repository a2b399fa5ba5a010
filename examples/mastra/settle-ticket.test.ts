import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { killAndResume } from '../kill-and-resume.ts'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

test('acts on its own, stops for a person, and continues once with the reviewed answer after two kills', async () => {
  const run = (command: string, args: readonly string[]) => execFileSync(command, args, { cwd: FOLDER, stdio: 'pipe' })
  run('npm', ['ci', '--ignore-scripts', '--loglevel=error'])
  run(process.execPath, ['../../node_modules/typescript/bin/tsc', '-p', '.'])
  await killAndResume(new URL('process.ts', import.meta.url))
})
