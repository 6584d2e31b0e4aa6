/** The statements for partners' widgets. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { mostSources } from './widgets.ts'

export type PartnerWidget = { id: string; name: string; origins: string[] }

/** Gives a partner its widget. */
export async function insertWidget(
  tx: Tx,
  widget: { id: string; partnerId: number; email: string; site: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('partner_widget')
    .values({
      id: widget.id,
      partner_id: widget.partnerId,
      owner_email: widget.email.toLowerCase(),
      origins: widget.site,
      created_at: widget.at,
    })
    .execute()
}

/**
 * Returns an open widget by its key or its owner. The owner is the managing account, or else the account with the
 * partner's verified email. Undefined if it doesn't exist.
 */
export async function selectWidget(
  db: Database,
  key: { id: string } | { accountId: string; verifiedEmail: string | null },
): Promise<(PartnerWidget & { isBound: boolean }) | undefined> {
  const row = await db
    .selectFrom('partner_widget')
    .innerJoin('partner', 'partner.id', 'partner_widget.partner_id')
    .select(['partner_widget.id', 'partner.name', 'partner_widget.origins', 'partner_widget.owner_account_id'])
    .where('partner_widget.closed_at', 'is', null)
    .where('partner.ended_at', 'is', null)
    .where((eb) =>
      'id' in key
        ? eb('partner_widget.id', '=', key.id)
        : eb.or([
            eb('partner_widget.owner_account_id', '=', key.accountId),
            eb.and([
              eb('partner_widget.owner_account_id', 'is', null),
              eb('partner_widget.owner_email', '=', key.verifiedEmail?.toLowerCase() ?? null),
            ]),
          ]),
    )
    .orderBy('partner_widget.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      name: row.name,
      origins: row.origins.split('\n'),
      isBound: row.owner_account_id !== null,
    }
  )
}

/** Sets the owner for an unowned widget. Returns whether it was unowned. */
export async function bindWidget(tx: Database, id: string, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('partner_widget')
    .set({ owner_account_id: accountId })
    .where('id', '=', id)
    .where('owner_account_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export type OpenWidget = { id: string; name: string; email: string; origins: string; since: Temporal.Instant }

/** The open widgets, newest first, at most two hundred. */
export function selectWidgets(db: Database): Promise<OpenWidget[]> {
  return db
    .selectFrom('partner_widget')
    .innerJoin('partner', 'partner.id', 'partner_widget.partner_id')
    .select([
      'partner_widget.id',
      'partner.name',
      'partner_widget.owner_email as email',
      'partner_widget.origins',
      'partner_widget.created_at as since',
    ])
    .where('partner_widget.closed_at', 'is', null)
    .orderBy('partner_widget.created_at', 'desc')
    .limit(200)
    .execute()
}

/** Sets the pages a widget may be on. */
export async function updateOrigins(db: Database, id: string, origins: readonly string[]): Promise<void> {
  await db
    .updateTable('partner_widget')
    .set({ origins: origins.join('\n') })
    .where('id', '=', id)
    .execute()
}

/** Closes a widget for good; returns whether it was open. */
export async function updateClosed(tx: Tx, id: string, at: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('partner_widget')
    .set({ closed_at: at })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Counts a visit that came over from a widget; above the day's number of sources, without its source. */
export async function insertVisit(
  db: Database,
  { widgetId, source, day }: { widgetId: string; source: string | null; day: Temporal.PlainDate },
): Promise<void> {
  const date = sql`${day.toString()}::date`
  await sql`
    insert into widget_visit_day (widget_id, day, source, visits)
    select ${widgetId}, ${date}, case when known.sources < ${mostSources}::int or ${source ?? ''} = any(known.names) then ${source ?? ''} else '' end, 1
    from (select count(*) as sources, array_agg(source) as names from widget_visit_day where widget_id = ${widgetId} and day = ${date}) known
    on conflict (widget_id, day, source) do update set visits = widget_visit_day.visits + 1`.execute(db)
}

/** Stores a script by its hash, once. */
export async function insertScript(
  db: Database,
  { hash, source, at }: { hash: string; source: string; at: Temporal.Instant },
): Promise<void> {
  await db
    .insertInto('widget_script')
    .values({ hash, source, shown_at: at })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
}

/** The source of a kept script. */
export async function selectScript(db: Database, hash: string): Promise<string | undefined> {
  const row = await db.selectFrom('widget_script').select('source').where('hash', '=', hash).executeTakeFirst()
  return row?.source
}

/** Records an order's source widget, with the rate of a day. Skips other carts. */
export async function insertAttribution(
  tx: Tx,
  { orderId, day, at }: { orderId: number; day: Temporal.PlainDate; at: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into order_attribution (order_id, widget_id, source, commission_bp, attributed_at)
    select placed.id, widget.id, cart.widget_source, (
        select rate.commission_bp from widget_rate rate where rate.widget_id = widget.id and rate.from_day <= ${day.toString()}::date
        order by rate.from_day desc, rate.id desc limit 1), ${at.toString()}::timestamptz
    from sales_order placed join cart on cart.id = placed.cart_id
    join partner_widget widget on widget.id = cart.widget_id and widget.closed_at is null
    where placed.id = ${orderId}::bigint
    on conflict (order_id) do nothing`.execute(tx)
}

/** The email of an open widget's partner. */
export async function selectOwnerEmail(db: Database, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('partner_widget')
    .select('owner_email')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return row?.owner_email
}

/** Selects a widget's visits by day and source since a day, oldest first; null for unnamed pages. */
export async function selectVisits(
  db: Database,
  widgetId: string,
  since: Temporal.PlainDate,
): Promise<{ day: string; source: string | null; visits: number }[]> {
  const { rows } = await sql<{ day: string; source: string | null; visits: number }>`
    select day::text as day, nullif(source, '') as source, visits from widget_visit_day where widget_id = ${widgetId} and day >= ${since.toString()}::date order by day, source`.execute(
    db,
  )
  return rows
}
