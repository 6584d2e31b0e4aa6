/** Sizes from a provider, and its use. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import type { ProvidedOption, ProvidedSizes } from './provided-options.server.ts'
import type { ModelYearKey, SizeProblem, SizeSource } from './size-source.port.ts'

/** The provider's sizes for the vehicle `v` of a statement; null without any. Processes have the database's time. */
export const providedSizes = sql<ProvidedSizes | null>`(
  select jsonb_build_object('provider', provider, 'date', to_char(received_at at time zone 'UTC', 'YYYY-MM-DD'), 'options', options)
  from provided_sizes where year = v.year and make_slug = v.make_slug and model_slug = v.model_slug and expires_at > now())`

/** Whether we list sizes for the model, and have no provider's answer about it. */
export async function isUnanswered(
  db: Database,
  { year, makeSlug, modelSlug }: ModelYearKey,
  now: Temporal.Instant,
): Promise<boolean> {
  const { rows } = await sql<{ unanswered: boolean }>`
    select exists (select from vehicle where year = ${year} and make_slug = ${makeSlug} and model_slug = ${modelSlug})
      and not exists (select from provided_sizes where year = ${year} and make_slug = ${makeSlug} and model_slug = ${modelSlug}
        and expires_at > ${now.toString()}::timestamptz) as unanswered`.execute(db)
  return rows[0]?.unanswered ?? false
}

/** Counts a call. Returns false if the day has no calls left, or the provider failed moments ago. */
export async function takeCall(
  db: Database,
  { name, callsPerDay }: Pick<SizeSource, 'name' | 'callsPerDay'>,
  now: Temporal.Instant,
): Promise<boolean> {
  const { rows } = await sql`
    insert into size_provider as used (name, calls_on, calls) values (${name}, ${dayOf(now)}::date, 1)
    on conflict (name) do update set calls_on = excluded.calls_on, calls = case when used.calls_on = excluded.calls_on then used.calls + 1 else 1 end
    where (used.calls_on <> excluded.calls_on or used.calls < ${callsPerDay}) and (used.resume_at is null or used.resume_at <= ${now.toString()}::timestamptz)
    returning calls`.execute(db)
  return rows.length > 0
}

/** The day in UTC, such as 2026-10-05. */
export function dayOf(now: Temporal.Instant): string {
  return now.toZonedDateTimeISO('UTC').toPlainDate().toString()
}

/** The use of a provider that was called at least once; `vehicles` have an answer. */
export async function selectProviderUse(db: Database, name: SizeSource['name']) {
  return db
    .selectFrom('size_provider')
    .select(['calls_on as callsOn', 'calls', 'resume_at as resumeAt', 'answered_at as answeredAt'])
    .select(['failed_at as failedAt', sql<SizeProblem | null>`problem`.as('problem')])
    .select(sql<number>`(select count(*) from provided_sizes where provider = name)::int`.as('vehicles'))
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Saves an answer and replaces an earlier one. */
export async function upsertProvided(
  db: Database,
  { year, makeSlug, modelSlug }: ModelYearKey,
  answer: {
    provider: SizeSource['name']
    options: readonly ProvidedOption[]
    at: Temporal.Instant
    until: Temporal.Instant
  },
): Promise<void> {
  const { provider, at, until } = answer
  const stored = { provider, received_at: at, expires_at: until, options: JSON.stringify(answer.options) }
  await db
    .insertInto('provided_sizes')
    .values({ year, make_slug: makeSlug, model_slug: modelSlug, ...stored })
    .onConflict((conflict) => conflict.columns(['year', 'make_slug', 'model_slug']).doUpdateSet(stored))
    .execute()
  await db.updateTable('size_provider').set({ answered_at: at, resume_at: null }).where('name', '=', provider).execute()
}

export async function updateFailed(
  db: Database,
  name: SizeSource['name'],
  failure: { problem: SizeProblem; at: Temporal.Instant; resumeAt: Temporal.Instant },
): Promise<void> {
  const { problem, at, resumeAt } = failure
  await db
    .updateTable('size_provider')
    .set({ problem, failed_at: at, resume_at: resumeAt })
    .where('name', '=', name)
    .execute()
}

/** Deletes expired sizes. */
export async function forgetProvidedSizes(db: Database, now: Temporal.Instant): Promise<void> {
  await db.deleteFrom('provided_sizes').where('expires_at', '<=', now).execute()
}
