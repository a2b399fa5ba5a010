/** People in the questions; none is an agent of the panel. */
export const PEOPLE = [
  'Amir',
  'Bela',
  'Chen',
  'Dora',
  'Elif',
  'Femi',
  'Greta',
  'Hugo',
  'Iris',
  'Jonas',
  'Kofi',
  'Lena',
  'Mira',
  'Nils',
  'Olga',
  'Priya',
] as const
