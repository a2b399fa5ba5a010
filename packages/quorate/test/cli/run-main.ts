import { Readable, Writable } from 'node:stream'
import { main } from '../../src/cli/main.ts'

export interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

interface Place {
  /** The working directory meanwhile. */
  readonly cwd?: string
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command line in this process, without a terminal. One at a time: a process has one working directory. */
export async function runMain(args: readonly string[], { cwd, env = {} }: Place = {}): Promise<Ended> {
  if (isRunning) throw new Error('runMain: another command line runs in this process; await it first')
  const [stdout, stderr] = [collected(), collected()]
  const before = process.cwd()
  isRunning = true
  try {
    if (cwd !== undefined) process.chdir(cwd)
    // However long it takes here, it has not begun to say how far it is.
    const streams = { stdin: Readable.from([]), stdout, stderr }
    const surroundings = { ...streams, env: { ...process.env, ...env }, elapsed: () => 0 }
    const status = await main(args, surroundings)
    return { status, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.chdir(before)
    isRunning = false
  }
}

let isRunning = false

function collected(): Writable & { text(): string } {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return Object.assign(stream, { text: () => text })
}
