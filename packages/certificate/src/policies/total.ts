import { certificatePolicy } from './certificate-policy.ts'

export const totalPolicy = certificatePolicy({
  name: 'total',
  summary:
    'Stops by a learned score: at most beta of all questions wrong, and every class acted on right to its floor.',
  certificate: { profile: 'total' },
})
