import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fillTicketFolder, startTicketProvider, ticketCsv } from '../fake-provider/tickets.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { runMain } from './run-main.ts'

let provider: Awaited<ReturnType<typeof startTicketProvider>>
beforeAll(async () => {
  provider = await startTicketProvider()
})
afterAll(() => provider.close())

function jobFolder(count: number, labelled: number) {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  const config = fillTicketFolder(folder, provider.url, { count, labelled })
  const env = { XDG_CONFIG_HOME: at('home') }
  return { at, config, run: (...args: readonly string[]) => runMain(args, { cwd: folder, env }) }
}

describe('a job of tickets that is interrupted or changed', () => {
  test('continues where it was stopped, even with more rows and later labels', async () => {
    const { at, run } = jobFolder(100, 80)
    const capped = await run('run', 'tickets.csv', '--max-cost', '0.1')
    expect(capped.status).toBe(40)
    expect(capped.stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'Stopped at the spend cap. Repeat the command with a higher --max-cost. Answered calls are kept.',
    )
    const whole = await run('run', 'tickets.csv')
    expect(whole.stdout + whole.stderr).toMatch(/^Decided +20 rows/mu)
    const used = provider.requests()
    writeFileSync(at('more.csv'), ticketCsv(105, 82))
    const more = await run('run', 'more.csv', '--json')
    const facts = JSON.parse(more.stdout)
    expect(facts).toMatchObject({ decided: 5, known: 18, labelled: 82, labelsKept: 2 })
    expect(provider.requests() - used).toBeLessThanOrEqual(30)
  })

  test('says on Ctrl-C that the same command continues, because it has no --resume', async () => {
    const { run } = jobFolder(20, 20)
    const used = provider.requests()
    // The signal comes from outside the command, so its words go to the stream of the process.
    const said: string[] = []
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((words) => said.push(String(words)) > 0)
    onTestFinished(() => write.mockRestore())
    const running = run('run', 'tickets.csv')
    while (provider.requests() === used) await new Promise((resolve) => setImmediate(resolve))
    process.emit('SIGINT')
    expect(await running).toMatchObject({ status: 130 })
    expect(said.join('')).toContain('calls in flight may finish, the rest stays for the same command.')
    expect(JSON.parse((await run('run', 'tickets.csv', '--json')).stdout)).toMatchObject({ calibratedOn: 20 })
  })

  test('does not calibrate on rows that were labelled after a certificate had decided them', async () => {
    const { at, run } = jobFolder(170, 150)
    await run('run', 'tickets.csv')
    rmSync(at('certificate.json'))
    // Twenty labels of decided rows, and ten of new rows.
    writeFileSync(at('tickets.csv'), ticketCsv(180, 180))
    const again = await run('run', 'tickets.csv', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ calibratedOn: 160, labelled: 180, decided: 0 })
    expect(JSON.parse(readFileSync(at('certificate.json'), 'utf8')).budget.total.attempt).toBe(2)
  })

  test('withdraws the older review items of rows that a new certificate decides again', async () => {
    const { at, run } = jobFolder(40, 20)
    const first = JSON.parse((await run('run', 'tickets.csv', '--spot-check-rate', '0', '--json')).stdout)
    expect(first).toMatchObject({ deferred: 20, waiting: 20 })
    // Ten new rows have a label, and so the new certificate is another one.
    writeFileSync(
      at('tickets.csv'),
      ticketCsv(20, 20) + linesAfter(20, ticketCsv(40, 0)) + linesAfter(40, ticketCsv(50, 50)),
    )
    rmSync(at('certificate.json'))
    const again = JSON.parse((await run('run', 'tickets.csv', '--spot-check-rate', '0', '--json')).stdout)
    expect(again).toMatchObject({ calibratedOn: 30, decided: 20, superseded: 20, waiting: again.deferred })
  })

  test('calibrates on rows that were decided by a certificate that cannot act', async () => {
    const { at, run } = jobFolder(40, 20)
    expect((await run('run', 'tickets.csv')).status).toBe(20)
    rmSync(at('certificate.json'))
    writeFileSync(at('tickets.csv'), ticketCsv(40, 30))
    expect(JSON.parse((await run('run', 'tickets.csv', '--json')).stdout)).toMatchObject({ calibratedOn: 30 })
  })

  test('refuses another panel before any call and any decision, so that earlier answers stay', async () => {
    const { at, config, run } = jobFolder(155, 150)
    await run('run', 'tickets.csv')
    const answers = async () => (await run('export', '--what', 'answers')).stdout
    const before = await answers()
    const used = provider.requests()
    writeFileSync(at('tickets.csv'), ticketCsv(160, 150))
    writeFileSync(at('quorate.config.yaml'), config.replace(/rounds: \d+/u, 'rounds: 3'))
    for (const args of [
      ['run', 'tickets.csv'],
      ['run', 'tickets.csv', '--again'],
    ]) {
      const { status, stdout, stderr } = await run(...args)
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(
        /^quorate: the panel is not the one that certificate\.json was calibrated for \(.*rounds: calibrated 2, here 3/u,
      )
      expect(stderr).toContain('Nothing was asked. Use the certificate of this panel, or move this one away')
    }
    expect(provider.requests()).toBe(used)
    expect(await answers()).toBe(before)
    const allowed = await run('run', 'tickets.csv', '--allow-mismatch')
    expect(allowed.stdout).toMatch(/^Decided +5 rows/mu)
    expect(allowed.stdout).toContain('Decided without a promise (--allow-mismatch, recorded).')
    writeFileSync(at('quorate.config.yaml'), config)
    expect(JSON.parse((await run('run', 'tickets.csv', '--json')).stdout)).toMatchObject({ decided: 0, known: 10 })
  })

  test('counts known rows that another certificate decided later, and decides them again with --again', async () => {
    const { at, run } = jobFolder(160, 150)
    await run('run', 'tickets.csv', '--spot-check-rate', '0')
    // Each line ends with: answer, by, reviewer, at, bound, decision_id.
    const answers = async () =>
      (await run('export', '--what', 'answers')).stdout.split('\n').map((line) => line.split(',').slice(-6, -4).join())
    const before = await answers()
    renameSync(at('certificate.json'), at('right.json'))
    writeFileSync(at('few.csv'), ticketCsv(160, 150).split('\n').slice(0, 21).join('\n'))
    await run('run', 'few.csv', '--certificate', 'few.json')
    expect((await run('run', 'tickets.csv', '--certificate', 'few.json')).status).toBe(20)
    expect(await answers()).not.toEqual(before)
    const known = await run('run', 'tickets.csv', '--certificate', 'right.json')
    expect(known.stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'Known 10 rows decided before under this certificate: not asked again 10 of them were decided later under another ' +
        'certificate, and export --what answers takes the later decision. --again decides them again under this one',
    )
    await run('run', 'tickets.csv', '--certificate', 'right.json', '--spot-check-rate', '0', '--again')
    expect(await answers()).toEqual(before)
    const { stdout } = await run('run', 'tickets.csv', '--certificate', 'right.json', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ known: 10, replaced: 0 })
  })

  test('says again that a certificate of an earlier command cannot act', async () => {
    const { at, run } = jobFolder(25, 20)
    await run('run', 'tickets.csv')
    writeFileSync(at('tickets.csv'), ticketCsv(30, 20))
    const again = await run('run', 'tickets.csv')
    expect(again.status).toBe(20)
    expect(again.stdout.replaceAll(/\s+/gu, ' ')).toContain('Idle This certificate cannot act on anything: ')
  })

  test('calibrates again on a corrected label or note without a call, and refuses a changed text of a labelled row', async () => {
    const { at, run } = jobFolder(20, 20)
    await run('run', 'tickets.csv')
    const used = provider.requests()
    const tickets = ticketCsv(20, 20)
    writeFileSync(at('tickets.csv'), tickets.replace(/;refund;'-1/u, ';other;seen'))
    rmSync(at('certificate.json'))
    const corrected = await run('run', 'tickets.csv', '--json')
    expect(JSON.parse(corrected.stdout)).toMatchObject({ calibratedOn: 20, decided: 0 })
    expect(provider.requests()).toBe(used)
    rmSync(at('certificate.json'))
    writeFileSync(at('tickets.csv'), tickets.replace('(case 7)', '(case 70)'))
    const other = await run('run', 'tickets.csv')
    expect(other).toMatchObject({ status: 1 })
    expect(other.stderr).toContain('the question "T-0007" was asked before with another text')
    expect(provider.requests()).toBe(used)
  })

  test('stops while the server is down, and continues once it is up', async () => {
    const { at, config, run } = jobFolder(12, 10)
    const gone = await startTicketProvider()
    await gone.close()
    writeFileSync(at('quorate.config.yaml'), config.replaceAll(provider.url, gone.url))
    const stopped = await run('run', 'tickets.csv')
    expect(stopped).toMatchObject({ status: 1 })
    expect(stopped.stdout.replaceAll(/\s+/gu, ' ')).toMatch(
      /Stopped .*ECONNREFUSED.*Start the server.*Then the same command continues/u,
    )
    writeFileSync(at('quorate.config.yaml'), config)
    expect((await run('run', 'tickets.csv', '--json')).stdout).toContain('"calibratedOn":10')
  })

  test('reports why every debate failed, and how to continue', async () => {
    const { at, config, run } = jobFolder(12, 10)
    const broken = createServer((_, response) => response.writeHead(500).end('{"error":{"message":"broken"}}'))
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void broken.close())
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/v1`
    writeFileSync(at('quorate.config.yaml'), `${config.replaceAll(provider.url, url)}limits: { attempts: 1 }\n`)
    const failed = await run('run', 'tickets.csv')
    expect(failed).toMatchObject({ status: 1 })
    expect(failed.stderr).toMatch(
      /every one of 10 debates failed.*agent \w+ failed.*repeat the command with --retry-errors/u,
    )
  })

  test('refuses another text under a known ID, and a job with neither labels nor a certificate', async () => {
    const { at, run } = jobFolder(40, 30)
    writeFileSync(at('bare.csv'), ticketCsv(20, 0))
    const bare = await run('run', 'bare.csv')
    expect(bare).toMatchObject({ status: 1 })
    expect(bare.stderr).toContain('no row of bare.csv has a label to calibrate on')
    await run('run', 'tickets.csv')
    writeFileSync(at('other.csv'), ticketCsv(40, 30).replace('(case 39)', '(case 38)'))
    const other = await run('run', 'other.csv')
    expect(other).toMatchObject({ status: 1 })
    expect(other.stderr).toContain('the question "T-0039" was asked before with another text')
    const text = await run('run', 'tickets.csv', '--out', 'decided.txt')
    expect(text).toMatchObject({ status: 2, stderr: expect.stringContaining('ends in .csv or .jsonl') })
    const answer = await run('export', '--what', 'answer')
    expect(answer).toMatchObject({ status: 2, stderr: expect.stringContaining('Did you mean answers?') })
  })
})

/** The rows of a CSV text after its header and `count` others. */
function linesAfter(count: number, csv: string): string {
  return csv
    .split(/(?<=\n)/u)
    .slice(1 + count)
    .join('')
}
