/** The environment variable in which tools/test.ts passes the lane to the tests. */
export const LANE_VARIABLE = 'QUORATE_TEST_LANE'

/** True in `npm run test:full`. Everywhere else long tests run in their short form. */
export const isFullLane = process.env[LANE_VARIABLE] === 'full'

/** A size of a test: `short` in `npm test`, `full` in `npm run test:full`. Both forms make the same assertions. */
export function sized<Size>({ short, full }: { readonly short: Size; readonly full: Size }): Size {
  return isFullLane ? full : short
}
