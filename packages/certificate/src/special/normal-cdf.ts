/**
 * P(Z <= z) for a standard normal Z, erfc(-z / sqrt 2) / 2, with about 1e-15 relative error in both tails.
 *
 * Cody 1969 (rational Chebyshev approximations of erf and erfc, in the normalisation of SPECFUN's ANORM). The upper
 * tail without cancellation is normalCdf(-z). NaN gives NaN.
 */
export function normalCdf(z: number): number {
  const size = Math.abs(z)
  if (size <= 0.66291) return 0.5 + z * centre(z * z)
  const tail = size === Infinity ? 0 : gaussian(size) * (size <= Math.sqrt(32) ? shoulder(size) : farTail(size))
  return z > 0 ? 1 - tail : tail
}

/** exp(-size^2 / 2), with the square split at a sixteenth so that the exponential does not amplify its rounding error. */
function gaussian(size: number): number {
  const coarse = Math.trunc(size * 16) / 16
  return Math.exp(-0.5 * coarse * coarse) * Math.exp(-0.5 * (size - coarse) * (size + coarse))
}

function centre(r: number): number {
  const top = ((0.065682337918207449113 * r + 2.2352520354606839287) * r + 161.02823106855587881) * r
  const bottom = (((r + 47.20258190468824187) * r + 976.09855173777669322) * r + 10260.932208618978205) * r
  return ((top + 1067.6894854603709582) * r + 18154.981253343561249) / (bottom + 45507.789335026729956)
}

function shoulder(r: number): number {
  let top = 1.0765576773720192317e-8 * r + 0.39894151208813466764
  top = ((top * r + 8.8831497943883759412) * r + 93.506656132177855979) * r + 597.27027639480026226
  top = ((top * r + 2494.5375852903726711) * r + 6848.1904505362823326) * r + 11602.651437647350124
  let bottom = (r + 22.266688044328115691) * r + 235.38790178262499861
  bottom = ((bottom * r + 1519.377599407554805) * r + 6485.558298266760755) * r + 18615.571640885098091
  bottom = (bottom * r + 34900.952721145977266) * r + 38912.003286093271411
  return (top * r + 9842.7148383839780218) / (bottom * r + 19685.429676859990727)
}

function farTail(size: number): number {
  const r = 1 / (size * size)
  let top = 0.02307344176494017303 * r + 0.21589853405795699
  top = ((top * r + 0.1274011611602473639) * r + 0.022235277870649807) * r + 0.001421619193227893466
  const bottom = (((r + 1.28426009614491121) * r + 0.468238212480865118) * r + 0.0659881378689285515) * r
  const fraction =
    (r * (top * r + 2.9112874951168792e-5)) / ((bottom + 0.00378239633202758244) * r + 7.29751555083966205e-5)
  return (1 / Math.sqrt(2 * Math.PI) - fraction) / size
}
