/** Something that a server is killed at. */
export type Moment = 'sent' | 'accepted' | 'reviewed' | 'delivered'

export interface Moments {
  note(moment: Moment): void
  /** At the moment itself, before anything else happens, after so many of them. */
  at(moment: Moment, count: number, act: () => void): void
}

export function createMoments(): Moments {
  let awaited: { readonly moment: Moment; readonly act: () => void; left: number } | null = null
  return {
    note(moment) {
      if (awaited === null || awaited.moment !== moment || --awaited.left > 0) return
      const { act } = awaited
      awaited = null
      act()
    },
    at(moment, count, act) {
      awaited = { moment, act, left: count }
    },
  }
}
