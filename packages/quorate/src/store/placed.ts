/** What lies in one place, where others can reach it. */
export interface Placed {
  /** False: its file was removed or replaced since it was opened, so that what is written is lost with this process. */
  isInPlace(): boolean
  /** Bytes that its disk can still take; null: it lies on another machine, or in memory. */
  freeBytes(): number | null
}
