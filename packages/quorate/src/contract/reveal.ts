import { z } from 'zod'

/** ?reveal=true: an admin sees what a blind item of the queue hides from people, and the ledger says so. */
export const revealSchema = z.object({ reveal: z.enum(['true', 'false']).optional() })
