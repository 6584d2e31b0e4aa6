/** Tests the limits, second person, balance, and concurrency of store credit granted by staff. */
import { expect, test } from 'vitest'
import { accountOf } from '#domain/customers/accounts/accounts.testing.ts'
import { deleteAccount, readAccountData } from '#domain/operations/personal-data/personal-data.server.ts'
import { keepCart, readCart, setUsesCredit } from '#domain/payments/cart/cart.server.ts'
import { placeOrder, quoteCart, readDetails, type PlaceOrderInput } from '#domain/ordering/checkout/checkout.server.ts'
import {
  agreeTo,
  asAccount,
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { creditOf } from '#domain/payments/ledger/ledger.server.ts'
import { listAudit, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  approveCredit,
  creditMessageValues,
  declineCredit,
  giveCredit,
  listCreditGrants,
  listWaitingCredit,
  takeBackCredit,
} from './store-credit.server.ts'

const [port = 0] = await freePorts(3)

const give = (
  store: TestStore,
  by: Actor,
  accountId: string,
  cents: number,
  more: { orderId?: number; once?: string } = {},
) => giveCredit(store, by, { accountId, orderId: null, cents, reason: 'Late parcel', once: newId(), ...more })

/** Agrees to the price of a cart that uses the account's credit, and pays the rest by card. */
async function paidWithCredit(store: TestStore, accountId: string, cartId: string): Promise<PlaceOrderInput> {
  const own = asAccount(store, accountId)
  const cart = await readCart(own, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { dueCents } = await quoteCart(own, cart, (await readDetails(own, cartId)).contact)
  const { totalCents: _, ...input } = await agreeTo(own, cart)
  await payByCard(own, cartId, dueCents)
  return input
}

async function open() {
  const store = await openTestStore(port)
  const { accountId } = await accountOf(store, 'ray@example.net')
  return { store, accountId, support: await signInStaff(store, 'support') }
}

test('credit that is given is in the balance, the audit log and one email, however often it is submitted', async () => {
  const { store, accountId, support } = await open()
  await using _ = store
  const once = newId()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => give(store, support, accountId, 2_500, { once })))
  expect(outcomes.every((outcome) => outcome.ok && outcome.value.state === 'given')).toBe(true)
  expect(await creditOf(store.db, accountId)).toBe(2_500)
  expect(await listCreditGrants(store.db, [accountId])).toMatchObject([
    {
      id: once,
      cents: 2_500,
      reason: 'Late parcel',
      state: 'given',
      requestedBy: 'support@store.example',
      unusedCents: 2_500,
    },
  ])
  const mails = await store.db
    .selectFrom('message')
    .select(['key', 'to_address'])
    .where('kind', '=', 'credit-given')
    .execute()
  expect(mails).toEqual([{ key: `credit-given:${once}`, to_address: 'ray@example.net' }])
  const config = { web: { origin: 'https://store.example' }, store: { name: 'Sidewall', phone: '1' } } as never
  expect(await creditMessageValues({ db: store.db, config }, { key: `credit-given:${once}` })).toMatchObject({
    amount: '$25.00',
  })
  const query = { actor: null, act: null, subject: `store credit ${once}`, from: null, until: null, before: null }
  const { entries } = await listAudit(store, query)
  expect(entries.map(({ act, after }) => ({ act, after }))).toEqual([{ act: 'credit.given', after: { cents: 2_500 } }])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('above the limit a second person with a recent sign-in approves it', async () => {
  const { store, accountId, support } = await open()
  await using _ = store
  const [finance, manager] = [await signInStaff(store, 'finance'), await signInStaff(store, 'manager')]
  expect(must(await give(store, support, accountId, 90_000)).state).toBe('requested')
  expect(await creditOf(store.db, accountId)).toBe(0)
  const [waiting] = await listWaitingCredit(store, 10)
  const id = waiting?.id ?? ''
  expect(await approveCredit(store, support, id)).toMatchObject({ reason: 'not-allowed' })
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  expect(await approveCredit(store, finance, id)).toMatchObject({ reason: 'not-fresh' })
  const again = await signInStaff(store, 'finance', 'fiona')
  const outcomes = await Promise.all([approveCredit(store, again, id), approveCredit(store, again, id)])
  expect(outcomes.map((outcome) => (outcome.ok ? outcome.value.state : outcome.reason)).toSorted()).toEqual([
    'already-decided',
    'given',
  ])
  expect(await creditOf(store.db, accountId)).toBe(90_000)
  const own = must(await give(store, manager, accountId, 95_000))
  expect(own.state).toBe('requested')
  const [ownGrant] = await listWaitingCredit(store, 10)
  expect(await approveCredit(store, manager, ownGrant?.id ?? '')).toMatchObject({ reason: 'own-request' })
  must(await declineCredit(store, manager, ownGrant?.id ?? ''))
  expect(await listWaitingCredit(store, 10)).toEqual([])
  expect(await creditOf(store.db, accountId)).toBe(90_000)
})

test('concurrent small credits stop at the limit per customer and per order', async () => {
  const { store, accountId, support } = await open()
  await using _ = store
  const { orderId } = await makePlacedOrder(asAccount(store, accountId), { fulfillment: 'home' })
  const people = await Promise.all(['ann', 'ben', 'cam', 'dee'].map((name) => signInStaff(store, 'sales', name)))
  const outcomes = await Promise.all(
    [support, ...people].map((by, index) => give(store, by, accountId, 35_000, index % 2 === 0 ? { orderId } : {})),
  )
  const states = outcomes.map((outcome) => (outcome.ok ? outcome.value.state : outcome.reason))
  expect(states.toSorted()).toEqual(['given', 'given', 'requested', 'requested', 'requested'])
  expect(await creditOf(store.db, accountId)).toBe(70_000)
  // A month later the limit of the customer is whole again.
  store.clock.set(store.clock.now().add({ hours: 24 * 31 }))
  const later = await signInStaff(store, 'sales', 'eve')
  expect(must(await give(store, later, accountId, 75_000)).state).toBe('given')
})

test('unused credit is taken back once, and used credit is not', async () => {
  const { store, accountId, support } = await open()
  await using _ = store
  const once = newId()
  const second = newId()
  must(await give(store, support, accountId, 3_000, { once }))
  must(await give(store, support, accountId, 3_000, { once: second }))
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, () => takeBackCredit(store, support, { grantId: once, reason: 'Wrong account' })),
  )
  expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
  expect(await creditOf(store.db, accountId)).toBe(3_000)
  const { id: cartId } = await makeReadyCart(asAccount(store, accountId), { fulfillment: 'home' })
  await keepCart(store.db, cartId, accountId)
  await setUsesCredit(store, { id: cartId, accountId, usesCredit: true })
  const input = await paidWithCredit(store, accountId, cartId)
  // Of the order and taking it back at the same time, one gets the credit.
  const [placed, taken] = await Promise.all([
    placeOrder(asAccount(store, accountId), input),
    takeBackCredit(store, support, { grantId: second, reason: 'Wrong account' }),
  ])
  expect([placed.ok, taken.ok].filter(Boolean)).toHaveLength(1)
  if (!taken.ok) expect(taken.reason).toBe('nothing-left')
  expect(await creditOf(store.db, accountId)).toBe(0)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('who may not, guests and amounts out of bounds are refused', async () => {
  const { store, accountId, support } = await open()
  await using _ = store
  const warehouse = await signInStaff(store, 'warehouse')
  expect(await give(store, warehouse, accountId, 100)).toMatchObject({ reason: 'not-allowed' })
  expect(await give(store, support, newId(), 100)).toMatchObject({ reason: 'no-account' })
  expect(await give(store, support, 'x', 100)).toMatchObject({ reason: 'no-account' })
  for (const cents of [0, -1, 0.5, 1_000_001, Number.NaN])
    expect(await give(store, support, accountId, cents), String(cents)).toMatchObject({ reason: 'invalid-grant' })
  expect(await give(store, support, accountId, 100, { once: 'x' })).toMatchObject({ reason: 'invalid-grant' })
  for (const act of [
    approveCredit(store, await signInStaff(store, 'manager'), newId()),
    takeBackCredit(store, support, { grantId: 'x', reason: 'None' }),
  ])
    expect(await act).toMatchObject({ reason: 'grant-not-found' })
  expect(await store.db.selectFrom('credit_grant').select('id').execute()).toEqual([])
})

test('the database refuses to take back more than was given', async () => {
  const { store, accountId, support } = await open()
  await using _ = store
  const once = newId()
  must(await give(store, support, accountId, 3_000, { once }))
  const at = store.clock.now()
  const broken = await store.db
    .updateTable('credit_grant')
    .set({ taken_back_cents: 3_001, taken_back_at: at, taken_back_by: 'x' })
    .where('id', '=', once)
    .execute()
    .then(() => undefined, violatedConstraint)
  expect(broken).toBe('credit_grant_taken_back')
})

test('an account’s data has the credit with its reason, and deleting the account deletes the reason', async () => {
  const { store, accountId, support } = await open()
  await using _ = store
  must(await give(store, support, accountId, 3_000))
  must(await give(store, support, accountId, 90_000))
  expect(JSON.stringify((await readAccountData(store, accountId)).credit)).toContain('Late parcel')
  await deleteAccount(store, accountId)
  const grants = await store.db.selectFrom('credit_grant').select(['owner_id', 'reason']).execute()
  expect(grants).toEqual([
    { owner_id: null, reason: null },
    { owner_id: null, reason: null },
  ])
  expect(await listWaitingCredit(store, 10)).toEqual([])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
