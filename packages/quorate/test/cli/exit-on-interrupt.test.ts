import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('Ctrl-C tidies up and ends with 130 although a thread is at work', async () => {
  const fixture = join(import.meta.dirname, 'interrupt-fixture.ts')
  const child = spawn(process.execPath, ['--conditions=quorate-source', fixture])
  const ended = once(child, 'close')
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed === 'listening\n') child.kill('SIGINT')
  }
  const [code, signal] = await ended
  expect({ code, signal, printed }).toEqual({ code: 130, signal: null, printed: 'listening\ntidied\n' })
})
