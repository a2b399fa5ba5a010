import { certificatePolicy } from './certificate-policy.ts'

export const cellsPolicy = certificatePolicy({
  name: 'cells',
  summary:
    'Acts when debates that went the same way were right often enough; needs independent debates, right labels, one panel.',
  certificate: { profile: 'cells' },
})
