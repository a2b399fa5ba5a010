import type { DebateRow } from 'quorate/contract'

const CELL = 13
const GAP = 4
const HEIGHT = 6

/** One column a round, one row an agent: filled with the panel's answer, empty with another, a dot without one. */
export function VoteCells({ row: { votes, kind } }: { readonly row: DebateRow }) {
  if (votes === null || votes.length === 0) return null
  const agents = Math.max(...votes.map((round) => round.length))
  const width = votes.length * (CELL + GAP)
  const height = agents * (HEIGHT + 3) + 4
  const words = votes
    .map((round, index) => `round ${index + 1}: ${round.filter((vote) => vote === 'same').length} of ${round.length}`)
    .join(', ')
  return (
    <svg
      className="votes"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      {votes.flatMap((round, column) =>
        round.map((vote, index) => {
          const place = [column, index].join(' ')
          const [x, y] = [column * (CELL + GAP) + 1, index * (HEIGHT + 3) + 1]
          return vote === 'none' ? (
            <circle key={place} className="is-none" cx={x + CELL / 2} cy={y + HEIGHT / 2} r="1.5" />
          ) : (
            <rect key={place} className={`is-${vote}`} x={x} y={y} width={CELL - 2} height={HEIGHT - 1} rx="1" />
          )
        }),
      )}
      {kind === null ? null : (
        <line
          className={`stop is-${kind}`}
          x1={width - CELL - GAP + 1}
          x2={width - GAP - 1}
          y1={height - 1}
          y2={height - 1}
        />
      )}
    </svg>
  )
}
