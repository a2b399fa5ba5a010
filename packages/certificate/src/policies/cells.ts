import { certificatePolicy } from './certificate-policy.ts'

export const cellsPolicy = certificatePolicy({
  name: 'cells',
  summary:
    'Acts when labelled debates that went the same way were right often enough; needs independent debates, nothing else.',
  certificate: { profile: 'cells' },
})
