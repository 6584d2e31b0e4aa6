/** Notification settings of shop members, by email, by text message after they confirm, and once a day. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import {
  readMemberNotifications,
  saveMemberNotifications,
  setTextPhone,
} from '#domain/scheduling/installers/installers.server.ts'
import type { ShopEvent, ShopNotification } from '#domain/scheduling/installers/installers.ts'
import { setMailWanted, stoppedAmong } from '#domain/messaging/messages/messages.server.ts'
import { shopEmailKinds, type ShopEmailKind } from '#domain/messaging/messages/messages.ts'
import { requireShopMember, type PortalActor } from './portal-sessions.server.ts'
import { askTeamPhone, selectConsentState, type AskRefusal } from '#domain/messaging/texts/texts.server.ts'
import type { ConsentState } from '#domain/messaging/texts/texts.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** The kind of email about each event. Its unsubscribe link stops all events of the kind. */
function emailKindOf(event: ShopEvent): ShopEmailKind {
  return event === 'late' ? 'shop-appointment-news' : 'shop-booking-news'
}

/**
 * Returns a member's address and choices. An email that they stopped by its link counts as not wanted. `phone` is
 * null for members without one.
 */
export async function readNotifications(
  { db }: { db: Database },
  memberId: string,
): Promise<{
  email: string
  choices: ShopNotification[]
  summaryHour: number | null
  phone: { number: string; state: ConsentState } | null
}> {
  const member = await readMemberNotifications(db, memberId)
  if (!member) throw new Error('The portal session’s member doesn’t exist.')
  const { email, phone, summaryHour } = member
  const stops = await Promise.all(
    shopEmailKinds.map(async (kind) => ((await stoppedAmong(db, kind, [email])).has(email) ? [kind] : [])),
  )
  const stopped = new Set(stops.flat())
  const state = phone === null ? undefined : await selectConsentState(db, phone)
  return {
    email,
    choices: member.choices.map((choice) => ({
      ...choice,
      isWanted: choice.isWanted && !(choice.channel === 'email' && stopped.has(emailKindOf(choice.event))),
    })),
    summaryHour: stopped.has('shop-daily-summary') ? null : summaryHour,
    phone: phone === null || state === undefined ? null : { number: phone, state },
  }
}

/**
 * Saves the choices of the acting member for this shop, and the hour of their daily summary on the shop's clock; null
 * to clear it. An email they want is no longer stopped for their address. Repeating has no effect.
 */
export function saveNotifications(
  { db, clock }: Deps,
  by: PortalActor,
  { choices, summaryHour }: { choices: readonly ShopNotification[]; summaryHour: number | null },
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const found = await requireShopMember(tx, by, 'emails.edit', at)
    if (!found.ok) return found
    const { memberId } = found.value
    const member = await readMemberNotifications(tx, memberId)
    if (!member) return refused('not-allowed')
    await saveMemberNotifications(tx, { memberId, choices, summaryHour, at })
    const wanted = new Set(
      choices.flatMap(({ event, channel, isWanted }) => (channel === 'email' && isWanted ? [emailKindOf(event)] : [])),
    )
    if (summaryHour !== null) wanted.add('shop-daily-summary')
    for (const kind of wanted) await setMailWanted(tx, { kind, email: member.email, isWanted: true, at })
    return ok(null)
  })
}

export type TextPhoneRefusal = AskRefusal | Refused<'not-allowed'> | Refused<'too-many', { retryAfterSeconds: number }>

/**
 * Chooses the phone that gets the acting member's text messages, and requests a YES unless it has confirmed. `words`
 * were next to the button. Refuses `no-mobile-number`, `stopped` for a phone that sent STOP, and a member or network
 * with too many requests.
 */
export async function saveTextPhone(
  { db, clock, rateLimits }: Deps & { rateLimits: RateLimits },
  by: PortalActor,
  { phone, words, networkKey }: { phone: string; words: string; networkKey: string },
): Promise<Outcome<{ mustConfirm: boolean }, TextPhoneRefusal>> {
  const at = clock.now()
  const found = await db.transaction().execute((tx) => requireShopMember(tx, by, 'emails.edit', at))
  if (!found.ok) return found
  // Counted outside of the transaction, which must not wait for the limiter.
  const taken = await rateLimits.take('text-confirmation', { account: found.value.memberId, network: networkKey })
  if (!taken.ok) return taken
  return db.transaction().execute(async (tx) => {
    const member = await requireShopMember(tx, by, 'emails.edit', at)
    if (!member.ok) return member
    const asked = await askTeamPhone(tx, { phone, words, networkKey, at })
    if (!asked.ok) return asked
    await setTextPhone(tx, member.value.memberId, asked.value.phone)
    return ok({ mustConfirm: asked.value.mustConfirm })
  })
}

/** Ends the text messages of the acting member. Their choices stay for the next phone. */
export function clearTextPhone({ db, clock }: Deps, by: PortalActor): Promise<Outcome<null, Refused<'not-allowed'>>> {
  return db.transaction().execute(async (tx) => {
    const found = await requireShopMember(tx, by, 'emails.edit', clock.now())
    if (!found.ok) return found
    await setTextPhone(tx, found.value.memberId, null)
    return ok(null)
  })
}
