/** The facts about the policy that its state sentence needs. */
export interface Standing {
  readonly state: 'live' | 'suspended' | 'none'
  readonly cause: 'monitor' | 'drift' | 'fingerprint' | 'admin' | 'shadow' | null
  readonly since: number | null
  readonly by: string | null
  readonly certificate: { readonly id: string; readonly canAct: boolean } | null
}

/** One state has one name and one sentence: the same in the sidebar, on the page, in the API and in the terminal. */
export interface StateWords {
  readonly kind: 'acting' | 'idle' | 'shadow' | 'suspended' | 'none'
  readonly name: string
  readonly detail: string
}

/** Who or what suspended the policy, after "by". */
export const SUSPENDED_BY: Readonly<Record<NonNullable<Standing['cause']>, string>> = Object.freeze({
  monitor: 'the spot checks',
  drift: 'the drift check',
  fingerprint: 'the fingerprint check',
  admin: 'an admin',
  shadow: 'a shadow activation',
})

export function stateWords({ state, cause, since, by, certificate }: Standing): StateWords {
  const when = since === null ? '' : `since ${dayText(since)}`
  if (state === 'none' || certificate === null) {
    return { kind: 'none', name: 'Not acting', detail: 'No certificate is active.' }
  }
  const id = certificate.id.slice(0, SHORT_ID)
  if (state === 'suspended' && cause === 'shadow') {
    const detail = `${when}, certificate ${id}. It decides and records, and everything goes to people.`
    return { kind: 'shadow', name: 'Shadow', detail }
  }
  if (state === 'suspended') {
    const who = cause === 'admin' && by !== null ? by : SUSPENDED_BY[cause ?? 'admin']
    return { kind: 'suspended', name: 'Suspended', detail: `${when} by ${who}. Everything goes to people.`.trim() }
  }
  if (!certificate.canAct) {
    return { kind: 'idle', name: 'Never acts', detail: 'Its certificate acts on nothing. Everything goes to people.' }
  }
  return { kind: 'acting', name: 'Acting', detail: when === '' ? `certificate ${id}` : `${when}, certificate ${id}` }
}

/** Characters of a certificate's id that people see. */
export const SHORT_ID = 6

/** The milliseconds of a time-ordered id: enough to identify a run, short enough to type. */
export function shortRunId(runId: string): string {
  return runId.slice(0, 13)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Such as 2 Nov. It is in UTC, so that the day is the same everywhere. */
export function dayText(at: number): string {
  const day = new Date(at)
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`
}
