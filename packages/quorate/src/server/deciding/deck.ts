import type { ServiceTools } from '../services.ts'
import type { CertificateShelf } from './certificate-shelf.ts'
import type { Gather } from './gathering.ts'
import type { MonitorWatch } from './monitor-watch.ts'
import type { PolicyDesk } from './policy-desk.ts'
import type { Sampler } from './server-runs.ts'

/** What all services share. */
export interface Deck {
  readonly tools: ServiceTools
  readonly policy: PolicyDesk
  readonly shelf: CertificateShelf
  readonly watch: MonitorWatch
  readonly gather: Gather
  readonly sampler: Sampler
}
