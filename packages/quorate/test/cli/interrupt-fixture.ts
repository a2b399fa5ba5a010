import { Worker } from 'node:worker_threads'
import { exitOnInterrupt } from '../../src/cli/exit-on-interrupt.ts'

// Says when it listens, then leaves all work to a thread that never ends.
exitOnInterrupt(() => process.stdout.write('tidied\n'))
const thread = new Worker('for (;;);', { eval: true })
thread.once('online', () => process.stdout.write('listening\n'))
