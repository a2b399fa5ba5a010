import { certificatePolicy } from './certificate-policy.ts'

export const paperPolicy = certificatePolicy({
  name: 'paper',
  summary:
    'The paper as printed: nearest labelled debates in (p1, margin), a modulus for smoothness and Hoeffding slack.',
  certificate: { profile: 'paper' },
})
