export interface ModelItem {
  readonly id: string
  readonly list: 'blind' | 'open'
  /** By distance for open items, by time for blind ones; -1 once skipped too often. */
  rank: number
  readonly ownRank: number
  readonly createdAt: number
  skips: number
  status: 'waiting' | 'submitted' | 'retracted'
  claimedBy: string | null
  claimedUntil: number
  isBlind: boolean | null
  outcome: string | null
  by: string | null
  undoUntil: number
}

/** The obvious implementation: a list in memory that is searched from end to end. */
export class ModelQueue {
  readonly items: ModelItem[] = []
  readonly skips: { readonly reviewer: string; readonly id: string; at: number }[] = []
  now = 0
  private handedOut = 0
  private readonly times: { readonly claimMs: number; readonly undoMs: number }

  constructor(times: { readonly claimMs: number; readonly undoMs: number }) {
    this.times = times
  }

  next(reviewer: string): ModelItem | null {
    const free = this.items
      .filter((item) => item.status === 'waiting' && item.claimedUntil <= this.now)
      .sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1))
    const skipped = this.skips.filter((skip) => skip.reviewer === reviewer)
    const fresh = free.filter(({ id }) => !skipped.some((skip) => skip.id === id))
    const again = skipped
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
      .flatMap(({ id, at }) => free.filter((item) => item.id === id).map((item) => ({ item, at })))
    const lists = this.handedOut % 2 === 0 ? ['blind', 'open'] : ['open', 'blind']
    const offered = lists.flatMap((list) => {
      const first = again.find(({ item }) => item.list === list)
      const unseen = fresh.filter((each) => each.list === list)
      if (first !== undefined && unseen.every(({ createdAt }) => createdAt > first.at)) return [first.item]
      return free.filter((item) => item.list === list && (item.rank === -1 || unseen.includes(item))).slice(0, 1)
    })
    const item = offered[0] ?? again[0]?.item
    if (item === undefined) return null
    this.handedOut++
    return this.handOut(item, reviewer)
  }

  claim(id: string, reviewer: string): ModelItem | null {
    const item = this.find(id)
    if (item.status !== 'waiting') return null
    if (item.claimedBy !== null && item.claimedBy !== reviewer && item.claimedUntil > this.now) return null
    return this.handOut(item, reviewer)
  }

  release(id: string, reviewer: string, skip: boolean): boolean {
    const item = this.find(id)
    if (item.status !== 'waiting' || item.claimedBy !== reviewer) return false
    item.claimedBy = null
    item.claimedUntil = 0
    if (!skip) return true
    item.skips += 1
    if (item.isBlind === true && item.skips > 3) item.rank = -1
    const known = this.skips.find((each) => each.id === id && each.reviewer === reviewer)
    if (known === undefined) this.skips.push({ reviewer, id, at: this.now })
    else known.at = this.now
    return true
  }

  submit(id: string, reviewer: string, outcome: string): boolean {
    const item = this.find(id)
    if (item.status === 'submitted') return item.by === reviewer && item.outcome === outcome
    if (item.status !== 'waiting' || item.claimedBy !== reviewer) return false
    Object.assign(item, { status: 'submitted', by: reviewer, outcome, undoUntil: this.now + this.times.undoMs })
    for (let at = this.skips.length - 1; at >= 0; at--) if (this.skips[at]?.id === id) this.skips.splice(at, 1)
    return true
  }

  undo(id: string, reviewer: string, replacementId: string): string | null {
    const item = this.find(id)
    if (item.by !== reviewer) return null
    if (item.status === 'retracted') return 'retracted'
    if (this.now < item.undoUntil) {
      const claimedUntil = this.now + this.times.claimMs
      Object.assign(item, { status: 'waiting', claimedBy: reviewer, claimedUntil, by: null, outcome: null })
      return 'undone'
    }
    item.status = 'retracted'
    const anew = {
      status: 'waiting',
      claimedBy: null,
      claimedUntil: 0,
      isBlind: null,
      outcome: null,
      by: null,
    } as const
    this.items.push({ ...item, ...anew, rank: item.ownRank, skips: 0, id: replacementId })
    return 'retracted'
  }

  find(id: string): ModelItem {
    const item = this.items.find((each) => each.id === id)
    if (item === undefined) throw new Error(`no item ${id}`)
    return item
  }

  private handOut(item: ModelItem, reviewer: string): ModelItem {
    item.isBlind ??= item.list === 'blind'
    item.claimedBy = reviewer
    item.claimedUntil = this.now + this.times.claimMs
    return item
  }
}
