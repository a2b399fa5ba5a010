/** What a person should read once for all calls of a run: settings that were dropped, agents that failed. */
export interface Notices {
  add(text: string): void
  all(): readonly Notice[]
}

export interface Notice {
  readonly text: string
  /** How often it was the case. */
  readonly count: number
}

/** Far more than anybody reads; bounds what a run with ever new messages keeps. */
const MOST_NOTICES = 50

export function createNotices(): Notices {
  const counts = new Map<string, number>()
  let others = 0
  return {
    add(text) {
      if (counts.has(text) || counts.size < MOST_NOTICES) counts.set(text, (counts.get(text) ?? 0) + 1)
      else others += 1
    },
    all() {
      const known = [...counts].map(([text, count]) => ({ text, count }))
      return others === 0 ? known : [...known, { text: 'other notices, which are not kept', count: others }]
    },
  }
}
