/**
 * Exporting and deleting an account's data, checked against the schema. Over 400 lines: every table with personal data is
 * listed and filled here.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createFakeProvider, testIssuer } from '#domain/customers/accounts/accounts.testing.ts'
import { deleteAccount, readAccountData } from './personal-data.server.ts'
import { addAddress, findApp, keepForAccount } from '#domain/customers/accounts/accounts.server.ts'
import { keepCart } from '#domain/payments/cart/cart.server.ts'
import {
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import type { ImportedOrderRow } from '#domain/catalog/catalog-import/customer-records.port.ts'
import { customerRecords } from '#domain/customers/customers/customers.server.ts'
import { applyForCompany, leaveCompany } from '#domain/customers/companies/companies.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { inviteFriends, referralCodeOf } from '#domain/customers/programs/programs.server.ts'
import { newId, newTimedId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'

const [port = 0] = await freePorts(3)

/**
 * Tables with personal data, and the effect of deletion. The row `goes` with the account, or stays for the given
 * reason.
 */
const personal: Record<string, { stays: string } | 'goes'> = {
  account: 'goes',
  account_address: 'goes',
  account_app: 'goes',
  account_brand: 'goes',
  account_document: 'goes',
  account_grant: 'goes',
  account_identity: 'goes',
  account_personalization: 'goes',
  account_search: 'goes',
  account_session: 'goes',
  account_text: 'goes',
  account_vehicle: 'goes',
  agent_session: 'goes',
  audit_entry: { stays: 'what staff did, which nobody takes back' },
  card_decline: { stays: 'counted against card testing; forgotten by time' },
  card_saving: 'goes',
  cart: { stays: 'tires that nobody is named with' },
  cart_billing: 'goes',
  cart_contact: 'goes',
  company: { stays: 'it is the company’s' },
  company_invitation: 'goes',
  company_member: 'goes',
  coverage_claim: { stays: 'the papers of a sale' },
  credit_grant: { stays: 'the books, of nobody then' },
  customer: { stays: 'of orders' },
  customer_contact_change: { stays: 'of the customer; erased with them, and forgotten by time' },
  fleet_quote: { stays: 'it is the company’s' },
  import_customer: { stays: 'of a file that waits to be published; erased with the customer' },
  import_order: { stays: 'of a file that waits to be published; erased with the customer' },
  ledger_entry: { stays: 'the books, of nobody then' },
  mail_block: { stays: 'so that nobody writes to an address that bounces' },
  mail_stop: { stays: 'so that nobody writes there again' },
  membership_auto_renewal: 'goes',
  membership_term: { stays: 'a sale, of nobody then' },
  message: 'goes',
  military_attempt: 'goes',
  military_verification: 'goes',
  order_code: { stays: 'a browser and an order, named to nobody and forgotten in days' },
  order_screening: { stays: 'what the fraud rules said, which nobody takes back' },
  own_job: { stays: 'the name and phone a shop wrote down itself; forgotten by time' },
  partner_application: { stays: 'it is the business’s' },
  partner_widget: { stays: 'it is the business’s' },
  past_order: 'goes',
  payment: { stays: 'the books' },
  payment_customer: 'goes',
  price_guarantee_request: { stays: 'the papers of a sale' },
  purchasing_system: { stays: 'it is the company’s' },
  referral: { stays: 'of orders, of nobody then' },
  referral_invite: 'goes',
  referral_link: 'goes',
  review: { stays: 'written with or without an account' },
  review_vote: 'goes',
  sales_order: { stays: 'the papers of a sale' },
  sales_quote: { stays: 'what the store offered; forgotten by time if nothing came of it' },
  saved_card: 'goes',
  shop: { stays: 'the phone of a shop' },
  shop_application: { stays: 'it is the shop’s' },
  shop_member: { stays: 'who works at a shop, with or without an account' },
  shop_member_setting: { stays: 'how the shop reaches who works there' },
  staff_grant: { stays: 'who works here, with or without an account' },
  store_card_use: { stays: 'of orders, of nobody then' },
  support_request: { stays: 'written with or without an account' },
  text_consent: { stays: 'what the phone’s owner agreed to, and that it ended' },
  text_consent_event: { stays: 'the proof of that' },
  text_message: { stays: 'sent to a phone, with or without an account' },
  text_order: { stays: 'of orders' },
  tire_rotation: 'goes',
}

test('every table that refers to an account or a person is listed', async () => {
  await using store = await openStore()
  const { rows } = await sql<{ table: string }>`
    select distinct table_name as table from information_schema.columns
    where table_schema = 'public' and (
      column_name ~ '^(account_id|owner_id|referrer_id|friend_id|invited_by|visitor_id|writer_id|browser_id|network_key|to_address|card_fingerprint)$'
      or column_name ~ '(email|phone|first_name|last_name|author_name)')
      or (table_schema = 'public' and table_name = 'account')
    order by 1`.execute(store.db)
  expect(rows.map(({ table }) => table)).toEqual(Object.keys(personal))
})

test('the export contains all data kept about its owner, and no secrets', async () => {
  await using store = await openStore()
  const { accountId, keys } = await fill(store)
  const text = JSON.stringify(await readAccountData(store, accountId))
  for (const part of [
    'an address',
    'a search',
    'a cart’s street',
    'a billing’s street',
    'an order’s street',
    'a past order’s tire',
    'a question',
    'a review',
    'a business',
    'a tire shop’s application',
    'a shop’s technician',
    'an inviting company',
    'an app',
  ])
    expect(text).toContain(part)
  expect(text).toContain('"summaryHour":7')
  expect(text).toContain('"about":"partner-applied"')
  expect(text).toContain(await referralCodeOf(store, accountId))
  for (const key of keys) expect(text).not.toContain(key)
})

test('data recorded under an email is exported only to the account that verified it', async () => {
  await using store = await openStore()
  const { accountId } = await fill(store)
  await store.db.updateTable('account').set({ email_verified_at: null }).where('id', '=', accountId).execute()
  const text = JSON.stringify(await readAccountData(store, accountId))
  for (const part of [
    'a question',
    'a review',
    'a business',
    'a tire shop’s application',
    'a shop’s technician',
    'an inviting company',
  ])
    expect(text).not.toContain(part)
})

test('after deletion, account and email remain only in tables with a reason', async () => {
  await using store = await openStore()
  const { accountId, otherId } = await fill(store)
  await leaveCompany(store, accountId)
  await deleteAccount(store, accountId)
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    store.db,
  )
  const left = new Set<string>()
  for (const { name } of tables.rows) {
    const found =
      await sql`select from ${sql.table(name)} as row where to_jsonb(row)::text ~ ${`zora@example.com|${accountId}|a cart’s street|Zora`} limit 1`.execute(
        store.db,
      )
    if (found.rows.length > 0) left.add(name)
  }
  // The sender of Zora's invitation is another account, and may not mail the same address twice.
  left.delete('referral_invite')
  expect([...left].filter((name) => personal[name] === 'goes' || !(name in personal))).toEqual([])
  expect(await store.db.selectFrom('company').select('name').where('name', '=', 'Zora Haulage').execute()).toEqual([])
  expect(await store.db.selectFrom('cart_line').select('quantity').execute()).not.toEqual([])
  expect(await store.db.selectFrom('account').select('id').where('id', 'in', [accountId, otherId]).execute()).toEqual([
    { id: otherId },
  ])
})

function openStore(): Promise<TestStore> {
  return openTestStore(port)
}

/** Zora, with data in every table that an account or a verified email leads to. */
async function fill(store: TestStore): Promise<{ accountId: string; otherId: string; keys: string[] }> {
  const { db, clock } = store
  const at = clock.now()
  const [accountId, otherId] = [newTimedId(), newTimedId()]
  const verified = { email_verified_at: at, created_at: at }
  await db
    .insertInto('account')
    .values([
      { id: accountId, email: 'zora@example.com', name: 'Zora Lind', ...verified },
      { id: otherId, email: 'omar@example.com', name: 'Omar', ...verified },
    ])
    .execute()
  await db
    .insertInto('account_identity')
    .values({ issuer: testIssuer, subject: 'zora', account_id: accountId, created_at: at })
    .execute()
  must(await findApp({ ...store, identity: createFakeProvider() }, 'zora;an app;orders:read'))
  await keepForAccount(store, accountId, { zip: '60614', searches: [{ label: 'a search', path: '/a' }] })
  const contact = {
    firstName: 'Zora',
    lastName: 'Lind',
    company: null,
    address2: null,
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    phoneType: 'mobile' as const,
  }
  must(
    await addAddress(store, accountId, {
      ...contact,
      address1: 'an address',
      phone: { digits: '3125550142', extension: null },
    }),
  )

  const { id: cartId } = await makeReadyCart(store, { fulfillment: 'home' })
  await db
    .updateTable('cart_contact')
    .set({ email: 'zora@example.com', address1: 'a cart’s street' })
    .where('cart_id', '=', cartId)
    .execute()
  await db
    .updateTable('cart_billing')
    .set({ name: 'Zora Lind', address1: 'a billing’s street' })
    .where('cart_id', '=', cartId)
    .execute()
  await keepCart(db, cartId, accountId)
  const placed = await makePlacedOrder(store, { fulfillment: 'home' })
  await db
    .updateTable('sales_order')
    .set({ email: 'zora@example.com', address1: 'an order’s street' })
    .where('id', '=', placed.orderId)
    .execute()
  await db.updateTable('cart').set({ account_id: accountId }).where('id', '=', placed.cartId).execute()

  await db.transaction().execute((tx) =>
    customerRecords.mergePastOrders(
      tx,
      sql<ImportedOrderRow>`select 2 as row_no, 'Shopify' as store, '#1001' as number, now() as placed_at, 'Zora@example.com' as email, null as phone,
        'Zora Lind' as customer_name, 100 as total_cents, 'paid' as status, null as line_sku, 'a past order’s tire' as line_name, 1 as line_quantity, 100 as line_price_cents`,
      at,
    ),
  )

  const config = {
    store: {
      name: 'Sidewall',
      phone: '(800) 555-0142',
      email: 'help@example.com',
      address: '100 Sample Street, Chicago, IL 60601',
    },
  }
  must(
    await applyForCompany({ ...store, config }, accountId, {
      kind: 'fleet',
      name: 'Zora Haulage',
      phone: '3125550142',
      vehicles: 3,
      about: '',
    }),
  )
  const inviting = newTimedId()
  await db
    .insertInto('company')
    .values({
      id: inviting,
      kind: 'fleet',
      name: 'an inviting company',
      phone: '3125550143',
      vehicles: 1,
      applied_at: at,
      state: 'approved',
      decided_at: at,
      decided_by: 'staff',
    })
    .execute()
  await db
    .insertInto('company_invitation')
    .values({
      id: newId(),
      company_id: inviting,
      email: 'zora@example.com',
      role: 'buyer',
      created_at: at,
      expires_at: at.add({ hours: 1 }),
    })
    .execute()
  const said = {
    name: 'Zora',
    email: 'Zora@example.com',
    subject: 'a question',
    message: 'a question',
    said: Buffer.alloc(32),
    created_at: at,
  }
  await db
    .insertInto('support_request')
    .values({ kind: 'contact', ...said })
    .execute()
  const line = await db.selectFrom('product_line').select('id').limit(1).executeTakeFirstOrThrow()
  const told = {
    summary: 'a review',
    comments: 'a review',
    author_name: 'Zora',
    email: 'zora@example.com',
    purchased_on: '2026-01-01',
    vehicle: 'Honda',
  }
  await db
    .insertInto('review')
    .values({
      product_line_id: line.id,
      dry: 5,
      overall_hundredths: 500,
      ...told,
      miles_driven: 1,
      driving_style: 'Relaxed',
      where_used: 'City',
      buy_again: true,
      state: 'published',
      written_at: at,
    })
    .execute()
  const asked = {
    kind: 'partner',
    business: 'a business',
    name: 'Zora',
    email: 'zora@example.com',
    phone: '3125550142',
    people: 2,
    message: '',
    received_at: at,
  }
  await db.insertInto('partner_application').values(asked).execute()
  await fillShop(store)
  await queueMessage(db, {
    kind: 'partner-applied',
    key: 'partner-applied:1',
    to: 'zora@example.com',
    orderId: null,
    at,
  })
  await referralCodeOf(store, accountId)
  must(await inviteFriends(store, { accountId, emails: ['friend@example.com'] }))
  must(await inviteFriends(store, { accountId: otherId, emails: ['zora@example.com'] }))
  return { accountId, otherId, keys: [cartId, placed.cartId] }
}

/** An application of a shop, and who works at one, under the email. */
async function fillShop({ db, clock }: TestStore): Promise<void> {
  const at = clock.now()
  const [name, lastName, email, phone] = ['Zora', 'Lind', 'zora@example.com', '3125550142']
  await db
    .insertInto('shop_application')
    .values({
      company: 'a tire shop’s application',
      street: '1 Sample St',
      city: 'Chicago',
      us_state: 'IL',
      zip: '60614',
      shop_phone: phone,
      owner_first_name: name,
      owner_last_name: lastName,
      owner_email: email,
      owner_phone: phone,
      lead_first_name: name,
      lead_last_name: lastName,
      lead_email: email,
      lead_phone: phone,
      tire_services: [],
      other_services: [],
      hours: JSON.stringify([{ weekday: 1, opens: 480, closes: 1080 }]),
      agreement_version: '2026-11',
      said: Buffer.alloc(32),
      submitted_at: at,
      waiting_since: at,
    })
    .execute()
  const shop = await db.selectFrom('shop').select('id').limit(1).executeTakeFirstOrThrow()
  const memberId = newId()
  await db
    .insertInto('shop_member')
    .values({
      id: memberId,
      shop_id: shop.id,
      email: 'zora@example.com',
      name: 'a shop’s technician',
      role: 'technician',
      added_at: at,
      added_by: 'a test',
    })
    .execute()
  await db
    .insertInto('shop_member_setting')
    .values({ member_id: memberId, summary_hour: 7, summary_since: at })
    .execute()
}
