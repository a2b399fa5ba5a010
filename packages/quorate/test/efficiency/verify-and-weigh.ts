import { verifyBundle } from '../../src/run/verify/verify-bundle.ts'

/** Verifies a bundle and says how much memory the process took at most. */
const verdict = await verifyBundle(process.argv[2] ?? '')
process.stdout.write(JSON.stringify({ verdict, mostBytes: process.resourceUsage().maxRSS * 1024 }))
