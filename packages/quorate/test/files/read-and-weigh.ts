import { readDebateFile } from '../../src/files/read-debate-file.ts'

// A separate process, run with --expose-gc. It reads the file that it is given and prints how much stays in memory.
const { read } = await readDebateFile(process.argv[2] ?? '')
globalThis.gc?.()
const { heapUsed, external } = process.memoryUsage()
process.stdout.write(JSON.stringify({ debates: read.debates.length, kept: heapUsed + external }))
