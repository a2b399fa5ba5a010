/** A box on the drawing. `x` and `y` are its upper left corner. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A mark at `x` and `y`, and the width of its label. */
export interface Labelled {
  readonly x: number
  readonly y: number
  readonly width: number
}

export interface PlacedLabel {
  /** Upper left corner of the label. */
  readonly x: number
  readonly y: number
  /** Whether the label is so far from its mark that a line must connect them. */
  readonly isFar: boolean
}

export const LABEL_HEIGHT = 14
const GAP = 8
const NEAR = 16
const DIRECTIONS = 16

/**
 * Places labels beside their marks so that none covers another label, a mark or a box of `taken`. It tries right and left
 * first, then growing circles. If no place is free, it takes the one that covers least. The placement is greedy, starting
 * with the rightmost mark, and deterministic.
 */
export function placeLabels(labels: readonly Labelled[], frame: Box, taken: readonly Box[] = []): PlacedLabel[] {
  const occupied: Box[] = [...taken, ...labels.map(({ x, y }) => ({ x: x - 6, y: y - 6, width: 12, height: 12 }))]
  const places = new Map<Labelled, PlacedLabel>()
  // The rightmost mark has the least room.
  for (const label of [...labels].sort((a, b) => b.x - a.x)) {
    const boxes = candidates(label)
    const box = freest(boxes, frame, occupied) ?? clamped({ ...label, height: LABEL_HEIGHT }, frame)
    occupied.push(box)
    const across = Math.max(box.x - label.x, label.x - box.x - box.width, 0)
    const along = Math.abs(box.y + LABEL_HEIGHT / 2 - label.y)
    places.set(label, { x: box.x, y: box.y, isFar: Math.hypot(across, along) > NEAR })
  }
  return labels.map((label) => places.get(label) ?? { x: label.x, y: label.y, isFar: false })
}

/** The first box that covers nothing, or else the one that covers least. */
function freest(boxes: readonly Box[], frame: Box, occupied: readonly Box[]): Box | undefined {
  let best: Box | undefined
  let least = Infinity
  for (const box of boxes) {
    if (!isInside(box, frame)) continue
    const covered = occupied.reduce((sum, other) => sum + sharedArea(box, other), 0)
    if (covered < least) [best, least] = [box, covered]
    if (covered === 0) break
  }
  return best
}

function candidates({ x, y, width }: Labelled): Box[] {
  const at = (left: number, middle: number): Box => ({
    x: left,
    y: middle - LABEL_HEIGHT / 2,
    width,
    height: LABEL_HEIGHT,
  })
  const near = [
    at(x + GAP, y),
    at(x - GAP - width, y),
    at(x - width / 2, y - 14),
    at(x - width / 2, y + 14),
    at(x + 4, y - 13),
    at(x + 4, y + 13),
    at(x - 4 - width, y - 13),
    at(x - 4 - width, y + 13),
  ]
  const circles = [18, 28, 40, 54, 70, 88, 108, 130, 155].flatMap((radius) =>
    Array.from({ length: DIRECTIONS }, (_, index) => {
      const angle = (2 * Math.PI * index) / DIRECTIONS
      const [cx, cy] = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
      return at(Math.cos(angle) >= 0 ? cx : cx - width, cy)
    }),
  )
  return [...near, ...circles]
}

function isInside(box: Box, frame: Box): boolean {
  return (
    box.x >= frame.x &&
    box.y >= frame.y &&
    box.x + box.width <= frame.x + frame.width &&
    box.y + box.height <= frame.y + frame.height
  )
}

function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

function clamped(box: Box, frame: Box): Box {
  return {
    ...box,
    x: Math.max(frame.x, Math.min(box.x, frame.x + frame.width - box.width)),
    y: Math.max(frame.y, Math.min(box.y, frame.y + frame.height - box.height)),
  }
}
