import type { ServiceTools } from '../services.ts'
import type { CertificateCache } from './certificate-cache.ts'
import type { MonitorWatch } from './monitor/monitor-watch.ts'
import type { PolicyService } from './monitor/policy-service.ts'
import type { Sampler } from './server-runs.ts'
import type { Gather } from './studies/gathering.ts'
import type { SpendOf } from './views/run-views.ts'

/** The state that all services share. */
export interface ServiceContext {
  readonly tools: ServiceTools
  readonly policy: PolicyService
  readonly certificates: CertificateCache
  readonly watch: MonitorWatch
  readonly gather: Gather
  readonly sampler: Sampler
  readonly spendOf: SpendOf
}
