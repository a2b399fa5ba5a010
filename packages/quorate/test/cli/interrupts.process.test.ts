import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { temporaryFolder } from '../files/temporary-files.ts'

test.each([
  ['Ctrl-C', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
] as const)(
  '%s erases the progress line and exits with its code while a thread computes',
  async (_, killer, expected) => {
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
  },
)

test('Ctrl-C ends plan immediately while it computes, because it has no signal handler', async () => {
  const file = temporaryFolder().write('debates.jsonl', simulatePanel({ seed: 7, count: 1600 }))
  const bin = resolve(import.meta.dirname, '../../bin/quorate.js')
  // On a terminal the command prints its progress, which shows when to interrupt it.
  const terminal = ['--import', 'data:text/javascript,process.stderr.isTTY=true']
  const args = ['--conditions=quorate-source', ...terminal, bin, 'plan', file, '--beta', '0.1', '--splits', '100']
  const child = spawn(process.execPath, args, { env: { ...process.env, TERM: 'xterm' } })
  const ended = once(child, 'close')
  for await (const chunk of child.stderr) if (String(chunk).includes('calibrating')) child.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
})
