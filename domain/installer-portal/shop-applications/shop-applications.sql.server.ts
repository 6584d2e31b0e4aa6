/** The statements for applications of shops. */
import { sql } from 'kysely'
import { storeFile } from '#domain/kernel/files/files.server.ts'
import type { OpeningHours } from '#domain/scheduling/installers/installers.ts'
import type { Attachment } from '#domain/kernel/files/files.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'
import {
  shopApplicationLife,
  type OtherService,
  type ShopApplicationAsked,
  type ShopApplicationState,
  type TireService,
} from './shop-applications.ts'

/** An application, with its data and outcome. */
export type ShopApplication = {
  id: number
  state: ShopApplicationState
  asked: ShopApplicationAsked
  agreementVersion: string
  submittedAt: Temporal.Instant
  waitingSince: Temporal.Instant
  question: string | null
  refusal: string | null
  closedAt: Temporal.Instant | null
  closedBy: string | null
  shopId: number | null
  pictureName: string | null
}

export type ShopApplicationEvent = {
  at: Temporal.Instant
  from: ShopApplicationState | null
  to: ShopApplicationState
  actor: string
  note: string | null
}

/** A literal, because with a parameter a generic plan cannot use the partial indexes. */
const isOpen = sql<boolean>`state in ('submitted', 'asked')`

/**
 * Serializes senders until the transaction ends, so that counts are accurate. There are too few senders for contention.
 */
export async function queueUp(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('shop_application'))`.execute(tx)
}

/** Returns an email's open application for an address, if any, with a hash of the submitted data. */
export function findOpen(
  db: Database,
  { ownerEmail, street, zip }: Pick<ShopApplicationAsked, 'ownerEmail' | 'street' | 'zip'>,
): Promise<{ id: number; said: Buffer } | undefined> {
  return db
    .selectFrom('shop_application')
    .select(['id', 'said'])
    .where('owner_email', '=', ownerEmail)
    .where(sql`lower(street)`, '=', street.toLowerCase())
    .where('zip', '=', zip)
    .where(isOpen)
    .executeTakeFirst()
}

/** Counts a network's open applications since an instant. */
export async function countSince(db: Database, networkKey: string, since: Temporal.Instant): Promise<number> {
  const { count } = await db
    .selectFrom('shop_application')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('network_key', '=', networkKey)
    .where('submitted_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Stores an application and returns its id. */
export async function insertApplication(
  tx: Tx,
  asked: ShopApplicationAsked,
  kept: { agreementVersion: string; said: Buffer; networkKey: string; at: Temporal.Instant },
): Promise<number> {
  const { id } = await tx
    .insertInto('shop_application')
    .values({
      company: asked.company,
      street: asked.street,
      city: asked.city,
      us_state: asked.state,
      zip: asked.zip,
      shop_phone: asked.shopPhone,
      website: asked.shopWebsite,
      owner_first_name: asked.ownerFirstName,
      owner_last_name: asked.ownerLastName,
      owner_email: asked.ownerEmail,
      owner_phone: asked.ownerPhone,
      lead_first_name: asked.leadFirstName,
      lead_last_name: asked.leadLastName,
      lead_email: asked.leadEmail,
      lead_phone: asked.leadPhone,
      tire_services: asked.tireServices,
      other_services: asked.otherServices,
      hours: JSON.stringify(asked.hours),
      agreement_version: kept.agreementVersion,
      said: kept.said,
      network_key: kept.networkKey,
      submitted_at: kept.at,
      waiting_since: kept.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locks an application until the transaction ends and reads it. */
export async function lockApplication(tx: Tx, id: number): Promise<ShopApplication | undefined> {
  await tx.selectFrom('shop_application').select('id').where('id', '=', id).forUpdate().execute()
  return selectApplication(tx, id)
}

export async function selectApplication(db: Database, id: number): Promise<ShopApplication | undefined> {
  const row = await selectApplications(db).where('asked.id', '=', id).executeTakeFirst()
  return row && toApplication(row)
}

/** Up to `count` applications in a state, newest first, with numbers below `before`. */
export async function selectByState(
  db: Database,
  { state, before, count }: { state: ShopApplicationState; before: number | null; count: number },
): Promise<ShopApplication[]> {
  const rows = await selectApplications(db)
    .where('asked.state', '=', state)
    .$if(before !== null, (select) => select.where('asked.id', '<', before ?? 0))
    .orderBy('asked.id', 'desc')
    .limit(count)
    .execute()
  return rows.map(toApplication)
}

/** Applications the office has to decide, longest waiting first. */
export async function selectWaiting(db: Database, limit: number): Promise<ShopApplication[]> {
  const rows = await selectApplications(db)
    .where(sql<boolean>`asked.state = 'submitted'`)
    .orderBy('waiting_since')
    .orderBy('asked.id')
    .limit(limit)
    .execute()
  return rows.map(toApplication)
}

/** What an application becomes; `note` is the question, the answer or the reason. */
export type Move = { actor: string; at: Temporal.Instant } & (
  | { to: 'asked' | 'refused'; note: string }
  | { to: 'submitted'; note: string }
  | { to: 'approved'; shopId: number; note?: undefined }
  | { to: 'withdrawn'; note?: undefined }
)

/** Moves an application and writes the event; returns the event's id, or undefined if it is elsewhere by now. */
export async function moveApplication(
  tx: Tx,
  { id, state: from }: Pick<ShopApplication, 'id' | 'state'>,
  move: Move,
): Promise<number | undefined> {
  const isOver = move.to !== 'submitted' && move.to !== 'asked'
  const { numUpdatedRows } = await tx
    .updateTable('shop_application')
    .set({
      state: move.to,
      question: move.to === 'asked' ? move.note : null,
      ...(move.to === 'refused' && { refusal: move.note }),
      ...(move.to === 'approved' && { shop_id: move.shopId }),
      ...(move.to === 'submitted' && { waiting_since: move.at }),
      ...(isOver && { closed_at: move.at, closed_by: move.actor, network_key: null }),
    })
    .where('id', '=', id)
    .where('state', 'in', statesBefore(shopApplicationLife, move.to))
    .executeTakeFirst()
  return numUpdatedRows === 1n ? insertEvent(tx, { id, from, ...move }) : undefined
}

/** Writes an event and returns its id. */
export async function insertEvent(
  tx: Tx,
  {
    id,
    from,
    to,
    actor,
    at,
    note,
  }: {
    id: number
    from: ShopApplicationState | null
    to: ShopApplicationState
    actor: string
    at: Temporal.Instant
    note?: string | undefined
  },
): Promise<number> {
  const event = await tx
    .insertInto('shop_application_event')
    .values({ application_id: id, from_state: from, to_state: to, actor, at, note: note ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return event.id
}

/** Returns an event's question or reason, or an empty string. */
export async function selectNote(db: Database, eventId: number): Promise<string> {
  const event = await db
    .selectFrom('shop_application_event')
    .select('note')
    .where('id', '=', eventId)
    .executeTakeFirst()
  return event?.note ?? ''
}

/** Selects an application's history, oldest first. */
export async function selectEvents(db: Database, id: number): Promise<ShopApplicationEvent[]> {
  const rows = await db
    .selectFrom('shop_application_event')
    .select(['at', 'from_state as from', 'to_state as to', 'actor', 'note'])
    .where('application_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...row,
    from: row.from as ShopApplicationState | null,
    to: row.to as ShopApplicationState,
  }))
}

/** Stores a photo for an unsubmitted form. */
export async function insertPicture(
  tx: Tx,
  { id, picture, at }: { id: string; picture: Attachment; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('shop_application_picture')
    .values({ id, name: picture.name.slice(0, 120), file_key: await storeFile(tx, picture, at), at })
    .execute()
}

/** The name of an unsent picture; undefined if it was sent or forgotten. */
export async function selectUnsentPicture(db: Database, id: string): Promise<{ name: string } | undefined> {
  return db
    .selectFrom('shop_application_picture')
    .select('name')
    .where('id', '=', id)
    .where('application_id', 'is', null)
    .executeTakeFirst()
}

/** Sends an unsent picture with an application; one that is gone is left out. */
export async function attachPicture(tx: Tx, { id, pictureId }: { id: number; pictureId: string }): Promise<void> {
  await tx
    .updateTable('shop_application_picture')
    .set({ application_id: id })
    .where('id', '=', pictureId)
    .where('application_id', 'is', null)
    .execute()
}

export function selectPicture(db: Database, id: number): Promise<{ name: string; key: string } | undefined> {
  return db
    .selectFrom('shop_application_picture')
    .select(['name', 'file_key as key'])
    .where('application_id', '=', id)
    .executeTakeFirst()
}

/** Deletes photos from before an instant with an unsubmitted form, and returns how many. */
export async function forgetUnsentPictures(db: Database, before: Temporal.Instant): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('shop_application_picture')
    .where('application_id', 'is', null)
    .where('at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Exports a verified email's applications, as plain data for JSON, with questions and answers. Empty for null. */
export async function exportShopApplications(db: Database, email: string | null): Promise<object[]> {
  const { rows } = await sql<{ applications: object[] }>`
    select coalesce(json_agg(to_jsonb(asked) - array['id', 'said', 'network_key', 'closed_by', 'shop_id']
      || jsonb_build_object('picture', (select name from shop_application_picture picture where picture.application_id = asked.id),
        'story', (select coalesce(jsonb_agg(jsonb_build_object('at', at, 'to', to_state, 'note', note) order by event.id), '[]')
          from shop_application_event event where event.application_id = asked.id)) order by asked.id), '[]') as applications
    from shop_application asked where ${email}::text in (asked.owner_email, asked.lead_email)`.execute(db)
  return rows[0]?.applications ?? []
}

function selectApplications(db: Database) {
  return db
    .selectFrom('shop_application as asked')
    .leftJoin('shop_application_picture as picture', 'picture.application_id', 'asked.id')
    .selectAll('asked')
    .select('picture.name as pictureName')
}

/** Returns the application a shop came from; undefined for one that staff added. */
export async function selectApplicationOfShop(
  db: Database,
  shopId: number,
): Promise<{ id: number; submittedAt: Temporal.Instant; agreementVersion: string } | undefined> {
  return db
    .selectFrom('shop_application')
    .select(['id', 'submitted_at as submittedAt', 'agreement_version as agreementVersion'])
    .where('shop_id', '=', shopId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

type Row = Awaited<ReturnType<ReturnType<typeof selectApplications>['execute']>>[number]

function toApplication(row: Row): ShopApplication {
  return {
    id: row.id,
    state: row.state as ShopApplicationState,
    asked: {
      company: row.company,
      street: row.street,
      city: row.city,
      state: row.us_state,
      zip: row.zip,
      shopPhone: row.shop_phone,
      shopWebsite: row.website,
      ownerFirstName: row.owner_first_name,
      ownerLastName: row.owner_last_name,
      ownerEmail: row.owner_email,
      ownerPhone: row.owner_phone,
      leadFirstName: row.lead_first_name,
      leadLastName: row.lead_last_name,
      leadEmail: row.lead_email,
      leadPhone: row.lead_phone,
      tireServices: row.tire_services as TireService[],
      otherServices: row.other_services as OtherService[],
      hours: row.hours as unknown as OpeningHours[],
    },
    agreementVersion: row.agreement_version,
    submittedAt: row.submitted_at,
    waitingSince: row.waiting_since,
    question: row.question,
    refusal: row.refusal,
    closedAt: row.closed_at,
    closedBy: row.closed_by,
    shopId: row.shop_id,
    pictureName: row.pictureName,
  }
}
