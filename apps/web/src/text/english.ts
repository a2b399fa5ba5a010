/** Every word that the app says. Names and model texts come from data and are never part of a sentence's markup. */
export const TEXT = {
  app: {
    name: 'quorate',
    pages: 'Pages',
    skip: 'Skip to the content',
    notFound: 'There is no such page',
    toOverview: 'To the overview',
    themeTitle: 'Light, dark, or as the system says',
    theme: (theme: 'system' | 'light' | 'dark') =>
      ({ system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' })[theme],
    roleOf: (role: string) => `role: ${role}`,
  },
  pages: {
    '': 'Overview',
    operating: 'Operating point',
    debates: 'Debates',
    queue: 'Review queue',
    audit: 'Audit',
    certificates: 'Certificates',
  },
  policy: {
    live: 'live',
    held: 'held: defers everything',
    none: 'no certificate: defers everything',
    unknown: 'policy not known yet',
  },
  states: {
    loading: (what: string) => `Loading ${what} …`,
    failed: 'This did not work',
    again: 'Try again',
  },
} as const
