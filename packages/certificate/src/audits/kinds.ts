import type { TotalCertificate } from '../certificate/total-certificate.ts'
import { className, groupPrefix } from '../decision/total-sentences.ts'
import { type KindCode, kindName, kindOf } from '../kinds/kind.ts'
import { type Counted, promisedRow } from './binomial-rows.ts'
import type { DraftCheck } from './draft-check.ts'
import { grantedTo, type HeldOut } from './held-out.ts'
import { percentText } from './percent-text.ts'
import { RANDOM_HALVES } from './random-halves.ts'
import { lessDelta } from './stopping-rounds.ts'

/**
 * Acted accuracy of each kind of debate: round, agreement, answer changed or not. An average can hide a bad kind, and a
 * kind is what a person would name. No profile promises anything about a single kind. That each kind is as good as the
 * debates it is counted with is an assumption, and this check tests it. `total` must meet its floor, the other profiles
 * 1 - alpha - epsilon.
 */
export function kindsCheck(heldOut: HeldOut): DraftCheck {
  const least = heldOut.certificate.kind === 'total' ? heldOut.certificate.threshold : heldOut.promise
  const failure = grantedTo(heldOut, heldOut.budget.delta)
  return {
    name: 'kinds',
    assumption: 'Every kind of debate that is acted on is right as often as the debates that it is counted with.',
    null: `Of the debates of a kind that are acted on at least ${percentText(least)} % are right${lessDelta(heldOut)}.`,
    rows: [...actedKinds(heldOut)].map(([kind, counted]) =>
      promisedRow({ name: kindName(kind), ...counted }, least, { failure, among: heldOut.count }),
    ),
    empty: 'Nothing was acted on.',
    next: {
      falsified: 'Send the kinds named above to a person: raise the floor, or label more of them and calibrate again.',
      'not falsified': 'Nothing. A check that finds nothing proves nothing.',
      'not enough data': 'Label more debates.',
    },
  }
}

/** The first promise of `total`: at most beta of all questions are acted on and wrong. */
export function totalCheck(heldOut: HeldOut, later: HeldOut | null): DraftCheck {
  const { beta } = heldOut.budget
  const rows = [heldOut, later].flatMap((each, at) => {
    if (each === null) return []
    const wrong = each.actedAt.reduce((sum, stop, row) => sum + (stop > 0 && !isRight(each, row) ? 1 : 0), 0)
    const counted = { name: at === 0 ? 'all questions' : 'later half', n: each.count, right: each.count - wrong }
    return [promisedRow(counted, 1 - beta, { failure: 0, among: each.count })]
  })
  return {
    name: 'total',
    assumption: RANDOM_HALVES.assumption,
    null: `Of all held-out questions at least ${percentText(1 - beta)} % are right or not acted on.`,
    rows,
    needed: 'one row',
    empty: 'There are no held-out questions.',
    next: {
      falsified:
        'If it is the later half: the stream changes over time, so calibrate on recent debates only. If it is all questions: ' +
        'up to one certificate in thirty breaks its promise by chance at the usual delta. Calibrate on more labels, and report ' +
        'it if it happens again.',
      'not falsified': RANDOM_HALVES.silent,
      'not enough data': 'Label more debates, or audit at the larger budget that you would act on.',
    },
  }
}

/** The second promise of `total`: in every certified class at least `floor` of the debates acted on are right. */
export function classesCheck(heldOut: HeldOut, certificate: TotalCertificate): DraftCheck {
  const floor = certificate.threshold
  const kinds = actedKinds(heldOut)
  const classes = [...certificate.outcomes].flatMap(([group, { classes: judged }]) =>
    judged.map((each) => ({ ...each, name: `${groupPrefix(group)}${className(each)}` })),
  )
  const rows = classes
    .filter(({ state }) => state === 'acts')
    .map(({ name, kinds: members }) => {
      const counted = members.map((kind) => kinds.get(kind) ?? { n: 0, right: 0 })
      const [n, right] = [sum(counted.map((each) => each.n)), sum(counted.map((each) => each.right))]
      return promisedRow({ name, n, right }, floor, { failure: 0, among: heldOut.count })
    })
  return {
    name: 'classes',
    assumption: RANDOM_HALVES.assumption,
    null: `Of the debates of a class that are acted on at least ${percentText(floor)} % are right.`,
    rows,
    empty: 'No class is acted on.',
    next: {
      falsified: 'Send the class named above to a person: raise the floor and calibrate again on more labels.',
      'not falsified': RANDOM_HALVES.silent,
      'not enough data': 'Label more debates.',
    },
  }
}

function actedKinds(heldOut: HeldOut): ReadonlyMap<KindCode, Omit<Counted, 'name'>> {
  const counts = new Map<KindCode, Omit<Counted, 'name'>>()
  for (const [row, { rounds }] of heldOut.debates.entries()) {
    const stop = heldOut.actedAt[row]!
    if (stop === 0) continue
    const kind = kindOf(rounds[stop - 1]!, stop)
    const { n, right } = counts.get(kind) ?? { n: 0, right: 0 }
    counts.set(kind, { n: n + 1, right: right + Number(isRight(heldOut, row)) })
  }
  return new Map([...counts].sort(([a], [b]) => a - b))
}

function isRight({ correct, rounds, actedAt }: HeldOut, row: number): boolean {
  return correct[row * rounds + actedAt[row]! - 1] === 1
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
