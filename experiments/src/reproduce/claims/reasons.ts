/** Why claims fail on twins, for reasons that several claims share. */
export const CONFIDENT =
  'Act hangs on how right panels are at each confidence, of which the paper prints one point: the accuracy of the matched threshold. The twins meet that point and may differ elsewhere; see the section on what stands between the twins and the row "Ours".'

export const CROWDED =
  'Agents of the twins state confidence in whole per cents, and many are sure. Where the rule acts at beta = .15 many of the nearest rows share one state: the radius and the envelope are small, whatever the smoother, the inflation and the number of coordinates.'
