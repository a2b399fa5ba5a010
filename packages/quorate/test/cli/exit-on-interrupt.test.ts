import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test.each([
  ['Ctrl-C', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
] as const)('%s tidies up and ends with its code although a thread is at work', async (_, killer, expected) => {
  const fixture = join(import.meta.dirname, 'interrupt-fixture.ts')
  const child = spawn(process.execPath, ['--conditions=quorate-source', fixture])
  const ended = once(child, 'close')
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed === 'listening\n') child.kill(killer)
  }
  const [code, signal] = await ended
  expect({ code, signal, printed }).toEqual({ code: expected, signal: null, printed: 'listening\ntidied\n' })
})
