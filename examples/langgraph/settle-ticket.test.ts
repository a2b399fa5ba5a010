import { test } from 'vitest'
import { killAndResume } from '../kill-and-resume.ts'

test('acts on its own, stops for a person, and goes on once with what the person said, killed twice in between', () =>
  killAndResume(new URL('process.ts', import.meta.url)))
