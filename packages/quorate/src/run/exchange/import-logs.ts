import { resolve } from 'node:path'
import { FileError } from '../../files/file-error.ts'
import { plainText } from '../../text/plain-text.ts'
import { helmAnswers } from './logs/helm-log.ts'
import { inspectAnswers } from './logs/inspect-log.ts'
import { type JoinedLogs, type JoinOptions, joinLogs } from './logs/join-logs.ts'
import { lmEvalAnswers } from './logs/lm-eval-log.ts'
import type { LogChoice, LoggedAnswer, LogReader } from './logs/logged-answer.ts'
import { promptfooAnswers } from './logs/promptfoo-log.ts'

/** Tools whose logs can be imported. */
export const LOG_FORMATS = ['lm-eval', 'inspect', 'promptfoo', 'helm'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

const READERS: Readonly<Record<LogFormat, LogReader>> = {
  'lm-eval': lmEvalAnswers,
  inspect: inspectAnswers,
  promptfoo: promptfooAnswers,
  helm: helmAnswers,
}

/** Joins the logs of models that answered the same questions into debates of a growing panel. */
export async function importLogs(
  format: LogFormat,
  paths: readonly string[],
  options: LogChoice & JoinOptions,
): Promise<JoinedLogs> {
  const twice = paths.find((path, index) => paths.findIndex((other) => resolve(other) === resolve(path)) < index)
  if (twice !== undefined) throw new FileError(`${plainText(twice)} must be named once, got it twice`)
  return joinLogs(answersOf(format, paths, options), options)
}

async function* answersOf(
  format: LogFormat,
  paths: readonly string[],
  choice: LogChoice,
): AsyncGenerator<LoggedAnswer> {
  for (const path of paths) yield* READERS[format](path, choice)
}
