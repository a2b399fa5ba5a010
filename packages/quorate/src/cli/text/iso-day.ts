/** The day in UTC, for example `2026-11-15`. */
export function isoDay(millis: number): string {
  return new Date(millis).toISOString().slice(0, 10)
}
