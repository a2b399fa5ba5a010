import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FileError } from '../files/file-error.ts'
import { plainText } from '../text/plain-text.ts'
import type { PanelPrompts, PromptTemplates } from './panel.ts'
import { checkTemplate } from './prompt-template.ts'

/** Files that replace the built-in templates. */
export type PromptPaths = { readonly [Name in keyof PromptTemplates]?: string }

/**
 * Loads the three templates of a panel, from the files under `prompts/` unless others are named. An unknown or missing
 * placeholder is an error that names the file. So is a template that would leave out the instruction of the task.
 */
export function loadPrompts(paths: PromptPaths = {}, instruction?: string, isOpen = false): PanelPrompts {
  const read = (name: keyof PromptTemplates, file: string): string => {
    const path = paths[name] ?? fileURLToPath(new URL(`../../prompts/${file}.txt`, import.meta.url))
    const text = readText(path)
    checkTemplate(name, text, plainText(path), isOpen)
    if (instruction !== undefined && name !== 'reminder' && !text.includes('{instruction}')) {
      throw new FileError(
        `${plainText(path)}: expected the placeholder {instruction}, because the config has task.instruction, got none`,
      )
    }
    return text
  }
  return {
    firstRound: read('firstRound', isOpen ? 'open-first-round' : 'first-round'),
    laterRound: read('laterRound', isOpen ? 'open-later-round' : 'later-round'),
    reminder: read('reminder', 'reminder'),
    ...(instruction === undefined ? {} : { instruction }),
  }
}

/** Loads the template of a judge or of a grader. */
export function loadJudgePrompt(file: 'judge' | 'grade', named?: string): string {
  const path = named ?? fileURLToPath(new URL(`../../prompts/${file}.txt`, import.meta.url))
  const text = readText(path)
  checkTemplate('judge', text, plainText(path))
  return text
}

/** Reads a text without the line end that editors add, which is not part of a message. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
      .replace(/^\ufeff/u, '')
      .replaceAll('\r\n', '\n')
      .replace(/\n$/u, '')
  } catch (cause) {
    throw new FileError(`cannot read the prompt ${plainText(path)}`, { cause })
  }
}
