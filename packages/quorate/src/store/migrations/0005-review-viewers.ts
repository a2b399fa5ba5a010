import { type Compilable, sql } from 'kysely'
import { index, ofQuestion, table } from './0001-first-tables.ts'
import type { Migration } from './migration.ts'

/** Who knows what a panel answered, and must not be asked blind. */
export const reviewViewers: Migration = {
  version: 5,
  name: 'who knows the panel',
  statements: (queries, types) => {
    const context = { queries, types }
    const viewers = table(context, 'reviewViewers', [['text', 'runId questionId reviewer']])
    const before = sql`insert into review_viewers (run_id, question_id, reviewer)
      select distinct run_id, question_id, "by" from reviews where status = 'retracted' and "by" is not null`
    const copied: Compilable = { compile: () => before.compile(queries) }
    return [
      ofQuestion(viewers, 'reviewViewers').addPrimaryKeyConstraint('reviewViewersKey', [
        'runId',
        'questionId',
        'reviewer',
      ]),
      copied,
      // Whether there is another person is asked at every hand-out.
      index(context, 'tokens', 'tokensByKind', 'kind role'),
    ]
  },
}
