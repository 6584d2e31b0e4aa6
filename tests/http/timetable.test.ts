/** Tests that the queue has every timetable entry and that each scheduled job completes. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { newTimedId } from '#platform/ids.ts'
import { enqueueAll, type Job } from '#platform/jobs.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore } from '#tests/support/store.ts'

test('every scheduled job runs and has its effect', async () => {
  await using store = await startStore()
  const { db } = store.database
  // The worker registers them shortly after it reports ready.
  const names = await eventually('timetable', async () => {
    const known = await sql<{
      name: string
    }>`select identifier as name from graphile_worker._private_known_crontabs`.execute(db)
    return known.rows.length > 0 ? known.rows.map(({ name }) => name) : undefined
  })
  expect(names.toSorted()).toEqual([
    'book-commissions',
    'cancel-unanswered-orders',
    'check-payment-pages',
    'close-due-shops',
    'collect-supplier-files',
    'count-reports',
    'count-reports-again',
    'deliver-webhooks',
    'email-queue-digests',
    'email-reports',
    'email-shop-summaries',
    'expire-approvals',
    'expire-holds',
    'expire-order-changes',
    'expire-quotes',
    'forget-old-answers',
    'forget-old-attempts',
    'forget-old-sign-ins',
    'forget-what-is-over',
    'invite-reviews',
    'plan-supplier-feeds',
    'query-suppliers',
    'reconcile',
    'release-abandoned-charges',
    'remind-of-appointments',
    'remind-of-invoices',
    'remind-of-memberships',
    'remind-of-pickups',
    'remind-of-rotations',
    'remind-of-unconfirmed-orders',
    'renew-memberships',
    'send-due-payouts',
    'send-google-listings',
    'settle-referrals',
    'sweep-files',
    'tell-of-delays',
    'tell-of-earlier-times',
    'tell-purchasing-systems',
    'watch-agent-orders',
    'watch-charges',
    'watch-recalls',
    'write-feeds',
  ])

  const old = Temporal.Now.instant().subtract({ hours: 24 * 31 })
  const account = {
    id: newTimedId(),
    email: 'rotation@example.com',
    email_verified_at: old,
    name: 'Dana Ruiz',
    created_at: old,
  }
  await db.insertInto('account').values(account).execute()
  const vehicle = {
    id: newTimedId(),
    account_id: account.id,
    choice: '1~~~2019~honda~cr-v~~~~2019_Honda_CR-V',
    year: 2019,
    make_slug: 'honda',
    model_slug: 'cr-v',
  }
  const times = { added_at: old, used_at: old, rotated_on: '2020-01-01', rotation_due_on: '2020-07-01' }
  await db
    .insertInto('account_vehicle')
    .values({ ...vehicle, ...times })
    .execute()
  const attempt = {
    state: 'x'.repeat(32),
    nonce: 'x',
    code_verifier: 'x',
    return_path: '/',
    browser_hash: Buffer.alloc(32),
    created_at: old,
  }
  await db.insertInto('sign_in_attempt').values(attempt).execute()
  await db.insertInto('attempt_count').values({ key: 'old', points: 1, expire: 1 }).execute()
  const answer = { scope: Buffer.alloc(32), request: Buffer.alloc(32), status: 201, headers: '{}', body: 'null' }
  const answers = [
    { ...answer, key: 'old', created_at: old },
    { ...answer, key: 'new', created_at: Temporal.Now.instant() },
  ]
  await db.insertInto('idempotency_key').values(answers).execute()
  const year = {
    id: newTimedId(),
    account_id: account.id,
    state: 'active',
    price_cents: 3_900,
    begun_at: old,
    bought_at: old,
    starts_at: old,
  }
  await db
    .insertInto('membership_term')
    .values({ ...year, ends_at: Temporal.Now.instant().add({ hours: 48 }) })
    .execute()
  // A friend's order delivered 31 days ago.
  const order = await db
    .selectFrom('sales_order')
    .select(['id', 'customer_id'])
    .where('state', '=', 'confirmed')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await moveParcels({ db }, order.id, 'delivered', old)
  await db.updateTable('shipment').set({ delivered_at: old }).where('order_id', '=', order.id).execute()
  await db
    .insertInto('referral')
    .values({
      order_id: order.id,
      referrer_id: account.id,
      friend_id: order.customer_id,
      rate_ppm: 100_000,
      placed_at: old,
    })
    .execute()

  await enqueueAll(
    db,
    names.map((name) => ({ name, payload: {}, maxAttempts: 1 }) as Job),
  )
  // Failed jobs would remain.
  const left = () => sql`select from graphile_worker.jobs where task_identifier = any(${names})`.execute(db)
  await eventually('end of all jobs', async () => (await left()).rows.length === 0)
  expect(await db.selectFrom('sign_in_attempt').select('state').execute()).toEqual([])
  expect(await db.selectFrom('attempt_count').select('key').execute()).toEqual([])
  expect(await db.selectFrom('idempotency_key').select('key').execute()).toEqual([{ key: 'new' }])
  expect(await db.selectFrom('referral').select('state').where('order_id', '=', order.id).execute()).toEqual([
    { state: 'earned' },
  ])
  for (const words of [
    'Time to rotate the tires on your 2019 Honda CR-V',
    'Your membership ends',
    '$10.00 credit for sending a friend',
  ]) {
    const mails = async () => (await fetch(`${store.sandboxOrigin}/mailbox.json?to=${account.email}`)).text()
    await eventually(`mail "${words}"`, async () => (await mails()).includes(words))
  }
})
