import { parseStored } from '../record/parse-stored.ts'
import { type Question, questionSchema } from '../record/question.ts'

export function writeQuestion({ id, question, options, gold, group }: Question): string {
  return JSON.stringify({ id, question, options, gold, group })
}

export function readStoredQuestion(json: string): Question {
  return parseStored(questionSchema, json, 'a question of the run')
}
