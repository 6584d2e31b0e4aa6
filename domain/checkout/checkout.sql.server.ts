import { sql } from 'kysely'
import type { Contact } from '#domain/checkout/contact.ts'
import type { Fulfillment } from '#domain/cart/cart.ts'
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

/** Who receives and who pays, as far as the shopper said. */
export async function selectDetails(
  db: Database,
  cartId: string,
): Promise<{ contact: SavedContact | null; billing: SavedBilling | null }> {
  const result = await sql<{ contact: SavedContact | null; billing: SavedBilling | null }>`
    select
      (select json_build_object('firstName', first_name, 'lastName', last_name, 'company', company, 'address1', address1, 'address2', address2, 'city', city, 'state', state, 'zip', zip,
        'instructions', instructions, 'vehicleNote', vehicle_note, 'email', email, 'phone', json_build_object('digits', phone, 'extension', phone_extension), 'phoneType', phone_type)
        from cart_contact where cart_id = ${cartId}::uuid) as contact,
      (select json_build_object('sameAsShipping', same_as_shipping, 'name', name, 'address1', address1, 'address2', address2, 'city', city, 'state', state, 'zip', zip, 'phone', phone,
        'phoneType', phone_type, 'poNumber', po_number)
        from cart_billing where cart_id = ${cartId}::uuid) as billing`.execute(db)
  return result.rows[0] ?? { contact: null, billing: null }
}

/** Sets how the tires reach the shopper, on an open cart. False when there is none. */
export async function updateFulfillment(
  db: Database,
  cartId: string,
  choice: { fulfillment: Fulfillment; shopId: number | null; carrierLocationId: number | null },
  at: Temporal.Instant,
): Promise<boolean> {
  const changed = await db
    .updateTable('cart')
    .set((eb) => ({
      fulfillment: choice.fulfillment,
      shop_id: choice.shopId,
      carrier_location_id: choice.carrierLocationId,
      version: eb('version', '+', 1),
      updated_at: at,
    }))
    .where('id', '=', cartId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

export async function upsertContact(
  db: Database,
  cartId: string,
  contact: Contact,
  at: Temporal.Instant,
): Promise<void> {
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

/** Records the shopper's answer about coverage (per article) and roadside; it also counts as having been asked. */
export async function updateServices(
  db: Database,
  cartId: string,
  choice: { coveredItems: readonly number[]; roadside: boolean },
  at: Temporal.Instant,
): Promise<boolean> {
  const result = await sql<{ id: string }>`
    with open_cart as (
      update cart set roadside = ${choice.roadside}, coverage_asked = true, version = version + 1, updated_at = ${at.toString()}::timestamptz
      where id = ${cartId}::uuid and state = 'open' returning id),
    covered as (
      update cart_line set coverage = cart_line.item_id = any(${choice.coveredItems}::int[]) from open_cart where cart_line.cart_id = open_cart.id)
    select id from open_cart`.execute(db)
  return result.rows.length > 0
}
