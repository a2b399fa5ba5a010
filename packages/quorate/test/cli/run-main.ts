import { Readable, Writable } from 'node:stream'
import { main } from '../../src/cli/main.ts'

export interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

interface Place {
  /** The working directory while the command runs. */
  readonly cwd?: string
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command line in this process, without a terminal. Only one at a time, because a process has one working directory. */
export async function runMain(args: readonly string[], { cwd, env = {} }: Place = {}): Promise<Ended> {
  if (isRunning) throw new Error('runMain: another command line runs in this process; await it first')
  const [stdout, stderr] = [collected(), collected()]
  const before = process.cwd()
  isRunning = true
  try {
    if (cwd !== undefined) process.chdir(cwd)
    // The clock stands still, so that no progress is printed however long the command takes.
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
