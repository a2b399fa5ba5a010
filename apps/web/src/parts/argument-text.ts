const MARK = '(answer|confidence)(?:-[0-9a-f]{8})?'
const REPLY = new RegExp(`^\\s*<reasoning>([\\s\\S]*?)</reasoning>\\s*(?:<${MARK}>[^<]*</\\2(?:-[0-9a-f]{8})?>\\s*)*$`)

/**
 * The argument of an agent. A reply in exactly the form that our prompts ask for is reduced to its reasoning, because its
 * answer and confidence are shown beside it. Any other reply is shown in full.
 */
export function argumentText(text: string): string {
  const inside = (structuredReasoning(text) ?? REPLY.exec(text)?.[1])?.trim()
  return inside === undefined || inside === '' || inside.includes('<reasoning>') ? text : inside
}

/** The reasoning of a reply that is one JSON object with only the requested fields; undefined for any other reply. */
function structuredReasoning(text: string): string | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const reply: unknown = JSON.parse(text)
    if (typeof reply !== 'object' || reply === null || !('reasoning' in reply)) return undefined
    const isOurs = Object.keys(reply).every((key) => ['reasoning', 'answer', 'confidence'].includes(key))
    return isOurs && typeof reply.reasoning === 'string' ? reply.reasoning : undefined
  } catch {
    return undefined // no JSON, so it is shown in full
  }
}
