/** 2026-11-15, as it was in Greenwich. */
export function dayText(millis: number): string {
  return new Date(millis).toISOString().slice(0, 10)
}
