import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commandFolder } from './command-folder.ts'

/** An OpenAI-compatible server that answers every request alike, and counts them. */
async function provider(status: number, content: string, { leavesAt = Number.POSITIVE_INFINITY } = {}) {
  let requests = 0
  const leave = () => {
    server.close()
    server.closeAllConnections()
  }
  const server = createServer((request, response) => {
    requests += 1
    if (requests >= leavesAt) return leave()
    request.resume()
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
    const body =
      status === 200
        ? { id: 'x', object: 'chat.completion', created: 0, model: 'm', choices }
        : { error: { message: content } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, requests: () => requests, leave }
}

function folderFor(baseURL: string, more: object = {}) {
  const agents = ['ada', 'bob'].map((name) => ({ name, model: `openai-compatible/${name}`, baseURL }))
  const place = commandFolder({
    panel: { agents, rounds: 2 },
    budget: { beta: 0.2 },
    limits: { maxCostUsd: null, concurrency: 4, ...more },
  })
  const lines = Array.from({ length: 80 }, (_, at) =>
    JSON.stringify({ id: `q${at}`, question: `Which ${at}?`, options: ['yes', 'no'] }),
  )
  writeFileSync(place.at('q.jsonl'), `${lines.join('\n')}\n`)
  return place
}

describe('a run that cannot succeed', () => {
  test.each([
    [401, 'invalid key', /401 invalid key/u],
    [403, 'not allowed', /403 not allowed/u],
    [404, 'no such model', /404 no such model.*Check the model's name/u],
  ])('stops within a few calls if the provider answers %i, and can be resumed', async (status, words, reason) => {
    const refusing = await provider(status, words)
    const place = folderFor(refusing.url)
    const result = await place.run(['debate', 'q.jsonl'])
    expect(result.status).toBe(1)
    const text = result.stdout.replaceAll(/\s+/gu, ' ')
    expect(text).toMatch(reason)
    expect(text).toMatch(/Correct the key or the model, then resume the run/u)
    expect(text).toMatch(/0 of 80 debated, 80 left/u)
    expect(text).toMatch(/debate q\.jsonl.* --resume/u)
    expect(refusing.requests()).toBeLessThanOrEqual(8)
    const again = await place.run(['debate', 'q.jsonl', '--resume', '--json'])
    expect(again.json()).toMatchObject({ halt: 'refused', statuses: { pending: 80, 'agent-failure': 0 } })
  })

  test('stops within a few attempts if the provider is unreachable, names the next step and loses nothing', async () => {
    const away = await provider(200, 'yes')
    away.leave()
    const place = folderFor(away.url)
    const result = await place.run(['debate', 'q.jsonl'])
    expect(result.status).toBe(1)
    const text = result.stdout.replaceAll(/\s+/gu, ' ')
    expect(text).toMatch(
      /ECONNREFUSED.*Start the server, correct its address \(baseURL\) or fix the network, then resume/u,
    )
    expect(text).toMatch(/0 of 80 debated, 80 left/u)
    const again = await place.run(['debate', 'q.jsonl', '--resume', '--json'])
    expect(again.json()).toMatchObject({ halt: 'unreachable', statuses: { pending: 80, 'agent-failure': 0 } })
  })

  test('stops a job too, with a sentence about how to continue', async () => {
    const away = await provider(200, 'yes')
    away.leave()
    const place = folderFor(away.url)
    const rows = Array.from({ length: 40 }, (_, at) => `q${at},Which ${at}?,yes|no,yes`)
    writeFileSync(place.at('q.csv'), `${['id,question,options,gold', ...rows].join('\n')}\n`)
    const result = await place.run(['run', 'q.csv'])
    expect([result.status, result.stdout.replaceAll(/\s+/gu, ' ')]).toEqual([
      1,
      expect.stringMatching(
        /Stopped .*ECONNREFUSED.* Start the server, .* Then the same command continues\. Answered calls are kept\./u,
      ),
    ])
  })

  test('stops if a provider becomes unreachable, and keeps its answers', async () => {
    const leaving = await provider(200, '<answer>yes</answer>', { leavesAt: 60 })
    const place = folderFor(leaving.url, { attempts: 2 })
    const result = await place.run(['debate', 'q.jsonl', '--max-unreadable', '1', '--json'])
    const { halt, statuses } = result.json() as unknown as { halt: string; statuses: Record<string, number> }
    expect([result.status, halt, statuses['agent-failure']]).toEqual([1, 'unreachable', 0])
    expect(statuses['pending']).toBeGreaterThan(0)
  })

  test('stops if the answers cannot be read, unless that is accepted', async () => {
    const talking = await provider(200, 'I would rather talk about the weather.')
    const place = folderFor(talking.url)
    const result = await place.run(['debate', 'q.jsonl'])
    expect(result.status).toBe(1)
    const text = result.stdout.replaceAll(/\s+/gu, ' ')
    expect(text).toMatch(/of \d+ answers could not be read, such as "I would rather talk about the weather/u)
    expect(text).toMatch(/--resume --max-unreadable 1/u)
    // Twenty turns with a reminder each, and the calls in flight.
    expect(talking.requests()).toBeLessThanOrEqual(70)
    const accepted = await place.run(['debate', 'q.jsonl', '--resume', '--max-unreadable', '1', '--json'])
    expect(accepted.json()).toMatchObject({ halt: null, statuses: { done: 80 } })
    expect(talking.requests()).toBe(640)
  })

  test('refuses a share outside 0 to 1', async () => {
    const place = folderFor('http://127.0.0.1:9/v1')
    const result = await place.run(['debate', 'q.jsonl', '--max-unreadable', '50'])
    expect(result).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--max-unreadable must be a share from 0 to 1'),
    })
  })
})
