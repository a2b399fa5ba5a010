import { certificatePolicy } from './certificate-policy.ts'

/** Ablation A1 of the paper. */
export const knnNoEnvelopePolicy = certificatePolicy({
  name: 'knn-no-envelope',
  summary: "The paper's bound without its allowance for correctness that changes with distance: no guarantee.",
  certificate: { profile: 'paper', envelope: 'none' },
})
