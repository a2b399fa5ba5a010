/** A moment at which a server is killed. */
export type Moment = 'sent' | 'accepted' | 'reviewed' | 'delivered'

export interface Moments {
  note(moment: Moment): void
  /** Calls back at the moment itself, before anything else happens, at its nth occurrence. */
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
