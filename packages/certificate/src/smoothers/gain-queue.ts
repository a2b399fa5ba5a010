/** Hands out the item of largest gain first. */
export interface GainQueue<Item> {
  push(item: Item): void
  pop(): Item | undefined
}

/** A binary heap that moves like Python's heapq, so that equal gains leave it in the order of scikit-learn. */
export function gainQueue<Item extends { readonly gain: number }>(): GainQueue<Item> {
  const heap: Item[] = []
  return {
    push(item) {
      heap.push(item)
      rise(heap, heap.length - 1)
    },
    pop() {
      const last = heap.pop()
      const first = heap[0]
      if (last === undefined || first === undefined) return last
      heap[0] = last
      rise(heap, sink(heap))
      return first
    },
  }
}

/** Moves the first item to the bottom along the larger children, the right one among equals; returns where it is. */
function sink<Item extends { readonly gain: number }>(heap: Item[]): number {
  const item = heap[0]!
  let at = 0
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    const right = child + 1
    const larger = right < heap.length && !(heap[child]!.gain > heap[right]!.gain) ? right : child
    heap[at] = heap[larger]!
    at = larger
  }
  heap[at] = item
  return at
}

function rise<Item extends { readonly gain: number }>(heap: Item[], from: number): void {
  const item = heap[from]!
  let at = from
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!(item.gain > heap[parent]!.gain)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = item
}
