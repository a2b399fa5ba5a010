import { Worker } from 'node:worker_threads'
import { exitOnInterrupt } from '../../src/cli/exit-on-interrupt.ts'

// Prints when it listens, then starts a thread that never ends.
exitOnInterrupt(() => process.stdout.write('tidied\n'))
const thread = new Worker('for (;;);', { eval: true })
thread.once('online', () => process.stdout.write('listening\n'))
