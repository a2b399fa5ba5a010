import {
  BELIEF_READINGS,
  type BeliefReading,
  type CalibrateOptions,
  type Certificate,
  type RelativeChoice,
} from '@quorate/certificate'
import type { LoadedConfig } from '../../config/load-config.ts'
import { writeWhole } from '../../files/write-whole.ts'
import type { Calibration } from '../../run/calibration/calibrate-run.ts'
import type { RecordedDebate } from '../../run/calibration/calibration-debates.ts'
import type { Store } from '../../store/store.ts'
import { jsonLine } from '../../text/json-line.ts'
import { pageWidth } from '../../text/page-frame.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { fileText, programName, storeFlagsText } from '../command-line.ts'
import { EXIT } from '../exit-code.ts'
import { CONFIG_FLAGS } from '../flags/config-flags.ts'
import { LOCAL_FLAGS } from '../flags/local-flags.ts'
import {
  areDistinct,
  type Flags,
  type FlagTable,
  flagsHelp,
  numberFlag,
  OUTPUT_FLAGS,
  parseFlags,
  wordFlag,
} from '../flags/parse-flags.ts'
import { optionalConfig } from '../optional-config.ts'
import { quoted } from '../quoted.ts'
import { calibrationText } from '../text/calibration-text.ts'
import { planCommandText } from '../text/plan-command-text.ts'
import { UsageError } from '../usage-error.ts'

const FLAGS = {
  run: { value: 'ID', about: 'calibrate on this run instead of a file (an ID prefix is enough)' },
  out: { value: 'FILE', about: 'file to write the certificate to' },
  beliefs: {
    value: 'HOW',
    about:
      'given | stated | vote | samples (default: the setting of the run or of the config, or else what the file contains). ' +
      'A turn that lacks the value is an abstention, here and in decisions',
  },
  'group-conditional': { about: 'decide each question from the debates of its own group' },
  'mixed-models': {
    about: 'accept that several models answered for one agent, as behind a router that always mixes them (recorded)',
  },
  'defer-groups': {
    value: 'A,B',
    about: 'questions of these groups always go to a person (profile total; or certificate.deferGroups of the config)',
  },
  regrades: {
    value: 'FILE.csv',
    about: "people's grades for debates that a model graded: the file of quorate grade --sample, filled in",
  },
  relative: {
    optionalValue: 'LAMBDA',
    about:
      "make beta LAMBDA times the panel's error after the last round, at most --beta (default 0.99). Without LAMBDA, select " +
      'the multiple from 0.25 to 5 that acts most on half of the labels while it uses at most a tenth of its budget ' +
      '(or budget.relative). Profile total takes both from its pilot. The others pay for the choice with a little of alpha',
  },
  'relative-to': { value: 'LAMBDA' },
  attempt: {
    value: 'N',
    about:
      'the number of certificates made from these labels, including this one. A store with a config counts them itself',
  },
  ...LOCAL_FLAGS,
  ...CONFIG_FLAGS,
  ...OUTPUT_FLAGS,
} satisfies FlagTable

export const calibrateCommand: Command = {
  name: 'calibrate',
  help: `quorate calibrate DEBATES.jsonl --out FILE [flags]
quorate calibrate --run ID --out FILE [flags]

Makes a certificate with the budget and the profile of the config from labelled
debates, in a file or in a run of the store. A debate that failed after its
first round counts in the rounds that it lacks: as deferred with profile total,
else as wrong. Profile total refuses debates that stopped early, because wrong
actions in their later rounds would be hidden. Some debates are left out, and
their number is printed: those without a label, those that failed in round 1,
those that stopped early with other profiles, and those of a decide run that
were not sampled for a spot check. A file without a config needs --beta.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   the certificate is written
  20  it is written, but it cannot act on anything

Examples
  quorate calibrate --run 0198c0de --out certificate.json
  quorate calibrate debates.jsonl --beta 0.15 --out certificate.json
  quorate calibrate debates.jsonl --relative 0.75 --out certificate.json
  quorate calibrate debates.jsonl --beta 0.15 --profile paper \\
    --envelope lipschitz:0.4 --k-family 64,128,256 --out certificate.json
`,
  async run(args, terminal) {
    const isRun = args.some((argument) => argument === '--run' || argument.startsWith('--run='))
    const { flags, operands } = parseFlags('calibrate', relativeArguments(args), FLAGS, isRun ? [] : ['DEBATES.jsonl'])
    const out = flags.get('out')
    if (typeof out !== 'string' || out === '') throw new UsageError('calibrate: --out FILE is missing')
    const { outFlag } = await import('../write-out.ts')
    await outFlag(flags)
    const loaded = await optionalConfig(flags, { isNeeded: isRun })
    const source = { path: operands[0] ?? null, flags, loaded }
    const made = loaded.kind === 'config' ? await withStore(source, loaded.loaded) : await calibrateFile(source, null)
    const { certificate, file, id } = made.certified
    await writeWhole(out, [file, '\n'])
    const { budget, profile, rounds } = certificate
    const about = {
      certificateId: id,
      profile,
      rounds,
      budget,
      debates: made.debates,
      padded: made.padded,
      dropped: made.dropped,
      reading: made.reading,
      mixed: made.certified.mixed,
      relative: made.certified.relative,
    }
    const text = flags.has('json')
      ? jsonLine({ quorate: 1, ...about, ...promiseFacts(certificate), outlook: made.outlook, file: out })
      : calibrationText(made, {
          out,
          width: pageWidth(terminal.width),
          notes: notesOf(loaded),
          next: nextOf(made, source, out),
        })
    terminal.write(text)
    return certificate.canAct() ? EXIT.ok : EXIT.infeasible
  },
}

/**
 * The promise, and by group the counts and the failed tests, of a `total` certificate. Empty for other profiles. The name of
 * all questions together is empty, as in the file.
 */
function promiseFacts(certificate: Certificate): object {
  if (certificate.kind !== 'total') return {}
  const { promise, levels } = certificate
  const { outcomes } = certificate.toJSON()
  const failedTests = [...certificate.outcomes.keys()].map((group) => [group ?? '', certificate.failedTests(group)])
  return { promise, levels, outcomes, failedTests: Object.fromEntries(failedTests) }
}

function notesOf(loaded: Source['loaded']): readonly string[] {
  return loaded.kind === 'config' ? loaded.loaded.notes : []
}

/** The next command. For a certificate that cannot act it is the planner, which shows what is missing. */
function nextOf({ certified: { certificate } }: Calibration, { path, flags }: Source, out: string): string {
  const store = storeFlagsText(flags)
  if (certificate.canAct()) return `${programName()} decide QUESTIONS --certificate ${fileText(out)}${store}`
  if (path !== null) return planCommandText(certificate, fileText(path))
  return `${planCommandText(certificate, `--run ${String(flags.get('run'))}`)}${store}`
}

interface Source {
  readonly path: string | null
  readonly flags: Flags
  readonly loaded: Awaited<ReturnType<typeof optionalConfig>>
}

/** Calibrates with a config, whose store also keeps the certificate. */
async function withStore(source: Source, loaded: LoadedConfig): Promise<Calibration> {
  const { openConfiguredStore } = await import('../configured-store.ts')
  const { calibrateRun } = await import('../../run/calibration/calibrate-run.ts')
  const store = await openConfiguredStore(loaded)
  try {
    const { wholeRunId } = await import('../../run/find-run.ts')
    const given = source.flags.get('run')
    const runId = typeof given === 'string' ? await wholeRunId(store, given) : null
    const options = optionsOf(source)
    const made =
      runId !== null
        ? await calibrateRun(store, {
            runId,
            options,
            beliefs: beliefsFlag(source.flags),
            relative: relativeOf(source),
            mixedModels: isMixed(source.flags),
            regrades: regradesFlag(source.flags),
          })
        : await calibrateFile(source, store)
    const { id, file } = made.certified
    await store.certificates.save({ id, file, at: Date.now(), runId })
    return made
  } finally {
    await store.close()
  }
}

/** `store` has the earlier certificates, so that a further attempt on the same labels is counted. */
async function calibrateFile(source: Source, store: Store | null): Promise<Calibration> {
  const { calibrationDebates } = await import('../../run/calibration/calibration-debates.ts')
  const { debatesOfFile } = await import('../../run/calibration/recorded-debates.ts')
  const { makeCertificate } = await import('../../run/calibration/make-certificate.ts')
  const { readingOf } = await import('../../run/calibration/panel-fingerprint.ts')
  const { path, flags, loaded } = source
  const configured = loaded.kind === 'config' ? readingOf(loaded.loaded.config.panel.elicitation) : undefined
  const beliefs = beliefsFlag(flags) ?? configured
  const asked = optionsOf(source)
  const { profile } = asked
  const how = { where: plainText(path ?? ''), beliefs, mixedModels: isMixed(flags), profile }
  const { audited } = await import('../../run/calibration/regraded.ts')
  const debated = withoutQuestions(debatesOfFile(path ?? ''), plainText(path ?? ''))
  const { sampleOfFile } = await import('../../run/exchange/regrade-sample.ts')
  const sample = sampleOfFile(path ?? '')
  const recorded = await audited(debated, { file: regradesFlag(flags), key: '', sample, source: plainText(path ?? '') })
  const debates = await calibrationDebates(recorded, how)
  const { read, padded, dropped, reading } = debates
  const { labelledIds, makeCounted } = await import('../../run/calibration/attempts.ts')
  const make = (options: CalibrateOptions) => makeCertificate(debates, options, relativeOf(source))
  const fileOf = ({ certified }: ReturnType<typeof make>) => certified.file
  const made =
    store === null ? make(asked) : await makeCounted(store, { ids: labelledIds(debates), options: asked, make, fileOf })
  return { ...made, debates: read.debates.length, padded, dropped, reading }
}

/** Refuses a file of questions at its first line. */
async function* withoutQuestions(debates: AsyncIterable<RecordedDebate>, name: string): AsyncGenerator<RecordedDebate> {
  const { refuseQuestions } = await import('../../files/refuse-questions.ts')
  for await (const debate of debates) {
    refuseQuestions(debate.value, `${name}: ${debate.place}`)
    yield debate
  }
}

export function regradesFlag(flags: Flags): string | undefined {
  const file = flags.get('regrades')
  if (file === undefined) return undefined
  if (typeof file === 'string' && file !== '') return file
  throw new UsageError('--regrades must name a file, got ""')
}

/** Replaces `--relative 1.5` by `--relative-to 1.5`, because the parser has no flags with an optional value. */
function relativeArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((argument, at) => {
    if (argument.startsWith('--relative=')) return [argument.replace('--relative=', '--relative-to=')]
    return argument === '--relative' && NUMBER.test(args[at + 1] ?? '') ? ['--relative-to'] : [argument]
  })
}

const NUMBER = /^-?\d*\.?\d+$/

/** A flag overrides the config. */
function relativeOf({ flags, loaded }: Source): RelativeChoice | undefined {
  if (flags.has('relative-to')) {
    return numberFlag(flags, 'relative-to', {
      fallback: 1,
      expected: 'a number above 0 and at most 1000, such as --relative 1.5',
      accepts: (value) => value > 0 && value <= 1000,
    })
  }
  if (flags.has('relative')) return 'selected'
  return loaded.kind === 'config' ? loaded.loaded.config.relative : undefined
}

function isMixed(flags: Flags): boolean {
  return flags.has('mixed-models')
}

function beliefsFlag(flags: Flags): BeliefReading | undefined {
  return wordFlag(flags, 'beliefs', BELIEF_READINGS)
}

function optionsOf({ loaded, flags }: Source): CalibrateOptions {
  const { budget, profile, local } = loaded.kind === 'config' ? loaded.loaded.config : loaded
  const deferredGroups = deferredGroupsOf(flags, loaded, profile)
  const options = { ...local, profile, budget, groupConditional: flags.has('group-conditional'), ...deferredGroups }
  const attempt = attemptFlag(flags)
  if (attempt === undefined) return options
  if (profile !== 'total')
    throw new UsageError('--attempt needs profile total: other profiles do not count certificates from the same labels')
  return { ...options, budget: { ...budget, total: { ...budget.total, attempt } } }
}

/** The flag overrides the config. */
function deferredGroupsOf(flags: Flags, loaded: Source['loaded'], profile: CalibrateOptions['profile']) {
  const text = flags.get('defer-groups')
  const named = typeof text === 'string' ? text.split(',').map((name) => name.trim()) : null
  if (named !== null && (named.includes('') || !areDistinct(named))) {
    throw new UsageError(`--defer-groups must name each group once, such as law,medicine, got ${quoted(String(text))}`)
  }
  const configured = loaded.kind === 'config' ? loaded.loaded.config.deferGroups : []
  const deferredGroups = named ?? [...new Set(configured)]
  if (deferredGroups.length === 0) return {}
  if (profile !== 'total') throw new UsageError('--defer-groups needs profile total: no other one obeys it')
  return { deferredGroups }
}

function attemptFlag(flags: Flags): number | undefined {
  if (!flags.has('attempt')) return undefined
  return numberFlag(flags, 'attempt', {
    fallback: 1,
    expected: 'a whole number from 1 on: how often certificates were made from these labels, this one included',
    accepts: (value) => Number.isInteger(value) && value >= 1 && value <= 10_000,
  })
}
