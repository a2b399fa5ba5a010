import {
  canonicalJson,
  clopperPearsonInterval,
  type Evaluation,
  type Figure,
  OUR_POLICIES,
  policyNamed,
  sha256,
  splitSeeds,
  standingOf,
  usualBudget,
} from '@quorate/certificate'
import type { Share } from '../../contract/figures.ts'
import type { AuditView, EvaluationView } from '../../contract/operating-point.ts'
import { evaluateFile } from '../../evaluation/evaluate-file.ts'
import { withFile } from './body-file.ts'
import type { Deck } from './deck.ts'
import { doHeavyWork, serverEnding } from './heavy-work.ts'

/** With fewer there is nothing to see. */
const FEWEST = 40
const SPLITS = 4

export interface Studies {
  evaluate(query: { readonly beta?: number | undefined }): Promise<EvaluationView>
  audit(): Promise<AuditView>
}

/** What takes long, over the labelled debates of the store; the same debates are studied once. */
export function createStudies(deck: Deck): Studies {
  const evaluations = remembered<EvaluationView>()
  const audits = remembered<AuditView>()
  const { stopping } = deck.tools
  const untilEnding = <Result>(work: Promise<Result>) =>
    work.catch((error: unknown) => {
      throw stopping.aborted ? serverEnding() : error
    })
  return {
    async evaluate({ beta: asked }) {
      const { lines, certificate, key } = await labelledLines(deck)
      const budget = asked === undefined ? (certificate?.budget ?? deck.tools.settings.budget) : usualBudget(asked)
      const { beta, delta, epsilon } = budget
      const nothing = { debates: lines.length, splits: SPLITS, beta, policies: [] }
      if (certificate === null || lines.length < FEWEST) return nothing
      const beliefs = certificate.panel?.elicitation ?? 'given'
      return evaluations(`${key} ${beta}`, () =>
        withFile(linesOf(lines), async (path) => {
          const options = {
            budgets: [{ beta, delta, epsilon }],
            file: { beliefs },
            seeds: splitSeeds(SPLITS),
            threads: 1,
            signal: stopping,
          }
          const [evaluation] = (await untilEnding(evaluateFile(path, options))).evaluations
          return evaluation === undefined ? nothing : evaluationView(evaluation)
        }),
      )
    },
    async audit() {
      const { tools } = deck
      const { lines, certificate, key } = await labelledLines(deck)
      const at = tools.now()
      if (certificate === null) return { audit: null, missing: 'There is no certificate to audit.', at }
      if (lines.length < FEWEST) return { audit: null, missing: missingWords(lines.length), at }
      const {
        profile,
        budget: { beta, delta, epsilon },
      } = certificate
      const options = { profile, budget: { beta, delta, epsilon }, seed: tools.settings.seed }
      const beliefs = certificate.panel?.elicitation ?? 'given'
      return audits(`${key} ${certificate.profile}`, () =>
        withFile(linesOf(lines), async (path) => {
          const found = await doHeavyWork({ kind: 'audit', path, beliefs, options }, stopping)
          return { audit: found.audit, missing: null, at }
        }),
      )
    },
  }
}

function missingWords(count: number): string {
  return (
    `An audit needs at least ${FEWEST} labelled debates with all their rounds, and the store has ${count}: import some ` +
    '(quorate import), or label spot checks.'
  )
}

/** Labelled debates of the active certificate's panel without any text, oldest first, with a hash of all. */
async function labelledLines({ policy, shelf, gather }: Deck) {
  const active = policy.activeId()
  const shelved = active === null ? null : await shelf.open(active)
  if (shelved === null) return { lines: [], certificate: null, key: '' }
  const { certificate } = shelved.certified
  const { debates } = await gather(shelved.certified)
  const lines = debates
    .filter(({ panel, isDraw }) => isDraw && panel.record.gold !== null)
    .map(({ value }) => JSON.stringify(value))
  return { lines, certificate, key: sha256(canonicalJson([active, lines])) }
}

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  for (const line of lines) yield `${line}\n`
}

function evaluationView({ n, beta, seeds, policies }: Evaluation): EvaluationView {
  const half = Math.floor(n / 2)
  return {
    ...{ debates: n, splits: seeds.length, beta },
    policies: policies.map((policy) => ({
      name: policy.name,
      title: policyNamed(policy.name).summary,
      isOurs: OUR_POLICIES.some((name) => name === policy.name),
      acted: shareFigure(policy.act, half),
      accuracy: policy.accuracy === null ? null : shareFigure(policy.accuracy, Math.round(policy.act.mean * half)),
      wrong: shareFigure(policy.wrongActions, half),
      rounds: policy.roundsUsed.mean,
      calls: policy.calls.mean,
      standing: standingOf(policy, beta),
    })),
  }
}

/** The mean over splits with the interval of one half; counts are those of an average half. */
function shareFigure({ mean, low, high }: Figure, of: number): Share | null {
  if (of === 0) return null
  const count = Math.round(mean * of)
  const own = clopperPearsonInterval(count, of, 0.95)
  return { count, of, share: mean, lower: low ?? own.lower, upper: high ?? own.upper }
}

/** The last few results by the content that they were made from; one that fails is tried again. */
function remembered<Result>(): (key: string, make: () => Promise<Result>) => Promise<Result> {
  const known = new Map<string, Promise<Result>>()
  return (key, make) => {
    const found = known.get(key) ?? make()
    known.set(key, found)
    found.catch(() => known.delete(key))
    const [oldest] = known.keys()
    if (known.size > MOST_RESULTS && oldest !== undefined) known.delete(oldest)
    return found
  }
}

const MOST_RESULTS = 8
