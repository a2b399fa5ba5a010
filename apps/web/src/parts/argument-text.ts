const MARK = '(answer|confidence)(?:-[0-9a-f]{8})?'
const REPLY = new RegExp(`^\\s*<reasoning>([\\s\\S]*?)</reasoning>\\s*(?:<${MARK}>[^<]*</\\2(?:-[0-9a-f]{8})?>\\s*)*$`)

/**
 * What an agent argued. A reply that is nothing but the form that our prompts ask for is shown without it: answer and
 * confidence stand beside it. Any other is shown whole.
 */
export function argumentText(text: string): string {
  const inside = (structuredReasoning(text) ?? REPLY.exec(text)?.[1])?.trim()
  return inside === undefined || inside === '' || inside.includes('<reasoning>') ? text : inside
}

/** Of a reply that is one JSON object with nothing but the fields that were asked for. */
function structuredReasoning(text: string): string | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const reply: unknown = JSON.parse(text)
    if (typeof reply !== 'object' || reply === null || !('reasoning' in reply)) return undefined
    const isOurs = Object.keys(reply).every((key) => ['reasoning', 'answer', 'confidence'].includes(key))
    return isOurs && typeof reply.reasoning === 'string' ? reply.reasoning : undefined
  } catch {
    return undefined // shown whole, as any other text
  }
}
