/** What lies in one place, where others can reach it. */
export interface Placed {
  /** False: its file was removed or replaced since it was opened, so that what is written is lost with this process. */
  isInPlace(): boolean
}
