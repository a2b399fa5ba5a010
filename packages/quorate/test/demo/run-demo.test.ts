import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decide, loadCertificate, readDebates, replay } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { DEMO_FILES } from '../../src/demo/demo-folder.ts'
import { verifyBundle } from '../../src/run/verify/verify-bundle.ts'
import { POLICY_CHAIN } from '../../src/store/decisions/policy-events.ts'
import { openStoreAt } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { textColumns } from '../../src/text/text-columns.ts'
import { runCli } from '../cli/run-cli.ts'
import { demoWorld, type PlayedDemo, playDemo, temporaryFolder } from './demo-world.ts'

const NOT_A_NUMBER = /NaN|undefined|Infinity|null|\[object/
const HASH = /[0-9a-f]{64}/g

/** Few questions keep the test short. This seed has a debate that changes its mind and acts. */
const SMALL = { seed: 7, sizes: { labelled: 300, fresh: 120 } }

describe('the demo', async () => {
  const { text, reported, result, folder } = await playDemo(SMALL)
  const words = text.replace(/\s+/g, ' ')
  const lines = (name: string) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')

  test('states first that the panel is simulated and nothing leaves this machine', () => {
    expect(text.split('\n').slice(0, 2)).toEqual([
      'quorate demo, seed 7',
      'simulated panel, no model is called, nothing leaves this machine',
    ])
  })

  test('leaves all its files, and describes them in its README', () => {
    const names = Object.values(DEMO_FILES).map(({ name }) => name)
    expect(result.files.map(({ name }) => name)).toEqual(names)
    for (const { name, about } of result.files) {
      expect(existsSync(join(folder, name)), name).toBe(true)
      expect(readFileSync(join(folder, 'README.txt'), 'utf8')).toContain(`  ${name.padEnd(19)}  ${about}`)
    }
  })

  test('went through runs, calls and the store', () => {
    expect(lines('debates.jsonl')).toHaveLength(SMALL.sizes.labelled + SMALL.sizes.fresh)
    expect(lines('decisions.jsonl')).toHaveLength(SMALL.sizes.fresh)
    expect(words).toMatch(
      /Debate 300 questions with known answers, 3 agents, 4 rounds each \.\.\. Calibrate 3,[67]\d\d replies stored/,
    )
    expect(reported.some((line) => /^debate: \d+ of 300 questions, [\d,]+ calls$/.test(line))).toBe(true)
    expect(reported.some((line) => line.startsWith('decide: '))).toBe(true)
  })

  test('prints the sentences of what is promised', () => {
    expect(words).toContain('this certificate acts on and is wrong about at most 20 % of new questions')
    expect(words).toMatch(/in (each of the \d+ classes|the class) that it acts on at least 70 % of the new debates/)
    expect(words).toContain('It assumes independent questions of the population you calibrated on')
    expect(words).toContain('It says nothing about a single answer')
  })

  test('prints first how much is acted on, how often wrongly, and the budget', () => {
    const [ours] = result.policies
    const share = ((100 * (ours?.acted ?? 0)) / SMALL.sizes.fresh).toFixed(1)
    const wrong = ((100 * (ours?.wrong ?? 0)) / SMALL.sizes.fresh).toFixed(1)
    const rate = (value: string) => `${value} \\([\\d.]+–[\\d.]+\\) %`
    expect(words).toMatch(new RegExp(`Result acted on ${rate(share)}, wrong on ${rate(wrong)}, budget 20\\.0 %`))
    const used = Math.round((100 * (ours?.wrong ?? 0)) / SMALL.sizes.fresh / 0.2)
    expect(words).toContain(`${used} % of the budget used, floor 70.0 % right in every class.`)
    expect(words.indexOf('Result acted on')).toBeLessThan(words.indexOf('Promise With'))
    expect(words.indexOf('Result acted on')).toBeLessThan(words.indexOf('other rules on the same questions'))
  })

  test('decides as the certificate alone does on the exported debates', () => {
    const debates = lines('debates.jsonl').map((line) => JSON.parse(line))
    const fresh = debates.filter(({ id }) => id.startsWith('new'))
    const certificate = loadCertificate(readFileSync(join(folder, 'certificate.json'), 'utf8'))
    const { actedAt } = replay(certificate, readDebates(fresh, { beliefs: 'stated' })).at(certificate.budget)
    const [ours] = result.policies
    expect(Array.from(actedAt).filter((round) => round > 0)).toHaveLength(ours?.acted ?? -1)
    expect(ours?.acted).toBeGreaterThan(20)
    for (const [row, line] of lines('decisions.jsonl').entries()) {
      const { questionId, kind, bound } = JSON.parse(line)
      const again = decide(
        certificate,
        fresh.find(({ id }) => id === questionId),
      )
      expect([row, again.kind, again.kind === 'act' ? again.bound : null]).toEqual([row, kind, bound])
    }
  })

  test('prints five rows with intervals, rounds and calls', () => {
    const rate = String.raw`\d+\.\d \(\d+\.\d–\d+\.\d\)`
    const row = new RegExp(String.raw`^[●◆✕] [a-z-]+ +\d+\.\d +(${rate}|none) +${rate} +\d\.\d\d +\d+\.\d$`, 'gm')
    expect(text.match(row)).toHaveLength(5)
    expect(text).toMatch(/^[●◆✕] majority-final +100\.0 .* 4\.00 +12\.0$/m)
  })

  test('plays one debate, which changes its mind or else acts, and names all three in its JSON', () => {
    const [, play = ''] = text.split(/^One of these questions /m)
    const played = play.replace(/\s+/g, ' ')
    expect(played).toMatch(/continues: its score 0\.\d+ is below the threshold 0\.\d+ of this round/)
    const acts =
      /act in round (\d) with [A-D]: the score 0\.\d+ reaches the threshold 0\.\d+, and the bound 0\.\d+ of its class reaches the floor 0\.700/
    expect(Number(acts.exec(played)?.[1])).toBeGreaterThan(1)
    expect(played).toMatch(/of \d+ debates of its class \d+ were right/)
    expect(result.plays.map(({ questionId }) => typeof questionId)).toEqual(['string', 'string', 'string'])
  })

  test('has all but the last ten spot checks labelled by a simulated reviewer, through the queue of the app', async () => {
    const { sampled, labelled } = result.spotChecks
    expect(labelled).toBe(sampled - 10)
    expect(words).toContain(`${sampled} questions were sampled for a spot check`)
    expect(words).toContain(`A simulated reviewer, "demo", labelled ${labelled} of them`)
    const { labels, waiting, spotChecks } = await withStore(folder, async (store) => ({
      labels: await store.labels.list({ after: null, limit: 500 }),
      waiting: await store.reviews.list({ after: null, limit: 500, status: 'waiting' }),
      spotChecks: await store.runs.spotChecks({ certificateId: result.certificateId, after: 0, limit: 500 }),
    }))
    expect(labels.every(({ by }) => by === 'demo')).toBe(true)
    const sources = labels.map(({ source }) => source)
    expect(sources.filter((source) => source === 'spot-check')).toHaveLength(labelled)
    expect(sources.filter((source) => source === 'deferral')).toHaveLength(result.queue.reviewedDeferrals)
    // In order of arrival, so that the monitor can count them.
    expect(spotChecks.map(({ label }) => label !== null)).toEqual(spotChecks.map((_, index) => index < labelled))
    expect(waiting).toHaveLength(result.queue.waiting)
    expect(waiting.filter(({ source }) => source === 'spot-check')).toHaveLength(10)
    expect(waiting.some(({ source }) => source === 'deferral')).toBe(true)
  })

  test('leaves the policy live under its certificate', async () => {
    expect(result.policy).toEqual({ state: 'live', cause: null, reason: null })
    const events = await withStore(folder, (store) => store.policy.list({ before: null, limit: 9 }))
    expect(events.map(({ kind, certificateId }) => [kind, certificateId])).toEqual([['activate', result.certificateId]])
  })

  test('decides without knowing the right answers', () => {
    const debated = lines('debates.jsonl').map((line) => JSON.parse(line))
    expect(debated.every(({ gold }) => typeof gold === 'string')).toBe(true)
    expect(lines('decisions.jsonl').some((line) => line.includes('"gold"'))).toBe(false)
  })

  test('prints how to open the app', () => {
    expect(text).toContain(`quorate serve --config ${folder}/quorate.config.yaml --open`)
  })

  test('is not contradicted by its audit', () => {
    expect(result.audit?.verdict).not.toBe('falsified')
    expect(words).toMatch(/Audit \d+ checks of labelled and new questions contradict no assumption/)
  })

  test('leaves a report that states that the panel is simulated', () => {
    const page = readFileSync(join(folder, 'report.html'), 'utf8')
    expect(page).toContain('<title>quorate report: debates.jsonl, a simulated panel')
    expect(page).toContain('The panel is simulated: these numbers show the method and are no evidence for it.')
  })

  test('leaves a bundle that verifies against the head in its README', async () => {
    const readme = readFileSync(join(folder, 'README.txt'), 'utf8')
    expect(readme).toMatch(new RegExp(`verify \\S+ --head \\\\\\n {4}${result.bundle.head}\\n`))
    expect(await verifyBundle(join(folder, 'bundle.jsonl'), result.bundle.head)).toMatchObject({
      kind: 'whole',
      decisions: SMALL.sizes.fresh,
    })
  })

  test('has no escape code, no line over 80 columns and no NaN', () => {
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u)
    expect(widest(text)).toBeLessThanOrEqual(80)
    expect(text).not.toMatch(NOT_A_NUMBER)
  })
})

describe('other questions than those calibrated on', () => {
  test('are found by the monitor, which suspends the policy, and by the audit', async () => {
    const { text, result, folder } = await playDemo({
      seed: 5,
      shift: true,
      beta: 0.1,
      sizes: { labelled: 250, fresh: 250 },
    })
    expect(result.audit?.verdict).toBe('falsified')
    const words = text.replace(/\s+/g, ' ')
    expect(words).toMatch(/Audit falsified: [a-z, -]*exchangeability-permutation/)
    expect(words).toContain('most of them puzzles, a kind that nobody calibrated on')
    expect(words).toMatch(/Policy suspended\. Reason: Spot checks contradict the (budget|floor of the class)/)
    expect(words).toMatch(/The promise is void for these questions.*The monitors suspended the policy before the audit/)
    expect(result.policy).toMatchObject({ state: 'suspended', cause: 'monitor' })
    const { events, ledger } = await withStore(folder, async (store) => ({
      events: await store.policy.list({ before: null, limit: 9 }),
      ledger: await store.ledger.list(POLICY_CHAIN, { after: 0, limit: 9 }),
    }))
    expect(events.map(({ kind, by }) => [kind, by])).toEqual([
      ['suspend', null],
      ['activate', 'demo'],
    ])
    expect(ledger.map(({ line }) => JSON.parse(line).kind)).toEqual(['activate', 'suspend'])
  })
})

describe('a budget that allows no action', async () => {
  const { text, result, folder } = await playDemo({ beta: 0.001, sizes: { labelled: 150, fresh: 50 } })
  const words = text.replace(/\s+/g, ' ')

  test('is explained, and everything goes to a person', () => {
    expect(words).toContain('0 questions answered by the panel, 50 deferred to a person')
    expect(words).toMatch(
      /Nothing is acted on It acts on nothing: even the strictest policy was wrong on \d+ of \d+, which is not/,
    )
    expect(words).toMatch(
      /About [\d,]+ more labels would be enough if the rate stays as it is\. The next attempt is counted|No number of labels/,
    )
    expect(result.deferred).toEqual({ 'too-few-labels': 50 })
    expect(text).not.toMatch(NOT_A_NUMBER)
    expect(widest(text)).toBeLessThanOrEqual(80)
  })

  test('comes with what the same labels allow and with the planner’s answer', () => {
    expect(text).toMatch(/^ {2}0\.020 +\d+\.\d +\d+\.\d \(.*\) +0\.96$/m)
    expect(words).toContain('A beta chosen by looking at labels is a further attempt on them')
    expect(words).toContain('Plan No: beta 0.001 and floor 0.998 is not reached.')
    expect(words).toContain(
      'The plan tries certificates from a half of these labels, and those of the table are made from all',
    )
    expect(result.plan?.feasible).toBe(false)
  })

  test('leaves no report, because there is nothing to report, and explains it', () => {
    expect(existsSync(join(folder, 'report.html'))).toBe(false)
    expect(text.match(/report\.html/g)).toHaveLength(1)
    expect(words).toContain('there is no report.html: at this beta')
  })
})

test('colour and a wide terminal change no word, and it has 60 lines at most', async () => {
  const sizes = { labelled: 120, fresh: 30 }
  const { text } = await playDemo({ beta: 0.5, color: true, width: 120, sizes })
  expect(text).toContain('\u001b[')
  expect(text).not.toMatch(NOT_A_NUMBER)
  expect(widest(text)).toBeLessThanOrEqual(100)
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
})

test('after a stopped demo, the next one in the same folder works and prints the same as any other', async () => {
  const folder = temporaryFolder()
  const stop = new AbortController()
  const sizes = sized({ short: { labelled: 60, fresh: 20 }, full: { labelled: 120, fresh: 30 } })
  const world = demoWorld(stop.signal)
  const stopped = playDemo({ folder, sizes, world: { ...world, now: stopAfter(stop, world.now) } })
  await expect(stopped).rejects.toThrow(/aborted/)
  expect(existsSync(join(folder, '.quorate', 'quorate.db'))).toBe(true)
  const again = await playDemo({ folder, sizes })
  const replaced = 'of an earlier demo. Replaced: quorate.config.yaml, questions.jsonl, new-questions.jsonl'
  expect(again.text.replace(/\s+/g, ' ')).toContain(replaced)
  expect(again.result.bundle.verified).toBe(true)
  const first = await playDemo({ sizes })
  expect(steady(again)).toBe(steady(first))
})

test('a folder that is not the demo’s is refused with exit code 1', () => {
  const { status, stdout, stderr } = runCli(['demo', '--out', import.meta.dirname])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^quorate: .* is not empty and was not written by quorate demo, so nothing in it was touched/)
})

async function withStore<Result>(folder: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStoreAt('sqlite:.quorate/quorate.db', { baseFolder: folder, now: () => 0 })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** A clock that stops the demo after a number of readings. */
function stopAfter(stop: AbortController, now: () => number): () => number {
  let asked = 0
  return () => {
    asked += 1
    if (asked === 500) stop.abort()
    return now()
  }
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map(textColumns))
}

/** Removes the folder, the replaced files and the head of the chain, which is salted. */
function steady({ text, folder }: PlayedDemo): string {
  return text
    .replace(/(^Folder[\s\S]*?)?\n^Debate/m, '\nDebate')
    .replace(/^Left in[\s\S]*?^Next/m, 'Next')
    .replaceAll(folder, 'folder')
    .replace(HASH, 'hash')
}
