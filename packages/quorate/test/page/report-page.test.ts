import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { embeddedJson, reportPage } from '../../src/page/report-page.ts'
import { HOSTILE_TEXTS, hostileText } from '../figures/hostile-text.ts'
import { exampleAudit } from './example-audit.ts'
import { exampleReport } from './example-report.ts'

const data = exampleReport('cells')
const page = reportPage({ ...data, audit: exampleAudit('round 1') })

describe('the page', () => {
  test('refers to nothing outside itself', () => {
    expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|src=|url\(|@import|<link(?! rel="icon" href="data:,")/,
    )
  })

  test('allows no script and only the style whose hash it names', () => {
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page).toContain(`default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;`)
    expect(page).not.toMatch(/ style="|<script(?! type="application\/json")| on\w+="/)
  })

  test('contains its numbers as JSON that a machine can read', () => {
    const [, json = ''] = /<script type="application\/json" id="quorate-report">([\s\S]*?)<\/script>/.exec(page) ?? []
    // Only the groups of the shown policy, because a file may have a separate group for each debate.
    const policies = data.evaluation.policies.map((policy, place) => ({
      ...policy,
      perGroup: place === 0 ? policy.perGroup : [],
    }))
    const evaluation = { ...data.evaluation, policies }
    expect(JSON.parse(json)).toEqual({ ...data, evaluation, audit: exampleAudit('round 1') })
  })

  test('shows the promise, every caveat, every policy and how to recompute it', () => {
    for (const text of [
      ...data.sentences,
      ...data.caveats,
      ...data.evaluation.policies.map(({ name }) => name),
      data.recompute.command,
    ]) {
      expect(page).toContain(text.replaceAll("'", '&#39;'))
    }
  })

  test('says whether the promise is about all debates or about each group', () => {
    const pooled = 'The promise is about all debates, not about each group.'
    expect(page).toContain(pooled)
    const byGroup = reportPage({ ...data, groupConditional: true })
    expect(byGroup).not.toContain(pooled)
    expect(byGroup).toContain('The promise is about each group separately.')
  })

  test('has one heading for each section and no duplicate element ID', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    for (const id of links) expect(ids).toContain(id)
  })

  test('shows groups that were left out of the fit with escaped names, and nothing if there were none', () => {
    const group = '<script>alert(1)</script>'
    const left = { group, n: 100, acted: 40, right: 20, act: 0.4, accuracy: 0.5, low: 0.13, high: 0.29, isOver: true }
    const groups = [{ ...left, wrongActions: 0.2, budgetUsed: 2 }]
    const policies = [{ name: 'total' as const, groupsOver: 1, worstBudgetUsed: 2, groups }]
    const shown = reportPage({ ...data, evaluation: { ...data.evaluation, shift: { isHalved: true, policies } } })
    expect(shown).toContain('total: 1 of 1 groups over budget, worst use 2.00')
    expect(shown).toContain('A certificate says nothing about groups you did not calibrate on.')
    expect(shown).toContain('Groups share questions')
    expect(shown).not.toContain(group)
    expect(page).not.toContain('Groups that were not calibrated on')
  })

  test('reports a missing audit', () => {
    expect(reportPage(data)).toContain('does not allow an audit')
  })
})

test('no name of a file, a group or an audit becomes an element', () => {
  fc.assert(
    fc.property(hostileText, (name) => {
      const made = reportPage({
        ...data,
        source: { ...data.source, file: name },
        audit: exampleAudit(name),
        evaluation: {
          ...data.evaluation,
          policies: data.evaluation.policies.map((policy) => ({
            ...policy,
            perGroup: policy.perGroup.map((group) => ({ ...group, group: name })),
          })),
        },
      })
      expect(made).not.toMatch(/<(img|b)\b|<script>/)
      expect(made.match(/<script/g)).toHaveLength(1)
      expect(made.match(/<\/(script|title|style)>/g)?.length).toBe(page.match(/<\/(script|title|style)>/g)?.length)
    }),
    { numRuns: 40 },
  )
})

test('embedded JSON cannot close its element', () => {
  for (const text of HOSTILE_TEXTS) {
    const json = embeddedJson({ [text]: text })
    expect(json).not.toContain('<')
    expect(JSON.parse(json)).toEqual({ [text]: text })
  }
})
