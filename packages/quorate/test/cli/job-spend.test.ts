import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commandFolder } from './command-folder.ts'

/** A self-hosted model without a price, which answers "refund" to every row unless it refuses. */
async function refundServer(refused: RegExp) {
  let requests = 0
  const server = createServer(async (request, response) => {
    requests += 1
    const asked = (await request.setEncoding('utf8').toArray()).join('')
    const code = /<answer-([0-9a-f]{8})>/u.exec(asked)?.[1]
    const content = refused.test(asked) ? 'I would rather not.' : `<answer-${code}>refund</answer-${code}>`
    const message = { role: 'assistant', content }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    const body = { id: 'x', object: 'chat.completion', created: 0, model: 'm', choices }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests: () => requests }
}

const ANSWERS = { kind: 'labels', labels: { refund: 'wants money back', other: 'anything else' } }
const LABELLED = 100

async function jobFolder(config: object, refused = /never/u) {
  const server = await refundServer(refused)
  const agents = [{ name: 'ada', model: 'openai-compatible/ada', baseURL: server.url }]
  const job = commandFolder({ panel: { rounds: 1, beliefs: 'vote', agents }, ...config })
  const rows = Array.from({ length: LABELLED + 40 }, (_, row) => {
    const gold = row < LABELLED ? 'refund' : ''
    return `t${row},case ${row},${gold},${gold}\n`
  })
  writeFileSync(job.at('rows.csv'), `id,question,gold,second\n${rows.join('')}`)
  return { ...job, requests: server.requests }
}

describe('calls and spend of a job', () => {
  test('one cap covers its calibration and its decisions, and the same command with a higher cap finishes', async () => {
    const job = await jobFolder({ answers: ANSWERS, budget: { beta: 0.2 } })
    // Each call of a model without a price counts as 0.001 USD.
    const capped = await job.run(['run', 'rows.csv', '--max-cost', '0.12'])
    expect(capped.status, capped.stdout + capped.stderr).toBe(40)
    expect(job.requests()).toBe(120)
    const text = capped.stdout.replaceAll(/\s+/gu, ' ')
    expect(text).toMatch(/Asked 100 calls; 0\.00 USD, and at most 0\.10 USD for calls whose cost is not known/u)
    expect(text).toMatch(/Notice openai-compatible\/ada has no known price: the cap of 0\.12 USD counts each call/u)
    expect(text.match(/Notice/gu)).toHaveLength(1)
    const rest = await job.run(['run', 'rows.csv', '--max-cost', '0.14'])
    expect(rest.status, rest.stdout + rest.stderr).toBe(0)
    expect(job.requests()).toBe(LABELLED + 40)
  })

  test('answers that could not be read are counted, with an example', async () => {
    const job = await jobFolder({ answers: ANSWERS, budget: { beta: 0.2 } }, /case \d*7\b/u)
    const { stdout } = await job.run(['run', 'rows.csv'])
    expect(stdout.replaceAll(/\s+/gu, ' ')).toMatch(
      /Unread 14 of 140 answers could not be read, even after a reminder \(ada 14\), such as "I would rather not\./u,
    )
  })

  test('one cap covers all fields of a document', async () => {
    const field = { question: 'What is wanted?', answers: ANSWERS, beta: 0.1 }
    const fields = { gold: field, second: { ...field, question: 'What is wanted then?' } }
    const job = await jobFolder({ fields, budget: { beta: 0.2 } })
    const capped = await job.run(['run', 'rows.csv', '--max-cost', '0.2'])
    expect(capped.status, capped.stdout + capped.stderr).toBe(40)
    expect(job.requests()).toBe(200)
  })
})
