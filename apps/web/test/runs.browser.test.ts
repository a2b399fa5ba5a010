import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { describeInBrowser } from './fixture/describe-in-browser.ts'
import { leavePage } from './fixture/opened-page.ts'

const csv = (text: string) => ({ name: 'questions.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

describeInBrowser('an upload of questions', [], (stage) => {
  test('maps the columns of each file anew, also of one with the same name', async () => {
    const { page, logged } = await stage.open('#/runs')
    await page.getByRole('button', { name: 'Upload…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upload questions' })
    const file = dialog.locator('input[type="file"]')
    await file.setInputFiles(csv('question,options\nIs it late?,yes|no\n'))
    await dialog.getByText('1 question.').waitFor()
    await file.setInputFiles(csv('text,choices\nIs it broken?,yes|no\nIs it lost?,yes|no\n'))
    await dialog.getByText('2 questions.').waitFor()
    expect(await dialog.getByLabel('Question', { exact: true }).inputValue()).toBe('text')
    expect(await dialog.getByRole('alert').count()).toBe(0)
    expect(logged).toEqual([])
    await leavePage(page)
  })
})
