import { z } from 'zod'

/** One page of a list. `next` is the cursor of the next page; null on the last one. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() })
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

export const pageQuerySchema = z.object({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type PageQuery = z.infer<typeof pageQuerySchema>
