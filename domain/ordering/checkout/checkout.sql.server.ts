import { sql, type RawBuilder } from 'kysely'
import type { Contact } from '#domain/supply/contact-forms/contact-forms.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { Database } from '#platform/db.ts'

export type SavedContact = Omit<Contact, 'phone'> & { phone: { digits: string; extension: string | null } }
export type SavedBilling = {
  sameAsShipping: boolean
  name: string
  address1: string
  address2: string | null
  city: string
  state: string
  zip: string
  phone: string
  phoneType: string
  poNumber: string | null
}

/** Contact and billing as far as the shopper entered them. */
export type SavedDetails = { contact: SavedContact | null; billing: SavedBilling | null }

/** Returns the details entered for a cart so far. */
export async function selectDetails(db: Database, cartId: string): Promise<SavedDetails> {
  const result = await sql<SavedDetails>`
    select
      (select json_build_object('firstName', first_name, 'lastName', last_name, 'company', company, 'address1', address1, 'address2', address2, 'city', city, 'state', state, 'zip', zip,
        'instructions', instructions, 'vehicleNote', vehicle_note, 'email', email, 'phone', json_build_object('digits', phone, 'extension', phone_extension), 'phoneType', phone_type)
        from cart_contact where cart_id = ${cartId}::uuid) as contact,
      (select json_build_object('sameAsShipping', same_as_shipping, 'name', name, 'address1', address1, 'address2', address2, 'city', city, 'state', state, 'zip', zip, 'phone', phone,
        'phoneType', phone_type, 'poNumber', po_number)
        from cart_billing where cart_id = ${cartId}::uuid) as billing`.execute(db)
  return result.rows[0] ?? { contact: null, billing: null }
}

/** The shop that a cart is to go to, for a statement. */
export function shopOfCart(cartId: string): RawBuilder<number> {
  return sql<number>`(select shop_id from cart where cart.id = ${cartId}::uuid)`
}

/** Stores the contact of a cart, and returns it as `selectDetails` would. */
export async function upsertContact(
  db: Database,
  cartId: string,
  contact: Contact,
  at: Temporal.Instant,
): Promise<SavedContact> {
  const values = {
    first_name: contact.firstName,
    last_name: contact.lastName,
    company: contact.company,
    address1: contact.address1,
    address2: contact.address2,
    city: contact.city,
    state: contact.state,
    zip: contact.zip,
    instructions: contact.instructions,
    vehicle_note: contact.vehicleNote,
    email: contact.email,
    phone: contact.phone.digits,
    phone_extension: contact.phone.extension,
    phone_type: contact.phoneType,
    updated_at: at,
  }
  await db
    .insertInto('cart_contact')
    .values({ cart_id: cartId, ...values })
    .onConflict((conflict) => conflict.column('cart_id').doUpdateSet(values))
    .execute()
  const { digits, extension } = contact.phone
  return { ...contact, phone: { digits, extension } }
}

export async function upsertBilling(
  db: Database,
  cartId: string,
  billing: SavedBilling,
  at: Temporal.Instant,
): Promise<void> {
  const values = {
    same_as_shipping: billing.sameAsShipping,
    name: billing.name,
    address1: billing.address1,
    address2: billing.address2,
    city: billing.city,
    state: billing.state,
    zip: billing.zip,
    phone: billing.phone,
    phone_type: billing.phoneType,
    po_number: billing.poNumber,
    updated_at: at,
  }
  await db
    .insertInto('cart_billing')
    .values({ cart_id: cartId, ...values })
    .onConflict((conflict) => conflict.column('cart_id').doUpdateSet(values))
    .execute()
}

/**
 * Stores the price shown for a cart and returns the previous one, or undefined if there wasn't one. An equal price
 * isn't overwritten.
 */
export async function replaceShownPrice(
  db: Database,
  cartId: string,
  { fingerprint, breakdown }: { fingerprint: string; breakdown: PriceBreakdown },
  at: Temporal.Instant,
): Promise<{ fingerprint: string; breakdown: PriceBreakdown; dropped: string[] } | undefined> {
  const { rows } = await sql<{ fingerprint: string; breakdown: PriceBreakdown; dropped: string[] }>`
    with shown as (
      insert into cart_quote (cart_id, fingerprint, breakdown, shown_at)
      values (${cartId}::uuid, ${fingerprint}, ${JSON.stringify(breakdown)}::jsonb, ${at.toString()}::timestamptz)
      on conflict (cart_id) do update set fingerprint = excluded.fingerprint, breakdown = excluded.breakdown, shown_at = excluded.shown_at, dropped = '{}'
      where cart_quote.fingerprint <> excluded.fingerprint)
    select fingerprint, breakdown, dropped from cart_quote where cart_id = ${cartId}::uuid`.execute(db)
  return rows[0]
}

export type ShownPrice = { fingerprint: string; breakdown: PriceBreakdown; dropped: string[] }

/** Returns the last price shown for a cart without removing it, or undefined if there wasn't one. */
export async function selectShownPrice(db: Database, cartId: string): Promise<ShownPrice | undefined> {
  const { rows } = await sql<ShownPrice>`
    select fingerprint, breakdown, dropped from cart_quote where cart_id = ${cartId}::uuid`.execute(db)
  return rows[0]
}

/** Stores what the change to the price shown last took away, unless another price was shown since. */
export async function keepDropped(
  db: Database,
  cartId: string,
  { fingerprint, dropped }: { fingerprint: string; dropped: readonly string[] },
): Promise<void> {
  await db
    .updateTable('cart_quote')
    .set({ dropped: [...dropped] })
    .where('cart_id', '=', cartId)
    .where('fingerprint', '=', fingerprint)
    .execute()
}
