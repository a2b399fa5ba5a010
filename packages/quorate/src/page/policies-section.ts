import {
  ACTIONS_TO_JUDGE,
  type ComputeMatched,
  type EvaluatedPolicy,
  PROMISE_WORDS,
  promiseOf,
  standingOf,
} from '@quorate/certificate'
import { type Markup, markup } from '../figures/markup.ts'
import { percentText } from '../text/number-text.ts'
import { rateCell, spreadCell } from './figure-text.ts'
import type { ReportData } from './report-data.ts'

/** Every policy, followed by rules without a bound at the same number of calls. */
export function policiesTable({ evaluation, profile, promise }: ReportData): Markup {
  const { policies, computeMatched, beta, floor, seeds } = evaluation
  const columns = [
    'Act %',
    'Right of acted %',
    'Wrong actions %',
    'Budget used',
    'Rounds used',
    'Stopping round',
    'Calls',
    'Kinds below',
  ]
  const head = columns.map((name) => markup`<th scope="col" class="number">${name}</th>`)
  const matched =
    computeMatched.length > 0 &&
    markup`<tr class="band"><th scope="rowgroup" colspan="10">Compute-matched: the same rules ended at the round whose mean calls are nearest to ours</th></tr>${computeMatched.map((row) => matchedRow(row, beta))}`
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Table of all policies"><table><caption>Means over ${String(seeds.length)} random halves at beta ${String(beta)}. Below a rate its 95 % interval, below other figures the spread over splits. Over: the whole interval of wrong actions lies above beta. Promise, about wrong actions: total, at most beta of all questions; classes, at least the floor right in each; states, each right as often as its threshold says; sure, with confidence for this very policy; average, over calibration sets. Kinds below: of the kinds of debates (round, agreement, whether the answer changed) with ${String(ACTIONS_TO_JUDGE)} actions a half or more, those clearly below a common floor of ${percentText(floor)} %.</caption><thead><tr><th scope="col">Policy</th><th scope="col">Promise</th>${head}</tr></thead><tbody>${policies.map((policy) => policyRow(policy, { beta, isOurs: policy.name === profile, promise }))}</tbody>${matched && markup`<tbody>${matched}</tbody>`}</table></div>`
}

function policyRow(
  policy: EvaluatedPolicy,
  { beta, isOurs, promise }: { beta: number; isOurs: boolean; promise: ReportData['promise'] },
): Markup {
  const { name, act, accuracy, wrongActions, budgetUsed, roundsUsed, stoppingRound, calls } = policy
  const kinds = policy.kindsJudged === 0 ? '–' : `${policy.kindsBelow} of ${policy.kindsJudged}`
  const over = standingOf(policy, beta) === 'over' && markup` <span class="over">✕ over</span>`
  return markup`<tr class="${isOurs ? 'ours' : 'other'}"><th scope="row">${isOurs && '● '}${name}${over}</th><td>${PROMISE_WORDS[promiseOf(name, promise ?? undefined)]}</td>${rateCell(act)}${rateCell(accuracy)}${rateCell(wrongActions)}${spreadCell(budgetUsed, 2)}${spreadCell(roundsUsed, 2)}${spreadCell(stoppingRound, 2)}${spreadCell(calls, 1)}<td class="number">${kinds}</td></tr>`
}

function matchedRow({ name, cap, act, accuracy, wrongActions, calls }: ComputeMatched, beta: number): Markup {
  const used = wrongActions.mean / beta
  const over = standingOf({ act, wrongActions }, beta) === 'over' && markup` <span class="over">✕ over</span>`
  return markup`<tr><th scope="row">${name}, cap ${String(cap)}${over}</th><td>none</td>${rateCell(act)}${rateCell(accuracy)}${rateCell(wrongActions)}<td class="number">${used.toFixed(2)}</td><td class="number soft">–</td><td class="number soft">–</td>${spreadCell(calls, 1)}<td class="number soft">–</td></tr>`
}
