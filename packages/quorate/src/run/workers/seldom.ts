const MINUTE_MS = 60_000

/** The same words at most once a minute: what fails beside the work fails again every few seconds while its cause is there. */
export function seldom(say: (words: string) => void, elapsed: () => number): (words: string) => void {
  const saidAt = new Map<string, number>()
  return (words) => {
    const now = elapsed()
    for (const [known, at] of saidAt) if (now - at >= MINUTE_MS) saidAt.delete(known)
    if (saidAt.has(words)) return
    saidAt.set(words, now)
    say(words)
  }
}
