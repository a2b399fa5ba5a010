import { z } from 'zod'

/** ?reveal=true: an admin sees what a blind review item hides from people, and the ledger records it. */
export const revealSchema = z.object({ reveal: z.enum(['true', 'false']).optional() })
