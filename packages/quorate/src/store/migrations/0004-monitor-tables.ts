import { sql } from 'kysely'
import { table } from './0001-first-tables.ts'
import type { Migration } from './migration.ts'

/** What a server must know at its start without reading every decision again. */
export const monitorTables: Migration = {
  version: 4,
  name: 'counts of decisions and states of monitors',
  statements: (queries, types) => {
    const context = { queries, types }
    const counted = sql`insert into decision_counts (certificate_id, kind, reason, decided, rounds)
      select decisions.certificate_id, decisions.kind, coalesce(decisions.reason, ''), count(*), sum(debates.rounds)
      from decisions join debates
      on debates.run_id = decisions.run_id and debates.question_id = decisions.question_id
      where decisions.is_shadow = 0
      group by decisions.certificate_id, decisions.kind, coalesce(decisions.reason, '')`
    return [
      table(context, 'decisionCounts', [
        ['text', 'certificateId kind reason'],
        ['integer', 'decided rounds'],
      ]).addPrimaryKeyConstraint('decisionCountsKey', ['certificateId', 'kind', 'reason']),
      { compile: () => counted.compile(queries) },
      table(context, 'driftStates', [
        ['text', 'certificateId key state'],
        ['integer', 'arrival at'],
      ]).addPrimaryKeyConstraint('driftStatesKey', ['certificateId']),
    ]
  },
}
