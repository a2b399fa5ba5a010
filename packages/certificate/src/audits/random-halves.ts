/** Texts of checks that assume nothing but independent draws. Random halves hardly test that assumption. */
export const RANDOM_HALVES = Object.freeze({
  assumption:
    'Questions are drawn independently from one population. Halves are drawn at random, so held-out debates are ' +
    'like those calibrated on even if this fails. This check therefore tests only the counting.',
  falsified:
    'A correct certificate fails this check by chance with a probability of at most about .01 + delta. Calibrate on more ' +
    'labels, and report it with the file if it happens again.',
  silent:
    'Nothing. Only the order of arrival (its checks, and the later half) can contradict that questions are drawn ' +
    'independently from one population.',
})
