import { test } from 'vitest'
import { killAndResume } from '../kill-and-resume.ts'

test('acts on its own, stops for a person, and continues once with the reviewed answer after two kills', () =>
  killAndResume(new URL('process.ts', import.meta.url)))
