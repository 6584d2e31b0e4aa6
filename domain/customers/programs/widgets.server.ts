/** Permissions for partner widgets, and the visits and orders they generate. */
import { randomInt } from 'node:crypto'
import { setWidget } from '#domain/payments/cart/cart.server.ts'
import { announceJoin, recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { inTransaction, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { insertRate } from './commission.sql.server.ts'
import { commissionBasisPoints, originsOf } from './widgets.ts'
import {
  bindWidget,
  insertAttribution,
  insertScript,
  insertVisit,
  insertWidget,
  selectScript,
  selectOwnerEmail,
  selectWidget,
  selectWidgets,
  updateClosed,
  updateOrigins,
  type OpenWidget,
  type PartnerWidget,
} from './widgets.sql.server.ts'

type Deps = { db: Database; clock: Clock }

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Creates a new partner's widget with a unique key. */
export async function giveWidget(
  tx: Tx,
  asked: { partnerId: number; email: string; site: string; at: Temporal.Instant },
): Promise<void> {
  const id = `wk_${Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')}`
  await insertWidget(tx, { ...asked, id })
  await insertRate(tx, {
    widgetId: id,
    fromDay: storeDay(asked.at),
    commissionBp: commissionBasisPoints,
    at: asked.at,
    by: 'the application',
    isFirst: true,
  })
}

/** The open widget with a key; undefined if it is closed or unknown. */
export function findWidget({ db }: Pick<Deps, 'db'>, id: string): Promise<PartnerWidget | undefined> {
  return selectWidget(db, { id })
}

/** The signed-in person. */
export type WidgetOwner = { accountId: string; email: string | null; isEmailVerified: boolean }

/**
 * Returns the widget that an account manages; undefined for everyone else. The first account with the partner's
 * verified email becomes the owner, with an email and an audit entry. Later accounts with that email have no access.
 */
export async function findOwnWidget(deps: Deps, person: WidgetOwner): Promise<PartnerWidget | undefined> {
  const { accountId } = person
  const email = person.isEmailVerified ? person.email : null
  const widget = await selectWidget(deps.db, { accountId, verifiedEmail: email })
  if (!widget || widget.isBound || email === null) return widget
  const bind = async (tx: Tx) => {
    if (!(await bindWidget(tx, widget.id, accountId))) return
    await announceJoin(tx, {
      access: 'partner',
      email,
      details: [{ partner: widget.name }],
      at: deps.clock.now(),
    })
  }
  await inTransaction(deps.db, bind)
  return selectWidget(deps.db, { accountId, verifiedEmail: null })
}

/** Lists the open widgets for the office, newest first. */
export function listWidgets({ db }: Pick<Deps, 'db'>): Promise<OpenWidget[]> {
  return selectWidgets(db)
}

/** Counts a visit from a widget, by the day of the store and the partner's name for the page. */
export function countVisit(
  { db, clock }: Deps,
  { widgetId, source }: { widgetId: string; source: string | null },
): Promise<void> {
  return insertVisit(db, { widgetId, source, day: storeDay(clock.now()) })
}

/** Stores a script version shown to a partner, so that its URL still works after the next release. */
export function keepScript({ db, clock }: Deps, script: { hash: string; source: string }): Promise<void> {
  return insertScript(db, { ...script, at: clock.now() })
}

/** The source of a script that a partner was shown; undefined for others. */
export function findScript({ db }: Pick<Deps, 'db'>, hash: string): Promise<string | undefined> {
  return selectScript(db, hash)
}

/** Stores the shopper's last widget in an open cart, and the widget's shop unless another is chosen. */
export function noteWidget(
  { db }: Pick<Deps, 'db'>,
  cartId: string,
  widget: { widgetId: string; source: string | null; shopId: number | null },
): Promise<void> {
  return setWidget(db, cartId, widget)
}

/** Writes down in the order's own transaction which widget it came from, with the rate in force. */
export function attributeOrder({ db, clock }: { db: Tx; clock: Clock }, orderId: number): Promise<void> {
  const at = clock.now()
  return insertAttribution(db, { orderId, day: storeDay(at), at })
}

/** Returns the contact email for an open widget. */
export function widgetOwnerEmail(db: Database, id: string): Promise<string | undefined> {
  return selectOwnerEmail(db, id)
}

/** Sets the pages a partner's own widget may be on. */
export async function changeOrigins(
  deps: Deps,
  owner: WidgetOwner,
  typed: string,
): Promise<Outcome<null, Refused<'no-widget'> | Refused<'not-an-origin', { line: string | null }>>> {
  const widget = await findOwnWidget(deps, owner)
  if (!widget) return refused('no-widget')
  const read = originsOf(typed)
  if ('wrong' in read) return refused('not-an-origin', { line: read.wrong })
  await updateOrigins(deps.db, widget.id, read.origins)
  return ok(null)
}

/** Closes a widget. It no longer renders, and earned commission is retained. */
export function closeWidget(
  { db, clock }: Deps,
  { id, by }: { id: string; by: Actor },
): Promise<Outcome<null, Refused<'not-known'> | Refused<'not-allowed'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'partners.decide', at)
    if (!permitted.ok) return permitted
    if (!(await updateClosed(tx, id, at))) return refused('not-known')
    await recordAct(tx, { by, act: 'partner.widget-closed', subject: id, at })
    return ok(null)
  })
}
