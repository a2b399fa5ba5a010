const REPLY = /^\s*<reasoning>([\s\S]*?)<\/reasoning>\s*(?:<(answer|confidence)>[^<]*<\/\2>\s*)*$/

/**
 * What an agent argued. A reply that is nothing but the marks that our prompts ask for is shown without them: answer and
 * confidence stand beside it. Any other is shown whole.
 */
export function argumentText(text: string): string {
  const inside = REPLY.exec(text)?.[1]?.trim()
  return inside === undefined || inside === '' || inside.includes('<reasoning>') ? text : inside
}
