/** Why claims fail on twins, where one reason serves several. */
export const CONFIDENT =
  'No published aggregate says how often confident panels are right, so the twins differ there, and Act with them; see the section on what stands between the twins and the row "Ours".'

export const CROWDED =
  'Agents of the twins state confidence in steps of 5 %. Where the rule acts at beta = .15 the nearest rows share one state: the radius is 0, and so is the envelope, whatever the smoother, the inflation and the number of coordinates.'
