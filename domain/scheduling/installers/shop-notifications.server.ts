/** The events each shop team member chose to be notified about. Owners are emailed unless they chose otherwise. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { shopEvents, type ShopEvent, type ShopNotification } from './shop-events.ts'
import type { ShopRole } from './shop-roles.ts'

/** A member who is notified of an event. `phone` is null for those who chose no text messages about it. */
export type ShopRecipient = { memberId: string; email: string; isEmailed: boolean; phone: string | null }

/** The default of a choice that was not made. */
const wantsEmail = sql<boolean>`coalesce(by_email.is_wanted, member.role = 'owner')`

/**
 * Lists the shop team members who are notified about an event, by email. Those who unsubscribed by link are left out
 * when an email is queued, and phones without consent when a text message is.
 */
export async function listShopRecipients(db: Database, shopId: number, event: ShopEvent): Promise<ShopRecipient[]> {
  const { rows } = await sql<ShopRecipient>`
    select member.id as "memberId", member.email, ${wantsEmail} as "isEmailed",
      case when by_text.is_wanted then setting.text_phone end as phone
    from shop_member member
    left join shop_notification by_email on by_email.member_id = member.id and by_email.event = ${event} and by_email.channel = 'email'
    left join shop_notification by_text on by_text.member_id = member.id and by_text.event = ${event} and by_text.channel = 'text'
    left join shop_member_setting setting on setting.member_id = member.id
    where member.shop_id = ${shopId} and member.ended_at is null and member.role <> 'staff'
      and (${wantsEmail} or (by_text.is_wanted and setting.text_phone is not null))
    order by member.email`.execute(db)
  return rows
}

/** A member's address and choices. `phone` is as providers write it: "+13125550142". */
export type MemberNotifications = {
  email: string
  choices: ShopNotification[]
  phone: string | null
  summaryHour: number | null
}

/** Reads the choices of a member, defaults included; undefined if the member isn't found. */
export async function readMemberNotifications(
  db: Database,
  memberId: string,
): Promise<MemberNotifications | undefined> {
  const member = await db
    .selectFrom('shop_member')
    .leftJoin('shop_member_setting as setting', 'setting.member_id', 'shop_member.id')
    .select(['email', 'role', 'setting.text_phone as phone', 'setting.summary_hour as summaryHour'])
    .where('shop_member.id', '=', memberId)
    .executeTakeFirst()
  if (!member) return undefined
  const { role, ...rest } = member
  const made = await db
    .selectFrom('shop_notification')
    .select(['event', 'channel', 'is_wanted as isWanted'])
    .where('member_id', '=', memberId)
    .execute()
  const isChosen = (event: ShopEvent, channel: string) =>
    made.find((choice) => choice.event === event && choice.channel === channel)?.isWanted
  const isOwner = (role as ShopRole) === 'owner'
  return {
    ...rest,
    choices: shopEvents.flatMap((event): ShopNotification[] => [
      { event, channel: 'email', isWanted: isChosen(event, 'email') ?? isOwner },
      { event, channel: 'text', isWanted: isChosen(event, 'text') ?? false },
    ]),
  }
}

/** Stores choices of a member, and the hour of their daily summary. Repeating has no effect. */
export async function saveMemberNotifications(
  tx: Tx,
  {
    memberId,
    choices,
    summaryHour,
    at,
  }: { memberId: string; choices: readonly ShopNotification[]; summaryHour: number | null; at: Temporal.Instant },
): Promise<void> {
  if (choices.length > 0)
    await tx
      .insertInto('shop_notification')
      .values(
        choices.map(({ event, channel, isWanted }) => ({
          member_id: memberId,
          event,
          channel,
          is_wanted: isWanted,
          chosen_at: at,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['member_id', 'event', 'channel']).doUpdateSet((eb) => ({
          is_wanted: eb.ref('excluded.is_wanted'),
          chosen_at: eb.ref('excluded.chosen_at'),
        })),
      )
      .execute()
  const since = summaryHour === null ? null : at
  await sql`
    insert into shop_member_setting (member_id, summary_hour, summary_since) values (${memberId}::uuid, ${summaryHour}, ${since})
    on conflict (member_id) do update set summary_hour = excluded.summary_hour, summary_since = excluded.summary_since
      where shop_member_setting.summary_hour is distinct from excluded.summary_hour`.execute(tx)
}

/** Stores the phone that gets a member's text messages; null to clear it. */
export async function setTextPhone(tx: Tx, memberId: string, phone: string | null): Promise<void> {
  await tx
    .insertInto('shop_member_setting')
    .values({ member_id: memberId, text_phone: phone })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet({ text_phone: phone }))
    .execute()
}

/** A daily summary that a member chose, with their shop. */
export type ShopSummary = {
  memberId: string
  email: string
  hour: number
  since: Temporal.Instant
  shopId: number
  shopCode: string
  shopName: string
  timeZone: string
}

function summaries(db: Database) {
  return db
    .selectFrom('shop_member_setting as setting')
    .innerJoin('shop_member as member', 'member.id', 'setting.member_id')
    .innerJoin('shop', 'shop.id', 'member.shop_id')
    .select([
      'member.id as memberId',
      'member.email',
      'setting.summary_hour as hour',
      'setting.summary_since as since',
      'shop.id as shopId',
      'shop.code as shopCode',
      'shop.name as shopName',
      'shop.time_zone as timeZone',
    ])
    .where('member.ended_at', 'is', null)
    .where('member.role', '<>', 'staff')
    .where('setting.summary_hour', 'is not', null)
    .where('shop.status', '<>', 'closed')
    .$narrowType<{ hour: number; since: Temporal.Instant }>()
}

/** Lists the daily summaries of all shops, at most one per team member. */
export function listSummaries(db: Database): Promise<ShopSummary[]> {
  return summaries(db).orderBy('member.id').execute()
}

/** The daily summary of a member; undefined once they turned it off or left the shop. */
export function readSummaryOf(db: Database, memberId: string): Promise<ShopSummary | undefined> {
  return summaries(db).where('member.id', '=', memberId).executeTakeFirst()
}
