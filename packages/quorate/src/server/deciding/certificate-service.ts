import {
  type AlphaRule,
  type Certificate,
  type ClassCount,
  cellsAlphaRule,
  className,
  hasLabel,
  isUnjudged,
  kindName,
  knnAlphaRule,
  resolveBudget,
  silenceSentences,
  type TotalBudget,
  type TotalCertificate,
  usualBudget,
  usualFloor,
} from '@quorate/certificate'
import { z } from 'zod'
import type {
  CertificateRow,
  CertificateView,
  MadeCertificateView,
  MakeCertificateQuery,
} from '../../contract/certificates.ts'
import { type LabelledRow, recalibrationRows } from '../../monitor/recalibration.ts'
import { certificateSchema } from '../../record/certificate.ts'
import { isRandomSample, labelSchema } from '../../record/label.ts'
import { parseStored } from '../../record/parse-stored.ts'
import { makeCounted } from '../../run/calibration/attempts.ts'
import { openCertified } from '../../run/calibration/certified.ts'
import { readingOf } from '../../run/calibration/panel-fingerprint.ts'
import { debatesOfFile } from '../../run/calibration/recorded-debates.ts'
import type { Store } from '../../store/store.ts'
import { knnOptionsText } from '../../text/local-options.ts'
import { relativeSentence } from '../../text/relative-budget.ts'
import { isKeptBlind } from '../access/identity.ts'
import { ProblemError } from '../problem-response.ts'
import type { Activating, CertificateService, Hiding, ServiceTools } from '../services.ts'
import { mismatchOf } from './decision-service.ts'
import { readTally, shareOf } from './monitor/decision-tally.ts'
import { hiddenOf } from './monitor/monitor-others.ts'
import { budgetOf } from './monitor/monitor-view.ts'
import type { ServiceContext } from './service-context.ts'
import { withFile } from './studies/body-file.ts'
import { doHeavyWork } from './studies/heavy-work.ts'
import { badCursor, pageOfRows } from './views/lists.ts'

const anyFile = certificateSchema.pick({ profile: true, budget: true, fingerprint: true, ids: true })

/** The fields of a file that its row in the list needs. Reading them does not fit the certificate. */
const fileSchema = z.discriminatedUnion('method', [
  anyFile.extend({ method: z.literal('cells'), design: z.looseObject({ kind: z.enum(['path', 'nominate']) }) }),
  anyFile.extend({ method: z.literal('total') }),
  anyFile.extend({
    method: z.literal('knn'),
    options: z.looseObject({ alphaRule: z.enum(['printed', 'sharp']), kFamily: z.array(z.int()).min(1) }),
  }),
])

type Summary = Omit<CertificateRow, 'isActive' | 'at'>

export type Activate = (id: string, by: Activating) => Promise<boolean>

export function certificateService(context: ServiceContext, activate: Activate): CertificateService {
  const { certificates } = context.tools.store
  const summaries = new Map<string, Summary>()

  async function summaryOf(id: string): Promise<Summary | null> {
    const known = summaries.get(id)
    if (known !== undefined) return known
    const stored = await certificates.find(id)
    if (stored === null) return null
    const summary = summarise(id, stored.file)
    summaries.set(id, summary)
    return summary
  }

  async function find(id: string, of: Hiding = SEES_ALL): Promise<CertificateView | null> {
    const summary = await summaryOf(id)
    const cached = summary === null ? null : await context.certificates.open(id)
    if (summary === null || cached === null) return null
    const stored = await certificates.find(id)
    const { certificate, relative } = cached.certified
    return {
      ...summary,
      at: stored?.at ?? 0,
      isActive: context.policy.activeId() === id,
      claim: [...cached.claim, ...(relative === null ? [] : [relativeSentence(relative)])],
      promise: promiseView(certificate),
      mismatch: context.tools.allowMismatch ? [] : [...mismatchOf(context.tools, context, id)],
      fingerprint: { ...certificate.fingerprint, ...optionsOf(certificate) },
      decisions: { acted: await actedShare(context, id, of) },
    }
  }

  return {
    find,
    async list({ cursor, limit }) {
      const skipped = cursor === undefined ? 0 : Number(cursor)
      if (!Number.isSafeInteger(skipped) || skipped < 0) throw badCursor()
      const rows = (await certificates.list(skipped + limit + 1)).slice(skipped)
      const { items, next } = pageOfRows(rows, limit, () => String(skipped + limit))
      const active = context.policy.activeId()
      const shown: CertificateRow[] = []
      for (const { id, at } of items) {
        const summary = await summaryOf(id)
        if (summary !== null) shown.push({ ...summary, at, isActive: id === active })
      }
      return { items: shown, next }
    },
    make: (query, body, who) =>
      withFile(body, async (path): Promise<MadeCertificateView> => {
        const ids = await labelledIdsOf(context, path)
        const settings = settingsOf(context.tools, query)
        const { certified, dropped, reading } = await makeCounted(context.tools.store, {
          ids,
          options: settings.options,
          async make(options) {
            const work = { kind: 'calibrate', path, ...settings, options } as const
            const { file, ...rest } = await doHeavyWork(work, context.tools.stopping)
            return { ...rest, certified: openCertified(file) }
          },
          fileOf: ({ certified: { file } }) => file,
        })
        await certificates.save({ id: certified.id, file: certified.file, at: context.tools.now(), runId: null })
        context.certificates.put(certified)
        const view = await find(certified.id, { hidesBlind: isKeptBlind(who) })
        if (view === null) throw new Error('the certificate is gone')
        return { ...view, dropped, reading }
      }),
    activate: async (id, by) => ((await activate(id, by)) ? find(id, { hidesBlind: isKeptBlind(by.who) }) : null),
  }
}

function summarise(id: string, text: string): Summary {
  const file = parseStored(fileSchema, text, `certificate ${id}`)
  const { method, profile, budget, fingerprint, ids } = file
  const { beta, delta, epsilon = 0, deltaOmega = 0, selectedUpTo } = budget
  const { rounds } = fingerprint
  const rule: AlphaRule =
    file.method === 'total'
      ? { kind: 'total' }
      : file.method === 'cells'
        ? cellsAlphaRule(file.design, rounds)
        : knnAlphaRule(file.options, rounds)
  const declared = { beta, delta, epsilon, deltaOmega, ...(selectedUpTo === undefined ? {} : { selectedUpTo }) }
  const resolved = resolveBudget('certificate', declared, rule)
  // A class must reach the floor. Without a floor there is no threshold.
  const floor = budget.total?.floor ?? usualFloor(beta)
  const threshold = file.method !== 'total' ? resolved.threshold : floor === 'none' ? 0 : floor
  const labels = ids?.length ?? 0
  const { feasible } = resolved
  return { id, kind: method, profile, rounds, labels, budget: budgetOf({ ...resolved, threshold }), feasible }
}

/** The options of the profiles tight and paper, which are shown with the fingerprint. */
function optionsOf(certificate: Certificate): { readonly options?: string } {
  if (certificate.kind !== 'knn') return {}
  return { options: knnOptionsText(certificate.options, certificate.fingerprint.state) }
}

/** Both promises with the counts behind them; null for other profiles. */
function promiseView(certificate: Certificate): CertificateView['promise'] {
  if (certificate.kind !== 'total') return null
  const { promise, levels } = certificate
  const outcomes = [...certificate.outcomes].map(([group, outcome]) => ({
    group,
    counted: outcome.rows,
    acted: outcome.acted,
    wrong: outcome.wrong,
    classes: outcome.classes.map((count) => classView(certificate, count, group)),
    answers: outcome.answers.map(({ pValue: _, ...count }) => count),
    kinds: outcome.kinds.map(({ kind, ...count }) => ({ name: kindName(kind), ...count })),
    blocked: certificate.design.blocked.map(kindName),
    silence: silenceSentences(certificate, group),
  }))
  const { totalConfidence, floorConfidence, answersConfidence, confidence: both } = levels
  const { answers: _, ...declared } = promise
  const confidence = { total: totalConfidence, floor: floorConfidence, answers: answersConfidence, both }
  return { ...declared, confidence, outcomes }
}

function classView(certificate: TotalCertificate, count: ClassCount, group: string | null) {
  const { rows, right, lower, state, kinds, vetoed } = count
  const failed = certificate.failedTests(group).classes.find((each) => each.count === count)?.failed
  const names = { name: className(count), kinds: kinds.map(kindName), vetoed: vetoed.map(kindName) }
  return { ...names, rows, right, lower, state, labelsMissing: failed?.labels ?? null }
}

const SEES_ALL: Hiding = Object.freeze({ hidesBlind: false })

async function actedShare({ tools }: ServiceContext, id: string, { hidesBlind }: Hiding) {
  const hidden = hidesBlind ? (await hiddenOf(tools, id)).counts : []
  const { acted, decided } = await readTally(tools.store, id, hidden)
  return shareOf(acted, decided)
}

function settingsOf({ settings, panel }: ServiceTools, query: MakeCertificateQuery) {
  const { beta, delta, epsilon, floor, promise, profile = settings.profile } = query
  const isConfigured = beta === undefined && profile === settings.profile
  const usual = isConfigured ? settings.budget : usualBudget(beta ?? settings.budget.beta, profile)
  const total: TotalBudget = {
    ...(isConfigured ? settings.budget.total : {}),
    ...(promise === undefined ? {} : { kind: promise }),
    ...(delta === undefined ? {} : { delta }),
    ...(floor === undefined ? {} : { floor }),
  }
  const parts = { ...usual, delta: delta ?? usual.delta, epsilon: epsilon ?? usual.epsilon }
  const budget = profile === 'total' ? { ...parts, total } : parts
  const local = profile === settings.profile ? settings.local : {}
  const configured = 'missing' in panel ? undefined : readingOf(panel.plan.panel.elicitation)
  return {
    where: 'the body',
    beliefs: query.beliefs ?? configured,
    options: { ...local, profile, budget },
    relative: isConfigured ? settings.relative : undefined,
  }
}

const sourceSchema = z.looseObject({
  id: z.string(),
  source: labelSchema.shape.source.optional(),
  isSpotCheck: z.boolean().optional(),
})

/**
 * The ids of the labelled rows. A row is refused if its question was decided and not sampled, whatever the file or a label
 * states, or if the row itself states that it is a deferral. A row without a label whose reviewer could not tell is refused
 * too: leaving it out would calibrate only on questions that people could judge.
 */
async function labelledIdsOf({ tools }: ServiceContext, path: string): Promise<Set<string>> {
  const rows: LabelledRow[] = []
  const ids = new Set<string>()
  for await (const { value, place } of debatesOfFile(path)) {
    const read = sourceSchema.safeParse(value)
    if (!read.success) continue
    const { id: questionId, source = 'import', isSpotCheck } = read.data
    // The file itself states that it was not sampled, so calibration leaves it out and counts it.
    if (isSpotCheck === false) continue
    if (!hasLabel(value)) {
      if (await isLeftUnjudged(tools.store, questionId)) throw unjudgedRow(place)
      continue
    }
    ids.add(questionId)
    rows.push({ questionId, source: (await chosenSource(tools.store, questionId)) ?? source })
  }
  const recalibration = recalibrationRows(rows)
  if (recalibration.kind === 'accepted') return ids
  const errors = [{ field: 'source', expected: 'spot-check or import' }]
  throw new ProblemError({ status: 422, detail: recalibration.reason, errors })
}

function unjudgedRow(place: string): ProblemError {
  const detail =
    `${place} has no label, and the reviewer of its question could not tell what is right or called the question bad. ` +
    'Such a debate counts as wrong. Write "verdict": "cannot-tell" into the row, as `quorate export` does.'
  return new ProblemError({ status: 422, detail, errors: [{ field: `${place}.verdict`, expected: '"cannot-tell"' }] })
}

/**
 * The source of the label of a question that is no random sample; null: it is one, or it is unknown. A file names no run, so a
 * spot check in any run counts. If no known run has the question, one label from another source suffices to refuse it.
 */
async function chosenSource({ runs, labels }: Store, questionId: string): Promise<LabelledRow['source'] | null> {
  const wasSampled = await runs.wasSampled(questionId)
  if (wasSampled === true) return null
  const chosen = (await labels.of(questionId)).find(({ source }) => !isRandomSample(source))?.source ?? null
  return chosen ?? (wasSampled === null ? null : 'deferral')
}

/** Whether the latest label is from a spot check or an import, and its reviewer could not judge the question. */
async function isLeftUnjudged({ labels }: Store, questionId: string): Promise<boolean> {
  const latest = (await labels.of(questionId)).at(-1)
  return latest !== undefined && isRandomSample(latest.source) && isUnjudged(latest.verdict)
}
