import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from '../engine.ts'
import { rowOf, runAll, type Steps } from '../operation.ts'
import { perEngine } from '../per-engine.ts'
import { preparedQuery } from '../prepared-query.ts'
import type { Tables } from '../schema.ts'
import type { Millis } from '../store.ts'
import type { Viewer } from './reviews.ts'

export function addViewer(engine: Engine, { runId, questionId, reviewer }: Viewer): Steps<void> {
  return runAll([prepared(engine).add({ runId, questionId, reviewer })])
}

interface Claimant {
  /** A name, or a column that contains one. */
  readonly reviewer: string | RawBuilder<string>
  readonly now: Millis
}

/**
 * Whether the claimant may claim a row of `reviews`: the item is open, or the claimant does not know the panel's answer, or
 * nobody else could review it blind. In any case the claimant must not have another reading of it.
 */
export function mayClaim(by: Claimant) {
  return sql<boolean>`((${isOpen} or not ${hasSeen(by)} or not ${hasOther(by)}) and not ${hasRead(by)})`
}

/** Whether the assigned person of a row of `reviews` is a valid reviewer and may claim it. */
export function mayAssigneeClaim(now: Millis) {
  return sql<boolean>`(exists (select 1 from tokens as person where person.name = reviews.assigned_to
      and person.kind = 'human' and person.role in ('reviewer', 'admin')
      and person.revoked_at is null and (person.expires_at is null or person.expires_at > ${now}))
    and ${mayClaim({ reviewer: sql.ref<string>('reviews.assigned_to'), now })})`
}

/** Whether the claimant has answered another reading of a row of `reviews`, or has claimed one. */
function hasRead({ reviewer }: Claimant) {
  return sql<boolean>`exists (${readings} and (reading.by = ${reviewer}
    or (reading.status = 'waiting' and reading.last_claimed_by = ${reviewer})))`
}

const readings = sql`select 1 from reviews as reading
  where reading.root = reviews.root and reading.id <> reviews.id and reading.status <> 'retracted'`

const personSchema = z.object({ id: z.string() }).describe('person who may review')

/** Whether another person may review the item who has neither answered nor claimed any of its readings. */
export function* hasAnotherReader({ queries }: Engine, root: string, now: Millis): Steps<boolean> {
  const people = queries
    .selectFrom('tokens')
    .select('id')
    .where('kind', '=', 'human')
    .where('role', 'in', ['reviewer', 'admin'])
    .where('revokedAt', 'is', null)
    .where(({ or, eb }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reviews')
            .select('reviews.id')
            .where('root', '=', root)
            .where('status', '<>', 'retracted')
            .where(({ or, eb }) =>
              or([
                eb('by', '=', sql.ref<string>('tokens.name')),
                eb('lastClaimedBy', '=', sql.ref<string>('tokens.name')),
              ]),
            ),
        ),
      ),
    )
  return (yield* rowOf(people.limit(1), personSchema)) !== null
}

/** Whether a row of `reviews` was claimed openly or, if nobody has claimed it yet, is in the open list. */
const isOpen = sql<boolean>`(reviews.is_blind = 0 or (reviews.is_blind is null and reviews.list = 'open'))`

const seenSchema = z.object({ id: z.string() }).describe('review that was seen')

export function* knowsPanel(engine: Engine, id: string, reviewer: string): Steps<boolean> {
  return (yield* rowOf(prepared(engine).seen({ id, reviewer }), seenSchema)) !== null
}

/** The queries that every claim runs. */
const prepared = perEngine((queries) => ({
  add: preparedQuery(['runId', 'questionId', 'reviewer'], (viewer: Tables['reviewViewers']) =>
    queries
      .insertInto('reviewViewers')
      .values(viewer)
      .onConflict((conflict) => conflict.doNothing()),
  ),
  seen: preparedQuery(['id', 'reviewer'], ({ id, reviewer }: { readonly id: string; readonly reviewer: string }) =>
    queries.selectFrom('reviews').select('id').where('id', '=', id).where(hasSeen({ reviewer })),
  ),
}))

/** Whether the person, or a program of theirs, has seen the panel's answer to a row of `reviews`. */
function hasSeen({ reviewer }: Pick<Claimant, 'reviewer'>) {
  return sql<boolean>`(exists (${viewers} and review_viewers.reviewer = ${reviewer}) or ${hasProgram(sql`${reviewer}`)})`
}

/** Whether this person created a token of a program that sees hidden questions, and it was valid while the item waited. */
function hasProgram(name: ReturnType<typeof sql>) {
  return sql<boolean>`exists (select 1 from tokens as program where program.made_by = ${name}
    and program.kind = 'machine' and program.role <> 'viewer'
    and (program.revoked_at is null or program.revoked_at >= reviews.created_at)
    and (program.expires_at is null or program.expires_at >= reviews.created_at))`
}

/** Whether another person may review the item, does not know the panel's answer, and has no other reading of it. */
function hasOther({ reviewer, now }: Claimant) {
  return sql<boolean>`exists (
    select 1 from tokens where tokens.kind = 'human' and tokens.role in ('reviewer', 'admin')
      and tokens.revoked_at is null and (tokens.expires_at is null or tokens.expires_at > ${now})
      and tokens.name <> ${reviewer} and not exists (${viewers} and review_viewers.reviewer = tokens.name)
      and not ${hasProgram(sql`tokens.name`)}
      and not exists (${readings} and (reading.by = tokens.name
        or (reading.status = 'waiting' and reading.last_claimed_by = tokens.name)))
  )`
}

const viewers = sql`select 1 from review_viewers
  where review_viewers.run_id = reviews.run_id and review_viewers.question_id = reviews.question_id`
