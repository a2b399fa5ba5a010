/** Messages that a person should read once per run, such as dropped settings and failed agents. */
export interface Notices {
  add(text: string): void
  all(): readonly RunNotice[]
}

export interface RunNotice {
  readonly text: string
  /** How often the notice was added. */
  readonly count: number
}

/** Bounds the memory of a run whose messages never repeat. */
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
