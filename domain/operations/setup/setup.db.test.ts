import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inspect } from '#db/invariants/invariants.ts'
import { openTestStore, must, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { changeTerms, closeStore, readStoreState } from '#domain/kernel/settings/settings.server.ts'
import { standardTerms } from '#domain/kernel/settings/settings.ts'
import { createStripeTax } from '#adapters/payments/stripe-tax.ts'
import type { Mailer } from '#domain/messaging/messages/mail.port.ts'
import { listStaffEmails } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { closeWarehouse, listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { migrate } from '#platform/migrate.ts'
import { createDatabase } from '#platform/db.ts'
import { testSecrets } from '#sandbox/test-sandbox.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  checkCarrier,
  checkEmailDomain,
  finishTestCharge,
  goLive,
  readSetupFacts,
  sendTestEmail,
  startTestCharge,
  type CheckProviders,
} from './setup.server.ts'
import { stepStates } from './setup.ts'

const [port = 0] = await freePorts(3)

const configured = {
  name: 'Lakeview Tire',
  phone: '(773) 555-0110',
  email: 'help@lakeview.example',
  address: '1 Elm Street, Chicago, IL 60613',
} as Parameters<typeof readSetupFacts>[0]['settings']['configured']

const accounts: CheckProviders = {
  payments: { id: 'stripe', isTest: false },
  email: { id: 'mail', isTest: false },
  carrier: { id: 'easypost', isTest: false },
}

/** The demo's goods and shops in a store that is closed. */
async function openClosedStore() {
  const store = await openTestStore(port)
  const deps = {
    ...store,
    settings: { isOpen: false, configured },
    taxes: null,
    checkProviders: accounts,
    inspect: () => inspect(store.db, store.clock.now()),
  }
  return deps
}

/** The sandbox's tax provider. */
const taxesOf = ({ sandbox }: TestStore) =>
  createStripeTax({ apiOrigin: sandbox.origin, secretKey: testSecrets.stripeSecretKey })

/** How many orders, charges, entries and messages there are, the stock, and the live appointments. */
async function booksOf(db: TestStore['db']) {
  const { rows } = await sql`
    select (select count(*) from sales_order) as orders, (select count(*) from payment) as charges, (select count(*) from customer) as customers,
      (select count(*) from ledger_entry) as entries, (select count(*) from message) as messages, (select sum(on_hand) from stock) as units,
      (select count(*) from booking where state in ('held', 'confirmed')) as appointments, (select count(*) from order_screening) as screenings`.execute(
    db,
  )
  return rows
}

const taking: Mailer = { send: async () => ({ ok: true }) }
const refusing: Mailer = { send: async () => ({ ok: false, reason: 'refused' }) }

async function payOnPage(store: TestStore, url: string): Promise<void> {
  const body = new URLSearchParams({ number: '4242424242424242', expiry: '12/39', cvc: '123', zip: '60614', email: '' })
  const paid = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  expect(paid.status).toBe(303)
  expect(store.sandbox.origin).toBe(new URL(url).origin)
}

const stateOf = async (deps: Parameters<typeof readSetupFacts>[0], name: string) =>
  stepStates(await readSetupFacts(deps)).find((step) => step.name === name)?.state

/** Saves the shipping rates as they are. */
async function confirmRates(deps: Awaited<ReturnType<typeof openClosedStore>>): Promise<void> {
  const { termsVersion: seen } = await readStoreState(deps.db)
  const input = { values: standardTerms, startsAt: null, seen }
  must(await changeTerms(deps, desk, { group: 'shipping', input, isConfirmed: true }))
  expect(await stateOf(deps, 'shipping')).toBe('done')
}

test('the store opens once each step is done, in the order that people do them', async () => {
  await using deps = await openClosedStore()
  const owner = await signInStaff(deps, 'owner')
  must(await closeStore(deps, desk))
  // The demo has orders that were canceled.
  expect(await goLive(deps, owner)).toMatchObject({
    reason: 'not-ready',
    detail: { missing: ['Taxes and fees', 'Payments', 'Shipping rates', 'Carrier', 'Email and text'] },
  })
  await confirmRates(deps)

  // A charge that is not paid is no proof; one that is, is voided at the provider.
  const unpaid = must(
    await startTestCharge(deps, owner, { email: 'o@store.example', returnUrl: 'http://store/office' }),
  )
  expect(await stateOf(deps, 'payments')).toBe('progress')
  expect(must(await finishTestCharge(deps, owner))).toEqual({ passed: false })
  expect(await stateOf(deps, 'payments')).toBe('failed')
  expect(unpaid.url).toContain(deps.sandbox.origin)
  const paid = must(await startTestCharge(deps, owner, { email: 'o@store.example', returnUrl: 'http://store/office' }))
  await payOnPage(deps, paid.url)
  expect(must(await finishTestCharge(deps, owner))).toEqual({ passed: true })
  expect(await finishTestCharge(deps, owner)).toMatchObject({ reason: 'gone' })
  expect(await stateOf(deps, 'payments')).toBe('done')

  expect(must(await sendTestEmail({ ...deps, mailer: refusing, storeName: 'A <b>' }, owner))).toEqual({
    passed: false,
  })
  expect(await stateOf(deps, 'email')).toBe('failed')
  must(await sendTestEmail({ ...deps, mailer: taking, storeName: 'A <b>' }, owner))
  expect(await stateOf(deps, 'email')).toBe('done')
  expect(must(await checkCarrier(deps, owner))).toEqual({ passed: true })
  const taxed = { ...deps, taxes: taxesOf(deps) }

  // A rule that the database breaks prevents opening, and is shown at the step.
  const promise = (days: number) =>
    sql`update shipment set promised_on = promised_on + ${days}::int where delivered_at is null
      and order_id in (select order_id from booking where state = 'confirmed')`.execute(deps.db)
  await promise(400)
  expect(await goLive(taxed, owner)).toMatchObject({
    reason: 'not-sound',
    detail: { words: expect.stringContaining('tires-before-appointment') as unknown },
  })
  expect(await stateOf(taxed, 'live')).toBe('failed')
  await promise(-400)
  // So does a sample order that is refused.
  const before = await booksOf(deps.db)
  await sql`update fraud_rule set outcome = 'refuse', is_on = true, homes_only = false, from_cents = 100 where kind = 'first-order'`.execute(
    deps.db,
  )
  const tried = await goLive(taxed, owner)
  expect(tried).toMatchObject({
    reason: 'no-sample',
    detail: { words: expect.stringContaining('Please call (773)') as unknown },
  })
  expect(await booksOf(deps.db)).toEqual(before)
  await sql`update fraud_rule set is_on = false where kind = 'first-order'`.execute(deps.db)
  must(await goLive(taxed, owner))
  expect((await readStoreState(deps.db)).isOpen).toBe(true)
  // The sample order was placed and rolled back.
  expect(await booksOf(deps.db)).toEqual(before)
  expect(await goLive(taxed, owner)).toMatchObject({ reason: 'open-already' })
  const acts = await deps.db.selectFrom('audit_entry').select('act').orderBy('id').execute()
  expect(acts.map(({ act }) => act).filter((act) => act.startsWith('s'))).toEqual(
    expect.arrayContaining(['setup.checked', 'store.opened', 'store.closed']),
  )
})

test('a store without installers can’t open', async () => {
  await using deps = await openClosedStore()
  const owner = await signInStaff(deps, 'owner')
  must(await closeStore(deps, desk))
  const { url } = must(
    await startTestCharge(deps, owner, { email: 'o@store.example', returnUrl: 'http://store/office' }),
  )
  await payOnPage(deps, url)
  must(await finishTestCharge(deps, owner))
  must(await sendTestEmail({ ...deps, mailer: taking, storeName: 'A' }, owner))
  must(await checkCarrier(deps, owner))
  await confirmRates(deps)
  const calendars = { ...deps.calendars, read: async () => new Map() }
  expect(await goLive({ ...deps, taxes: taxesOf(deps), calendars }, owner)).toMatchObject({
    reason: 'not-ready',
    detail: { missing: ['Installers'] },
  })
  expect((await readStoreState(deps.db)).isOpen).toBe(false)
})

test('a manager can check carrier and email but can’t charge or open, and other roles can’t do either', async () => {
  await using deps = await openClosedStore()
  const [manager, packer] = [await signInStaff(deps, 'manager'), await signInStaff(deps, 'warehouse')]
  const charge = { email: 'o@store.example', returnUrl: 'http://store/office' }
  for (const by of [manager, packer]) {
    expect(await startTestCharge(deps, by, charge)).toMatchObject({ reason: 'not-allowed' })
    expect(await goLive(deps, by)).toMatchObject({ reason: 'not-allowed' })
    expect(await closeStore(deps, by)).toMatchObject({ reason: 'not-allowed' })
  }
  must(await checkCarrier(deps, manager))
  const none = { texts: async () => ({ ok: true as const, value: [] }) }
  expect(must(await checkEmailDomain({ ...deps, dns: none }, manager, 'A <help@store.example>'))).toEqual({
    passed: false,
  })
  expect(await checkEmailDomain({ ...deps, dns: none }, manager, 'help')).toMatchObject({ reason: 'no-domain' })
  expect(await checkEmailDomain({ ...deps, dns: none }, packer, 'a@b.example')).toMatchObject({ reason: 'not-allowed' })
  expect(await checkCarrier(deps, packer)).toMatchObject({ reason: 'not-allowed' })
  expect(await sendTestEmail({ ...deps, mailer: taking, storeName: 'A' }, packer)).toMatchObject({
    reason: 'not-allowed',
  })
})

test('the test email goes to an owner, also when a manager sends it', async () => {
  await using deps = await openClosedStore()
  const owner = await signInStaff(deps, 'owner')
  const manager = await signInStaff(deps, 'manager')
  const sentTo: string[] = []
  const mailer: Mailer = {
    send: async ({ to }) => {
      sentTo.push(to)
      return { ok: true }
    },
  }
  for (const by of [owner, manager]) must(await sendTestEmail({ ...deps, mailer, storeName: 'A' }, by))
  const owners = await listStaffEmails(deps.db, 'store.open', deps.clock.now())
  expect(sentTo[0]).toBe(owner.name)
  expect(owners).toContain(sentTo[1])
  expect(sentTo).not.toContain(manager.name)
})

test('a check counts only for the provider account that it ran with', async () => {
  await using deps = await openClosedStore()
  const owner = await signInStaff(deps, 'owner')
  must(await checkCarrier(deps, owner))
  must(await sendTestEmail({ ...deps, mailer: taking, storeName: 'A' }, owner))
  expect(await stateOf(deps, 'carrier')).toBe('done')
  const other = { ...accounts, carrier: { id: 'easypost of another account', isTest: false } }
  const moved = { ...deps, checkProviders: other }
  expect(await stateOf(moved, 'carrier')).toBe('todo')
  expect(await stateOf(moved, 'email')).toBe('done')
  must(await checkCarrier(moved, owner))
  expect(await stateOf(moved, 'carrier')).toBe('done')
})

test('a warehouse that is closing is neither the store’s warehouse nor the carrier’s origin', async () => {
  await using deps = await openClosedStore()
  const owner = await signInStaff(deps, 'owner')
  const { warehouse: first } = await readSetupFacts(deps)
  const addresses: string[] = []
  const carrier: typeof deps.carrier = {
    ...deps.carrier,
    verifyAddress: async (address) => {
      addresses.push(address.city)
      return deps.carrier.verifyAddress(address)
    },
  }
  const closing = (await listWarehouses(deps)).find(({ name }) => name === first?.name) ?? expect.unreachable()
  must(await closeWarehouse(deps, owner, { id: closing.id, version: closing.version, on: null }))
  const { warehouse: next } = await readSetupFacts(deps)
  expect(next).not.toBe(null)
  expect(next?.name).not.toBe(first?.name)
  must(await checkCarrier({ ...deps, carrier }, owner))
  expect(addresses).toEqual([next?.city])
})

test('the carrier check buys a single label and voids it, also if the carrier was away in between', async () => {
  await using deps = await openClosedStore()
  const owner = await signInStaff(deps, 'owner')
  const bought: string[] = []
  const voided: string[] = []
  const answers: ('unavailable' | 'refused-input' | null)[] = ['unavailable', null, 'refused-input']
  const carrier: typeof deps.carrier = {
    ...deps.carrier,
    buyLabel: async (parcelRef) => {
      bought.push(parcelRef)
      return deps.carrier.buyLabel(parcelRef)
    },
    refundLabel: async (parcelRef) => {
      const reason = answers.shift() ?? null
      if (reason) return { ok: false, reason }
      voided.push(parcelRef)
      return deps.carrier.refundLabel(parcelRef)
    },
  }
  const check = async () => must(await checkCarrier({ ...deps, carrier }, owner)).passed
  const carrierStep = async () => stepStates(await readSetupFacts(deps)).find(({ name }) => name === 'carrier')
  expect(await check()).toBe(null)
  expect(await carrierStep()).toMatchObject({ state: 'progress' })
  expect(await check()).toBe(true)
  expect(new Set(bought)).toEqual(new Set(voided))
  const step = await carrierStep()
  expect(step?.state).toBe('done')
  expect(step?.words).toMatch(/label for \$\d+\.\d\d was bought from your warehouse and voided/)

  // A label that can't be voided is named, so that staff void it at the carrier.
  expect(await check()).toBe(false)
  expect((await carrierStep())?.words).toMatch(/label \w+ was bought but not voided/)
})

test('after the update a store with an order is open, and one without is not', async () => {
  await using empty = await createTestDatabase({ isFresh: true })
  await using used = await createTestDatabase({ from: 'small', isFresh: true })
  const folder = new URL('../../../db/migrations/', import.meta.url)
  const name = (await readdir(folder)).find((file) => file.endsWith('_store-state.sql')) ?? ''
  const statements = await readFile(new URL(name, folder), 'utf8')
  for (const [{ url }, isOpen] of [
    [empty, false],
    [used, true],
  ] as const) {
    const db = createDatabase(url, { size: 1 })
    await sql.raw('drop table store_state; drop function store_state_stays()').execute(db)
    await sql.raw(statements).execute(db)
    const state = await db.selectFrom('store_state').select(['is_open', 'changed_at']).executeTakeFirstOrThrow()
    expect(state).toEqual({ is_open: isOpen, changed_at: null })
    await expect(sql`delete from store_state`.execute(db)).rejects.toMatchObject({ constraint: 'store_state_stays' })
    await db.destroy()
    await migrate(url)
  }
})
