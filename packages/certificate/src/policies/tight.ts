import { certificatePolicy } from './certificate-policy.ts'

export const tightPolicy = certificatePolicy({
  name: 'tight',
  summary:
    'Acts when the nearest labelled debates in a learned state were right often enough, if correctness is smooth there.',
  certificate: { profile: 'tight' },
})
