import type { AssessedStep } from '../certificate/step.ts'
import type { TotalOutcomes } from '../certificate/stopping-rule.ts'
import type { TotalCertificate } from '../certificate/total-certificate.ts'
import { kindName } from '../kinds/kind.ts'
import { MOST_OF_ONE_CLASS } from '../scores/round-model.ts'
import type { TotalOutcome } from '../total/count.ts'
import type { ClassCount } from '../total/judge-classes.ts'
import type { FailedTest } from '../total/outlook.ts'
import type { PromiseLevels, TotalPromise } from '../total/promise.ts'

/** The parts of a `total` certificate that its claim depends on. */
export interface TotalClaimant {
  readonly kind: 'total'
  readonly promise: TotalPromise
  readonly levels: PromiseLevels
  /** Null before anything has been counted. */
  readonly outcomes: TotalOutcomes | null
  readonly groupConditional: boolean
  readonly deferredGroups: readonly string[]
}

/**
 * What is promised, with which confidence, under which assumptions, and what is not. `isTried` is for a budget that a
 * user tries out to see its effect: the sentence then says that a budget chosen by looking is a further attempt,
 * tested more strictly.
 */
export function totalSentences(claimant: TotalClaimant, { isTried = false } = {}): string[] {
  const { promise, outcomes, groupConditional } = claimant
  const counted = outcomes && [...outcomes.values()].reduce((sum, { questions }) => sum + questions, 0)
  const scope = groupConditional ? `, for each ${outcomes ? `of the ${outcomes.size} groups` : 'group'} separately` : ''
  return [
    totalSentence(claimant, counted, scope),
    ...judgeSentences(claimant),
    floorSentence(claimant),
    ...answersSentences(claimant),
    `${isTried ? TRIED : `Budget, floor and seed were fixed before these labels were read (attempt ${promise.attempt}).`} It ` +
      'assumes independent questions of the population you calibrated on, labelled at random and rightly, and unchanged models, prompts, panel ' +
      'and stopping protocol. It says nothing about a single answer, about one kind within a class, or about groups you did ' +
      'not calibrate on.',
  ]
}

const TRIED =
  'This would hold for a budget and a floor that were fixed before these labels were read. One that is chosen by looking is ' +
  'a further attempt, and is tested more strictly.'

function totalSentence({ promise, levels }: TotalClaimant, counted: number | null, scope: string): string {
  const beta = declared(promise.beta)
  const attempts = promise.attempt === 1 ? '' : ' and over all attempts on them'
  const questions = counted === null ? 'labelled questions' : `${whole(counted)} labelled questions`
  const draw = `over the draw of the ${questions} kept for counting${attempts}${scope}`
  const ungraded = `acts on at most ${beta} of new questions drawn the same way and does not have its answer graded right`
  if (promise.kind === 'average') {
    const bounded = promise.isJudged
      ? ungraded
      : `acts on and is wrong about at most ${beta} of new questions drawn the same way`
    return (
      `Averaged over calibration sets drawn like yours${scope}, quorate ${bounded}; this one certificate may be above ` +
      `it.${chosenAmong(promise)}`
    )
  }
  const confidence = `With ${percentDown(levels.totalConfidence)} confidence ${draw}, `
  if (promise.isJudged) return `${confidence}this certificate ${ungraded}.`
  return promise.kind === 'selective'
    ? `${confidence}at most ${beta} of the new questions that this certificate acts on are wrong.`
    : `${confidence}this certificate acts on and is wrong about at most ${beta} of new questions drawn the same way.`
}

/**
 * An average over calibration sets says nothing about an attempt that was chosen by its result. Only levels of tests
 * can be divided.
 */
function chosenAmong({ attempt }: TotalPromise): string {
  if (attempt === 1) return ''
  return ` This is attempt ${attempt}: the average holds for each attempt by itself, not for one that was chosen by what it gave.`
}

/** Each group is tested at the full level, so nothing is claimed about all of them simultaneously. */
function separately({ groupConditional }: TotalClaimant): string {
  return groupConditional ? ' for each group separately' : ''
}

function floorSentence(claimant: TotalClaimant): string {
  const { promise, levels, outcomes, deferredGroups } = claimant
  if (promise.floor === null) {
    return promise.kind === 'selective'
      ? 'No floor: one kind of debate may be wrong far more often than the acted questions together.'
      : 'No floor: a class of debates may be wrong far more often than the total.'
  }
  const classes = outcomes && [...outcomes.values()].reduce((sum, outcome) => sum + actingClasses(outcome).length, 0)
  if (classes === 0) return 'No class of debates passed the floor, so nothing is acted on.'
  const together =
    promise.kind === 'average'
      ? ''
      : `; ${promise.answers.length === 0 ? 'both' : 'all promises'} together with ${percentDown(levels.confidence)}${separately(claimant)}`
  const taken = [
    ...(deferredGroups.length === 0 ? [] : ['groups that always go to a person']),
    ...(promise.answers.length === 0 ? [] : ['answers that do not keep their own budget']),
  ]
  const before = taken.length === 0 ? '' : `, before ${taken.join(' and ')} are taken out,`
  return (
    `With ${percentDown(levels.floorConfidence)} confidence${separately(claimant)}, in ${classesText(classes)} at least ` +
    `${declared(promise.floor)} of the new debates it acts on there${before} are right${together}.`
  )
}

/**
 * Grades of a model are not the truth. Its error is added to beta, and both are printed. The sum holds if both hold, so
 * its confidence is lower than either. An average has no confidence to combine.
 */
function judgeSentences({ promise, levels, outcomes, groupConditional }: TotalClaimant): string[] {
  if (!promise.isJudged) return []
  const judges = [...(outcomes ?? [])].flatMap(([group, { judge }]) => (judge === null ? [] : { ...judge, group }))
  if (judges.length === 0) {
    return ['A model graded: what it calls right and a person does not is measured and comes on top of that.']
  }
  const bothConfidence = levels.totalConfidence + levels.judgeConfidence - 1
  return judges.map(({ audited, misjudged, upper, group }) => {
    const [among, all] = !groupConditional
      ? ['', 'questions']
      : group === ''
        ? [' in questions without a group', 'of them']
        : [` in the group ${JSON.stringify(group)}`, 'questions of this group']
    const sum = percentUp(Math.min(1, promise.beta + upper))
    const together =
      promise.kind === 'average'
        ? 'which comes on top of that'
        : `and with ${percentDown(bothConfidence)} confidence in both at most ${sum} are acted on and wrong`
    return (
      `A model graded${among}: of ${whole(audited)} counted debates that a person graded too, ${whole(misjudged)} would be acted on by some ` +
      `policy with an answer that the model called right and the person did not. With ${percentDown(levels.judgeConfidence)} confidence ` +
      `that is so in at most ${percentUp(upper)} of all ${all}, ${together}. It assumes that these debates were drawn at random` +
      `${promise.floor === null ? '.' : '. The floor below is about the grades.'}`
    )
  })
}

/** The shares are of the debates that end with an answer, not of all debates. */
function answersSentences(claimant: TotalClaimant): string[] {
  const { promise, levels, outcomes } = claimant
  const { answers } = promise
  if (answers.length === 0) return []
  const listed = answers.map(({ answer, beta }) => `${declared(beta)} of those with the answer "${answer}"`).join(', ')
  const refused = new Set(
    [...(outcomes?.values() ?? [])].flatMap((outcome) =>
      outcome.answers.flatMap(({ answer, state }) => (state === 'refused' ? answer : [])),
    ),
  )
  const never = [...refused].map((answer) => `"${answer}"`).join(', ')
  return [
    `With ${percentDown(levels.answersConfidence)} confidence${separately(claimant)} it also acts on and is wrong about at most ${listed}, of the debates ` +
      'that end with this answer whether they are acted on or not.' +
      (refused.size === 0 ? '' : ` That is not shown for ${never}, which always goes to a person.`),
  ]
}

function classesText(classes: number | null): string {
  if (classes === null) return 'every class that it acts on'
  return classes === 1 ? 'the class that it acts on' : `each of the ${classes} classes that it acts on`
}

export function actingClasses({ chosen, classes }: TotalOutcome): readonly ClassCount[] {
  return chosen === null ? [] : classes.filter(({ state }) => state === 'acts')
}

/** Name of a group in front of the name of a class; empty for all questions together. */
export function groupPrefix(group: string | null): string {
  return group === null ? '' : `${groupName(group)}: `
}

/** Debates without a group are under the empty name. */
export function groupName(group: string): string {
  return group === '' ? 'no group' : group
}

/** Name of a class: its first kind, and how many more it has. */
export function className({ kinds, vetoed }: ClassCount): string {
  const [first, ...others] = kinds.length > 0 ? kinds : vetoed
  const more = others.length === 0 ? '' : ` and ${others.length} ${others.length === 1 ? 'kind' : 'kinds'} more`
  return `${kindName(first!)}${more}`
}

/** The counts behind an action: those of the policy, of this debate's kind, and of its class. */
export function totalEvidence(certificate: TotalCertificate, step: AssessedStep, group: string | null): string[] {
  const outcome = certificate.outcomeOf(group)
  const chosen = outcome?.chosen
  if (outcome === undefined || chosen === undefined || chosen === null) return []
  const { stopped, wrong } = outcome.policies[chosen]!
  const { floor } = certificate.promise
  const isGroupsLater = certificate.deferredGroups.length > 0 && !certificate.groupConditional
  const sentences = [
    `This policy would have stopped on ${whole(stopped)} of the ${whole(outcome.rows)} counted debates and been wrong on ` +
      `${whole(wrong)}; the certificate acts on ${whole(outcome.acted)} of them, ${whole(outcome.wrong)} wrong (its own ` +
      `counting rows, so a little flattering${isGroupsLater ? '; groups that always go to a person are still among them' : ''}).`,
  ]
  if (step.kind === undefined) return sentences
  const own =
    step.kindRows === undefined
      ? 'no counted debate was such'
      : `${ofRows(step.kindRight!, step.kindRows)} such were right`
  sentences.push(`This debate: ${kindName(step.kind)}; ${own}.`)
  if (floor !== null) {
    const classes = certificate.groupConditional ? 'all classes of its group' : 'all classes'
    sentences.push(
      `Its class: ${ofRows(step.successes, step.neighbours)} were right; at least ${percentDown(step.lower)} with ` +
        `${percentDown(certificate.levels.floorConfidence)} confidence for ${classes} at once, floor ${declared(floor)}.`,
    )
  }
  return sentences
}

/**
 * Why the certificate acts on nothing, or not on a class, and how many labels it lacks; empty if nothing failed. If each group
 * is tested by itself and none is given, the reasons of every group follow its name.
 */
export function silenceSentences(certificate: TotalCertificate, group?: string | null): string[] {
  if (group === undefined) {
    return [...certificate.outcomes.keys()]
      .filter((each) => each === null || !certificate.deferredGroups.includes(each))
      .flatMap((each) => silenceSentences(certificate, each).map((sentence) => groupPrefix(each) + sentence))
  }
  if (certificate.outcomeOf(group)?.judge?.audited === 0) return [UNMEASURED]
  const { total, classes } = certificate.failedTests(group)
  if (total !== null) return [`It acts on nothing: ${failedSentence(total, certificate.promise)}`]
  const silent = certificate.canAct() ? '' : 'It acts on nothing: '
  const { floor } = certificate.promise
  if (floor !== null && certificate.outcomeOf(group)?.classes.length === 0) return [unclassedSentence(floor, silent)]
  return classes.map(({ count, failed }) => {
    const name = `${silent === '' ? 'The' : 'the'} class "${className(count)}" does not pass the floor: `
    return `${silent}${name}${failedSentence(failed, certificate.promise, count.state === 'spoiled')}`
  })
}

const UNMEASURED =
  'It acts on nothing: a model graded, and no person has checked any of the counted debates, so nobody knows how often it ' +
  'is wrong.'

/** Classes are made of the pilot debates that a policy acts on, so there may be none. */
function unclassedSentence(floor: number, silent: string): string {
  const why = `${silent === '' ? 'It' : `${silent}it`} would act on too few pilot debates to make a class whose floor can be tested.`
  if (floor <= MOST_OF_ONE_CLASS) return why
  return (
    `${why} Where all pilot answers are right, the score is ${declared(MOST_OF_ONE_CLASS)}, below the floor of ` +
    `${declared(floor)}: more right answers do not change that, a lower floor does.`
  )
}

/** Below this many debates no forecast is made for a class, since its rate is mostly chance. */
const FEWEST_TO_JUDGE = 30

function failedSentence(
  { test, rows, wrong, limit, labels }: FailedTest,
  { kind }: TotalPromise,
  isSpoiled = false,
): string {
  // The total is tested on every counted debate, a class only on the debates that stop in it.
  if (test === 'floor' && rows === 0) {
    return 'under the chosen policy no counted debate stopped in it, so that nothing could be tested.'
  }
  const found =
    test === 'floor'
      ? `${ofRows(rows - wrong, rows)} were right where ${declared(1 - limit)} is needed.`
      : `even the strictest policy was wrong on ${ofRows(wrong, rows)}${kind === 'selective' ? ' it acted on' : ''}, ` +
        `which is not clearly below ${declared(limit)}.`
  if (isSpoiled)
    return `${found} A kind of debate in it was right less often, which refuses the class whatever its total.`
  if (test === 'floor' && rows < FEWEST_TO_JUDGE)
    return `${found} ${whole(rows)} are too few to say what more labels would do.`
  if (labels !== null) {
    return `${found} About ${whole(twoDigits(labels))} more labels would be enough if the rate stays as it is. The next attempt is counted.`
  }
  const isGood = wrong < limit * rows
  return `${found} ${isGood ? 'Even a hundred times these labels would not be enough' : 'No number of labels would change that'} at this rate.`
}

function ofRows(part: number, rows: number): string {
  return `${whole(part)} of ${whole(rows)}`
}

/** Rounds up to two significant digits, since the count is extrapolated. */
function twoDigits(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1)
  return Math.ceil(count / unit) * unit
}

function whole(count: number): string {
  return count.toLocaleString('en-US')
}

/** Never rounds down, for upper limits. */
function percentUp(share: number): string {
  return `${Number((Math.ceil(1000 * share - 1e-9) / 10).toFixed(1))} %`
}

/** A budget or a floor is printed exactly as tested: 10 %, 12.3456 %. A rounded value could promise more. */
function declared(share: number): string {
  return `${Number((100 * share).toPrecision(12))} %`
}

/** Never rounds up, for confidences and lower limits: 97 %, 92.6 %, with as many decimals as distinguish it from 100 %. */
function percentDown(share: number): string {
  const decimals = share < 1 ? Math.max(1, Math.ceil(-Math.log10(1 - share)) - 1) : 1
  const unit = 10 ** decimals
  return `${Number((Math.floor(100 * unit * share + 1e-9 * unit) / unit).toFixed(decimals))} %`
}
