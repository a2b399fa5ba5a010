import { parseArgs } from 'node:util'
import { startFakeProvider } from './fake-provider.ts'

// The fake as a process of its own: prints one line of JSON with its address; GET /counts says what it charged.
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: '0' },
    'fault-rate': { type: 'string', default: '0' },
    'latency-ms': { type: 'string', default: '0' },
    'latency-spread-ms': { type: 'string', default: '0' },
    'retry-after-ms': { type: 'string', default: '20' },
  },
})
const provider = await startFakeProvider({
  port: Number(values.port),
  seed: Number(values.seed),
  faultRate: Number(values['fault-rate']),
  latencyMs: Number(values['latency-ms']),
  latencySpreadMs: Number(values['latency-spread-ms']),
  retryAfter: { 'retry-after-ms': values['retry-after-ms'] },
})
process.stdout.write(`${JSON.stringify({ url: provider.url })}\n`)
process.once('SIGTERM', () => void provider.close())
