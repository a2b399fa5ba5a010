/** What marks a reply of the fake as the one reply to the one request it answers. Always of the same length. */
export function replyTag(serial: number): string {
  return `[reply ${String(serial).padStart(7, '0')}]`
}

/** Serials of the replies that a text repeats, in order. */
export function taggedReplies(text: string): readonly number[] {
  return Array.from(text.matchAll(TAG), ([, serial]) => Number(serial))
}

/** The text as it would be had every reply the same tag: equal asks stay equal. */
export function withoutTags(text: string): string {
  return text.replaceAll(TAG, '[reply]').replaceAll(CODE, '$1')
}

const TAG = /\[reply (\d{7})\]/g
/** Prompts set replies apart by a code that follows from their texts, tags included. */
const CODE = /(\bcode |<\/?(?:response|answer|confidence)-)[0-9a-f]{8}/g
