import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { exampleWorld } from './example-world.ts'

/**
 * Runs `process.ts` of an example against a simulated panel, which acts on one ticket and defers the other. The process is
 * killed (SIGKILL) while a person reviews, resumed, killed again right after it has settled the ticket, and resumed to its
 * end. Each ticket is settled once, and no model is called again.
 */
export async function killAndResume(program: URL): Promise<void> {
  const { url, token, acted, deferred, quorate, review, calls } = await exampleWorld()
  const before = calls()
  const folder = mkdtempSync(join(tmpdir(), 'quorate-example-'))
  writeFileSync(join(folder, 'tickets.json'), JSON.stringify({ acted, deferred }))
  const settled = (id: string) => {
    const file = join(folder, `settled-${id}`)
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  }
  const attempts = () => readFileSync(join(folder, 'attempts'), 'utf8').trim().split('\n')
  const start = (more: Readonly<Record<string, string>> = {}) => {
    const env = { ...process.env, QUORATE_URL: url, QUORATE_TOKEN: token, MASTRA_TELEMETRY_DISABLED: '1', ...more }
    const args = ['--conditions=quorate-source', fileURLToPath(program), folder]
    return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const running: ChildProcess[] = []
  try {
    const first = start()
    running.push(first)
    expect(await firstWord(first)).toBe('waiting')
    expect([settled(acted.id) !== null, settled(deferred.id)]).toEqual([true, null])
    await kill(first)

    const decision = await quorate.decide(deferred)
    if (decision.kind !== 'defer') throw new Error('expected a deferral')
    expect(await quorate.reviewed(decision.reviewId)).toBeNull()
    // A process that is resumed too early keeps waiting.
    const early = start()
    running.push(early)
    expect(await firstWord(early)).toBe('waiting')
    await kill(early)
    expect(settled(deferred.id)).toBeNull()

    await review(decision.reviewId, 'B')
    const second = start({ STOP_AFTER_SETTLING: '1' })
    running.push(second)
    expect(await firstWord(second)).toBe('settled')
    await kill(second)
    expect(settled(deferred.id)).toBe('B')

    const third = start()
    running.push(third)
    expect(await firstWord(third)).toBe('done')
    await once(third, 'exit')
    expect(settled(deferred.id)).toBe('B')
    // The kill came before the framework stored that the tool had run, so it ran again. The ticket was settled once.
    expect(attempts()).toEqual([acted.id, deferred.id, deferred.id])
    expect(calls()).toBe(before)
  } finally {
    for (const child of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The first line that the process prints. If there is none, the error contains its standard error. */
async function firstWord(child: ChildProcess): Promise<string> {
  if (child.stdout === null || child.stderr === null) throw new Error('expected pipes')
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error(`the example ended without a word: ${errors}`)
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  expect((await exit)[1]).toBe('SIGKILL')
}
