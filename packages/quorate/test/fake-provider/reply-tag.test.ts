import { expect, test } from 'vitest'
import { loadPrompts } from '../../src/debate/load-prompts.ts'
import { promptCode, renderPrompt } from '../../src/debate/render-prompt.ts'
import { formText } from '../../src/debate/reply/read-reply.ts'
import { replyTag, taggedReplies, withoutTags } from './reply-tag.ts'

const QUESTION = { id: 'q', group: null, question: 'Which?', options: [{ name: 'A', text: 'A' }], gold: null }

function promptOver(serials: readonly number[]): string {
  const responses = serials.map((serial, index) => ({ agent: `agent ${index}`, text: `Because. ${replyTag(serial)}` }))
  const context = { question: QUESTION, templates: loadPrompts(), agent: 'agent 0', round: 2, responses }
  const code = promptCode(context)
  const form = { options: QUESTION.options, code, hasConfidence: true, isStructured: false }
  const [message] = renderPrompt(context, { code, text: formText(form) })
  return message?.content ?? ''
}

test('prompts tell which replies they repeat, and are the same prompt whichever replies those are', () => {
  const [early, late] = [promptOver([0, 17, 4]), promptOver([912, 5, 1_234_567])]
  expect(taggedReplies(early)).toEqual([0, 17, 4])
  expect(taggedReplies(late)).toEqual([912, 5, 1_234_567])
  expect(early).not.toBe(late)
  expect(withoutTags(early)).toBe(withoutTags(late))
  expect(withoutTags(early)).not.toBe(withoutTags(promptOver([0, 17])))
})
