import { dirname, join } from 'node:path'
import type { TotalCertificate } from '@quorate/certificate'
import { type LoadedConfig, type LoadedField, shownPath } from '../../config/load-config.ts'
import { csvStyle } from '../../questions/csv-rows.ts'
import { fieldId, fieldQuestion } from '../../questions/document-field.ts'
import { isCsvFile } from '../../questions/read-questions.ts'
import type { Question } from '../../record/question.ts'
import type { Certified } from '../../run/calibration/certified.ts'
import { documentRows } from '../../run/exchange/document-rows.ts'
import { writeLines } from '../../run/exchange/write-lines.ts'
import { checkPrices } from '../../run/run-context.ts'
import type { Store } from '../../store/store.ts'
import { certifiedField, documentPromise } from '../../text/document-promise.ts'
import { countOf, countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { programName, storeFlagsText } from '../command-line.ts'
import { openConfiguredStore } from '../configured-store.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { type QuestionFile, questionsOf } from '../question-file.ts'
import { planOf } from '../run-request.ts'
import type { Terminal } from '../terminal.ts'
import { panelModels } from '../terminal-models.ts'
import { UsageError } from '../usage-error.ts'
import { outFlag } from '../write-out.ts'
import { reviewReport } from './decide-job.ts'
import { type Job, type JobOutput, newOutput, type Report, withImportedLabels, withReports } from './job.ts'
import { outFormat, printOutput, usableCertificate, workOnJob } from './run-job.ts'

/*
 * A file of documents with several questions about each of them. Each field is a separate job over the same rows, with its
 * own answers, certificate and part of the budget. A document is acted on if all its critical fields are acted on.
 */

interface FieldJob {
  readonly field: LoadedField
  readonly job: Job
  readonly certified: Certified
}

/** The same as `runJob`, for a config with fields. */
export async function runDocuments(file: QuestionFile, loaded: LoadedConfig, terminal: Terminal): Promise<ExitCode> {
  const { flags } = file
  const { fields = [] } = loaded
  for (const name of ['certificate', 'regrades', 'skip-bad']) {
    if (flags.has(name)) throw new UsageError(`--${name} is for one question a row, and the config has fields`)
  }
  const format = outFormat(await outFlag(flags))
  const usable = new Map<LoadedField, Certified | null>()
  for (const field of fields) {
    const own = { ...loaded, config: field.config }
    const plan = await planOf(own, 'decide', flags)
    checkPrices(plan)
    usable.set(field, await usableCertificate(certificatePathOf(field), { plan, loaded: own, flags }))
    // Every row is read for every field before any call is made and anything is written.
    for await (const _ of questionsOf(file, field.config, { field }));
  }
  const store = await openConfiguredStore(loaded)
  // All fields have the same panel.
  let output = newOutput(await planOf(loaded, 'decide', flags))
  try {
    const done: FieldJob[] = []
    let code: ExitCode = EXIT.ok
    for (const field of fields) {
      const job = await fieldJob(file, loaded, field, store)
      const start: JobOutput = { ...output, lines: [['Field', plainText(field.name)]], facts: {} }
      const result = await workOnJob(
        job,
        { certificatePath: certificatePathOf(field), usable: usable.get(field) ?? null },
        start,
      )
      const { lines, facts } = result.output
      const before = { ...result.output, lines: output.lines, facts: output.facts }
      output = withReports(before, { lines, facts: { [field.name]: facts } })
      if (result.code !== EXIT.ok) code = result.code
      if (result.certified === null) {
        printOutput(terminal, flags, output)
        return code
      }
      done.push({ field, job, certified: result.certified })
      if (code === EXIT.error || code === EXIT.spendCap || code === EXIT.interrupted) break
    }
    const command = `${programName()} serve${storeFlagsText(flags)} --open`
    const about = 'review them in the app. Then repeat this command, which asks nothing again and writes their answers'
    output = withReports(output, await reviewReport(store, [{ command, about }]))
    if (done.length === fields.length) output = withReports(output, await documentsReport(file, done, store, format))
    printOutput(terminal, flags, output)
    return code
  } finally {
    await store.close()
  }
}

async function fieldJob(file: QuestionFile, loaded: LoadedConfig, field: LoadedField, store: Store): Promise<Job> {
  const own = { ...loaded, config: field.config }
  const questions = () => withImportedLabels(store, fieldQuestions(file, field))
  return { ...file, loaded: own, models: await panelModels(own, file.flags), store, questions }
}

/** The question of one field about each document. */
async function* fieldQuestions(file: QuestionFile, field: LoadedField): AsyncGenerator<Question> {
  for await (const row of questionsOf(file, field.config, { isRepeated: true, field })) yield fieldQuestion(row, field)
}

function certificatePathOf({ name, config }: LoadedField): string {
  return shownPath(process.cwd(), join(dirname(config.file), `certificate.${name}.json`))
}

async function documentsReport(
  file: QuestionFile,
  done: readonly FieldJob[],
  store: Store,
  format: 'csv' | 'jsonl' | null,
): Promise<Report> {
  const [first] = done
  if (first === undefined) return { lines: [] }
  const lines: [string, string][] = []
  const count = { act: 0, reviewed: 0, label: 0, defer: 0, unanswered: 0, pending: 0 }
  const style = format === 'csv' && isCsvFile(file.path, file) ? await csvStyle(file.path) : {}
  const rows = documentRows(store, {
    documents: questionsOf(file, first.field.config, { isRepeated: true }),
    fields: done.map(({ field: { name, isCritical, config }, certified }) => ({
      name,
      isCritical,
      certificateId: certified.id,
      goldColumn: config.questions.gold ?? name,
      idOf: (documentId: string) => fieldId(documentId, name),
    })),
    format: format ?? 'jsonl',
    ...style,
    onDocument: (decision) => {
      count[decision] += 1
    },
  })
  if (format === null) for await (const _ of rows);
  else {
    const out = String(file.flags.get('out'))
    const written = await writeLines(out, rows)
    lines.push(['Wrote', `${countOf(format === 'csv' ? written - 1 : written, 'document')} to ${plainText(out)}`])
  }
  const all = Object.values(count).reduce((sum, each) => sum + each, 0)
  lines.push([
    'Documents',
    `${countText(all)}: ${countText(count.act)} acted on, ${countText(count.defer)} with a critical field that waits for a person, ` +
      `${countText(count.reviewed)} completed by people, ${countText(count.label)} labelled` +
      (count.unanswered === 0
        ? ''
        : `, ${countText(count.unanswered)} with a critical field that nobody could answer`) +
      (count.pending === 0 ? '' : `, ${countText(count.pending)} not decided yet`),
  ])
  const critical = done.filter(({ field }) => field.isCritical)
  const promise = documentPromise(
    // A config with fields allows no other profile.
    critical.map(({ field, certified }) => certifiedField(field.name, certified.certificate as TotalCertificate)),
  )
  lines.push(['Promise', promise.words])
  const { beta, confidence } = promise
  return { lines, facts: { documents: count, promise: { beta, confidence } } }
}
