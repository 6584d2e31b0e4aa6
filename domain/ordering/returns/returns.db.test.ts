/**
 * Returns from request to refund, including duplicate and concurrent actions. Over 400 lines: a single lifecycle with
 * steps that share fixtures.
 */
import { sql } from 'kysely'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addToCart } from '#domain/payments/cart/cart.server.ts'
import { makePlacedOrder, must, pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import type { MessageKind } from '#domain/messaging/messages/messages.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { decideRefund, listOrderRefunds, refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import { addApiClient, listAudit, listGrants, revokeGrant, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { findVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import {
  cancelReturn,
  finishReturnRefund,
  holdReturn,
  inspectTire,
  acceptTires,
  labelReturn,
  listOrderReturns,
  moneyOfTires,
  openReturn,
  openReturnAsStaff,
  previewRefundOfReturn,
  readReturn,
  receiveReturnScan,
  receiveTires,
  refundReturn,
  releaseReturn,
  returnMessage,
  selectReturnEvents,
  selectReturnHolds,
  startExchange,
} from './returns.server.ts'
import { returnTireLife, returnTireStates, type ReturnOutcome } from './returns.ts'
import {
  asked,
  makeDeliveredOrder,
  makeReturn,
  openReturnsStore,
  photo,
  scanBy,
  sender,
  type ReturnsStore,
} from './returns.testing.ts'

const [port = 0] = await freePorts(3)
const staff: Actor = { via: 'command line', name: 'nora' }

const statesOf = async ({ db }: ReturnsStore, id: number) => (await readReturn(db, id))?.tires.map(({ state }) => state)
const mails = async ({ db }: ReturnsStore) =>
  (
    await db
      .selectFrom('message')
      .select(['kind', 'key'])
      .where('kind', 'like', 'return-%')
      .orderBy('created_at')
      .orderBy('key')
      .execute()
  ).map(({ kind, key }) => ({ kind: kind as MessageKind, key }))
const errors = async ({ db, clock }: ReturnsStore) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

function inspect(
  store: ReturnsStore,
  id: number,
  tireNo: number,
  outcome: ReturnOutcome = 'restock',
  refusal: string | null = null,
) {
  const found = { finding: '10/32 in, beads clean', dot: 'SDWL 3126', isDotMatch: true }
  return photo().then((picture) =>
    inspectTire(store, staff, { id, tireNo, outcome, refusal, photo: refusal ? picture : null, ...found }),
  )
}

/** What the office's page would show as the amount of the refund. */
async function amountOf(
  { db }: ReturnsStore,
  id: number,
  feeReason: 'due' | 'our-mistake' | 'reordered',
): Promise<number> {
  const view = await readReturn(db, id)
  const order = view && (await readOrder(db, view.orderId))
  if (!view || !order) throw new Error('Not found: return.')
  return moneyOfTires(
    order,
    view.tires.filter(({ state }) => state === 'accepted'),
    feeReason,
  ).refundCents
}

test('four returned tires get labels, scans, receipt, inspection, and refund, and the totals add up', async () => {
  await using store = await openReturnsStore(port)
  const { orderId, totalCents } = await makeDeliveredOrder(store)
  const id = await makeReturn(store, orderId)
  const labeled = await readReturn(store.db, id)
  expect(labeled?.tires.map(({ state }) => state)).toEqual(['labeled', 'labeled', 'labeled', 'labeled'])
  expect(new Set(labeled?.tires.map(({ trackingNumber }) => trackingNumber)).size).toBe(4)
  expect(labeled).toMatchObject({ shipBy: '2026-12-20', seq: 1, reason: 'changed-mind' })
  const tracking = labeled?.tires.map(({ trackingNumber }) => trackingNumber ?? '') ?? []
  const scan = (no: number, state: 'in-transit' | 'delivered', name = state) =>
    receiveReturnScan(scanBy(store, { id: `${name} ${no}`, trackingNumber: tracking[no] ?? '', state }), '', '')
  must(await scan(0, 'in-transit'))
  must(await scan(0, 'in-transit'))
  must(await scan(0, 'delivered'))
  must(await scan(0, 'in-transit', 'late' as 'in-transit'))
  expect(await statesOf(store, id)).toEqual(['received', 'labeled', 'labeled', 'labeled'])
  expect(await cancelReturn(store, { id, actor: 'shopper' })).toMatchObject({ reason: 'shipped' })
  expect(must(await receiveTires(store, staff, { id, tireNos: [1, 2, 3, 4] }))).toEqual({ received: 3 })
  for (const tireNo of [1, 2, 3, 4]) must(await inspect(store, id, tireNo))
  const agreedCents = await amountOf(store, id, 'due')
  // Shipped home, so the order contains only tires.
  expect(agreedCents).toBe(totalCents - 8_000)
  const paid = must(
    await refundReturn(store, staff, { id, feeReason: 'due', reorderId: null, agreedCents, isFresh: true }),
  )
  expect(paid).toEqual({ refundCents: agreedCents, way: 'card', state: 'refunded' })
  await payOutRefunds(store)
  expect(await readOrder(store.db, orderId)).toMatchObject({
    state: 'returned',
    payment: { refundedCents: agreedCents },
  })
  expect(await errors(store)).toEqual([])
  expect((await mails(store)).map(({ kind }) => kind)).toEqual(['return-labels', 'return-received', 'return-refunded'])
  for (const mail of await mails(store)) {
    const message = await returnMessage(store, mail)
    const rendered = await renderMessage(mail.kind, message?.values ?? {}, { footer: null })
    expect(rendered.text).toContain(`M-${id}`)
    expect(message?.attachments.length, mail.kind).toBe(mail.kind === 'return-labels' ? 1 : 0)
  }
})

test('staff open a return under the same rules with an audit entry, if their role permits', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const support = await signInStaff(store, 'support')
  const warehouse = await signInStaff(store, 'warehouse')
  const sent = { seq: 1, photos: [], networkKey: 'n' }
  expect(await openReturnAsStaff(store, warehouse, { ...asked, orderId }, sent)).toMatchObject({
    reason: 'not-allowed',
  })
  expect(await openReturnAsStaff(store, support, { ...asked, orderId, isUnmounted: false }, sent)).toMatchObject({
    reason: 'not-met',
  })
  const [one, again] = await Promise.all([
    openReturnAsStaff(store, support, { ...asked, orderId }, sent),
    openReturnAsStaff(store, support, { ...asked, orderId }, sent),
  ])
  const { id } = must(one)
  expect(must(again).id).toBe(id)
  const { entries } = await listAudit(store, {
    actor: null,
    act: 'return.opened',
    subject: null,
    from: null,
    until: null,
    before: null,
  })
  expect(entries.map(({ actor, after }) => ({ actor, after }))).toEqual([
    { actor: 'support@store.example', after: { return: `M-${id}`, reason: 'changed-mind' } },
  ])
  const [requested] = await selectReturnEvents(store.db, id)
  expect(requested).toMatchObject({ actor: 'support@store.example', to: 'requested' })
  await labelReturn(store, id)
  expect((await mails(store)).map(({ kind }) => kind)).toEqual(['return-labels'])
})

test('two tabs and twenty presses open one return, and two forms never more tires than were delivered', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const press = (seq: number | null, quantity: number) =>
    openReturn(store, { ...asked, orderId, lines: [{ lineNo: 1, quantity }] }, { ...sender, seq })
  const pressed = await Promise.all(Array.from({ length: 20 }, () => press(1, 2)))
  expect(new Set(pressed.map((one) => must(one).id)).size).toBe(1)
  expect(pressed.filter((one) => must(one).isNew)).toHaveLength(1)
  const others = await Promise.all([press(null, 2), press(null, 2), press(null, 2)])
  expect(others.filter(({ ok }) => ok)).toHaveLength(1)
  expect((await listOrderReturns(store.db, orderId)).flatMap(({ tires }) => tires)).toHaveLength(4)
  expect(await press(null, 1)).toMatchObject({ reason: 'not-met' })
  // The constraint holds without the use case.
  const [first] = await listOrderReturns(store.db, orderId)
  const forced = store.db
    .insertInto('return_tire')
    .values({ return_id: first?.id ?? 0, tire_no: 9, order_id: orderId, line_no: 1, unit: 4, ships_back: true })
    .execute()
  expect(violatedConstraint(await forced.catch((error: unknown) => error))).toBe('return_units_within_delivered')
})

test('a canceled return releases its tires, and canceling again has no effect', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const id = await makeReturn(store, orderId)
  expect(must(await cancelReturn(store, { id, actor: 'shopper' }))).toEqual({ isNew: true })
  expect(must(await cancelReturn(store, { id, actor: 'shopper' }))).toEqual({ isNew: false })
  expect(await cancelReturn(store, { id: id + 7, actor: 'shopper' })).toMatchObject({ reason: 'return-not-found' })
  const again = await makeReturn(store, orderId, { lines: [{ lineNo: 1, quantity: 1 }] })
  expect((await readReturn(store.db, again))?.tires).toMatchObject([{ unit: 1, state: 'labeled' }])
})

test('the database refuses every move that the table does not have', async () => {
  await using store = await openReturnsStore(port)
  const { rows } = await sql<{
    body: string
  }>`select prosrc as body from pg_proc where proname = 'return_tire_moves'`.execute(store.db)
  const inDatabase = [...(rows[0]?.body ?? '').matchAll(/\('([a-z]+)', '([a-z]+)'\)/g)].map(
    ([, from, to]) => `${from} ${to}`,
  )
  const inCode = returnTireStates.flatMap((from) => returnTireLife[from].map((to) => `${from} ${to}`))
  expect(inDatabase.toSorted()).toEqual(inCode.toSorted())
  const { orderId } = await makeDeliveredOrder(store)
  const id = await makeReturn(store, orderId)
  const skip = store.db.updateTable('return_tire').set({ state: 'refunded' }).where('return_id', '=', id).execute()
  expect(violatedConstraint(await skip.catch((error: unknown) => error))).toBe('return_tire_life')
})

test('received tires are accepted together, all of them or none', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const id = await makeReturn(store, orderId)
  const accept = (tireNos: readonly number[]) => acceptTires(store, staff, { id, tireNos })
  must(await receiveTires(store, staff, { id, tireNos: [1, 2, 3] }))
  expect(await accept([1, 2, 4])).toMatchObject({ reason: 'not-received' })
  expect(await accept([1, 9])).toMatchObject({ reason: 'tire-not-found' })
  expect(await accept([])).toMatchObject({ reason: 'tire-not-found' })
  expect(await statesOf(store, id)).toEqual(['received', 'received', 'received', 'labeled'])
  const presses = await Promise.all([accept([1, 2]), accept([2, 1])])
  expect(presses.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await accept([2, 3])).toMatchObject({ reason: 'inspected-already' })
  expect(await statesOf(store, id)).toEqual(['accepted', 'accepted', 'received', 'labeled'])
  const view = await readReturn(store.db, id)
  expect(view?.tires[0]).toMatchObject({ outcome: 'restock', isDotMatch: true, finding: null })
  expect(await errors(store)).toEqual([])
})

test('a held return is not refunded until another teammate who may refund ends the hold', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const id = await makeReturn(store, orderId)
  must(await receiveTires(store, staff, { id, tireNos: [1, 2] }))
  const hold = (by: Actor = staff) => holdReturn(store, by, { id, reason: 'The tread looks worn.' })
  expect(await hold()).toMatchObject({ reason: 'nothing-accepted' })
  must(await acceptTires(store, staff, { id, tireNos: [1] }))
  const packer = await signInStaff(store, 'warehouse')
  expect(await hold(packer)).toMatchObject({ reason: 'not-allowed' })
  const support = await signInStaff(store, 'support')
  await signInStaff(store, 'manager')
  expect((await Promise.all(Array.from({ length: 20 }, () => hold(support)))).every(({ ok }) => ok)).toBe(true)
  const agreedCents = await amountOf(store, id, 'due')
  const refund = () => refundReturn(store, staff, { id, feeReason: 'due', reorderId: null, agreedCents, isFresh: true })
  expect(await refund()).toMatchObject({ reason: 'held' })
  // Other tires are still inspected, and the hold stays.
  must(await acceptTires(store, staff, { id, tireNos: [2] }))
  expect((await readReturn(store.db, id))?.hold).toMatchObject({ reason: 'The tread looks worn.', by: support.name })
  expect(await releaseReturn(store, packer, { id, result: 'x' })).toMatchObject({ reason: 'not-allowed' })
  const own = Array.from({ length: 5 }, () => releaseReturn(store, support, { id, result: 'Looks fine to me.' }))
  for (const answer of await Promise.all(own)) expect(answer).toMatchObject({ reason: 'own-hold' })
  expect(await refund()).toMatchObject({ reason: 'held' })
  for (let time = 0; time < 2; time++) must(await releaseReturn(store, staff, { id, result: 'Measured: 10/32 in.' }))
  expect(await selectReturnHolds(store.db, id)).toMatchObject([
    { by: support.name, released: { by: staff.name, result: 'Measured: 10/32 in.' } },
  ])
  const refunded = await refundReturn(store, staff, {
    id,
    feeReason: 'due',
    reorderId: null,
    agreedCents: await amountOf(store, id, 'due'),
    isFresh: true,
  })
  expect(must(refunded).state).toBe('refunded')
  expect(await hold()).toMatchObject({ reason: 'nothing-accepted' })
  const acts = await store.db.selectFrom('audit_entry').select('act').where('subject', '=', `M-${id}`).execute()
  expect(acts.filter(({ act }) => act === 'return.held' || act === 'return.released')).toHaveLength(2)
  expect(await errors(store)).toEqual([])
})

test('the only person who may refund ends their hold, which the audit log records', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const id = await makeReturn(store, orderId)
  must(await receiveTires(store, staff, { id, tireNos: [1] }))
  must(await acceptTires(store, staff, { id, tireNos: [1] }))
  const owner = await signInStaff(store, 'owner')
  const manager = await signInStaff(store, 'manager')
  // The role can't refund returns.
  await signInStaff(store, 'warehouse')
  must(await holdReturn(store, owner, { id, reason: 'The tread looks worn.' }))
  const release = () => releaseReturn(store, owner, { id, result: 'Measured: 10/32 in.' })
  expect(await release()).toMatchObject({ reason: 'own-hold' })
  const others = (await listGrants(store)).filter(({ email, role }) => email !== owner.name && role !== 'warehouse')
  expect(others.map(({ email }) => email)).toContain(manager.name)
  for (const { id: grantId } of others) must(await revokeGrant(store, staff, { grantId, reason: 'Left.' }))
  must(await release())
  expect(await selectReturnHolds(store.db, id)).toMatchObject([{ by: owner.name, released: { by: owner.name } }])
  const log = await store.db.selectFrom('audit_entry').select('after').where('act', '=', 'return.released').execute()
  expect(log).toEqual([{ after: { secondLook: 'Same person, because no other team member can refund returns' } }])
  expect(await errors(store)).toEqual([])
})

test('a program counts as the person who added it when a hold ends', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const id = await makeReturn(store, orderId)
  must(await receiveTires(store, staff, { id, tireNos: [1] }))
  must(await acceptTires(store, staff, { id, tireNos: [1] }))
  const owner = await signInStaff(store, 'owner')
  await signInStaff(store, 'manager')
  const identity = { issuer: 'https://id.example' }
  const draft = { name: 'Refunds', clientId: 'refunds', role: 'owner' } as const
  const { id: clientId } = must(await addApiClient({ ...store, identity }, owner, draft))
  const program: Actor = { via: 'api', name: 'Refunds', clientId, scopes: ['returns.refund'] }
  const hold = (by: Actor) => holdReturn(store, by, { id, reason: 'The tread looks worn.' })
  const release = (by: Actor) => releaseReturn(store, by, { id, result: 'Measured: 10/32 in.' })
  must(await hold(program))
  for (const by of [owner, program]) expect(await release(by)).toMatchObject({ reason: 'own-hold' })
  must(await release(staff))
  must(await hold(owner))
  expect(await release(program)).toMatchObject({ reason: 'own-hold' })
  for (const { id: grantId, email } of await listGrants(store))
    if (email !== owner.name) must(await revokeGrant(store, staff, { grantId, reason: 'Left.' }))
  must(await release(program))
  must(await hold(program))
  must(await release(owner))
  const holds = await selectReturnHolds(store.db, id)
  expect(holds.map(({ by }) => by)).toEqual([owner.name, owner.name, owner.name])
  expect(new Set(holds.map(({ released }) => released?.by))).toEqual(new Set(['nora', 'Refunds', owner.name]))
  const log = await store.db.selectFrom('audit_entry').select('after').where('act', '=', 'return.released').execute()
  const alone = { after: { secondLook: 'Same person, because no other team member can refund returns' } }
  expect(log.filter(({ after }) => after !== null)).toEqual([alone, alone])
  expect(await errors(store)).toEqual([])
})

test('a rejected tire needs a reason and our photo, and gets no refund', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const id = await makeReturn(store, orderId, { lines: [{ lineNo: 1, quantity: 2 }] })
  expect(await inspect(store, id, 1)).toMatchObject({ reason: 'not-received' })
  must(await receiveTires(store, staff, { id, tireNos: [1, 2] }))
  expect(await inspect(store, id, 1, 'send-back')).toMatchObject({ reason: 'no-reason' })
  const found = { finding: null, dot: null, isDotMatch: false, refusal: 'The beads show mounting marks.' }
  const bare = await inspectTire(store, staff, { id, tireNo: 1, outcome: 'send-back', photo: null, ...found })
  expect(bare).toMatchObject({ reason: 'no-photo' })
  expect(must(await inspect(store, id, 1, 'send-back', 'The beads show mounting marks.'))).toEqual({ state: 'refused' })
  expect(await inspect(store, id, 1)).toMatchObject({ reason: 'inspected-already' })
  must(await inspect(store, id, 2))
  const agreedCents = await amountOf(store, id, 'due')
  const stale = { id, feeReason: 'due', reorderId: null, agreedCents: agreedCents + 1, isFresh: true } as const
  expect(await refundReturn(store, staff, stale)).toMatchObject({ reason: 'amount-changed' })
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => refundReturn(store, staff, { ...stale, agreedCents })),
  )
  expect(presses.filter(({ ok }) => ok)).toHaveLength(1)
  expect(presses.filter((one) => !one.ok && one.reason === 'nothing-accepted')).toHaveLength(19)
  expect(await statesOf(store, id)).toEqual(['refused', 'refunded'])
  const refusal = (await mails(store)).find(({ kind }) => kind === 'return-refused')
  const message = refusal && (await returnMessage(store, refusal))
  expect(message?.values['refusal']).toBe('The beads show mounting marks.')
  // The refused unit stays with this return.
  const three = { ...asked, orderId, lines: [{ lineNo: 1, quantity: 3 }] }
  expect(await openReturn(store, three, sender)).toMatchObject({ reason: 'not-met' })
  expect(await errors(store)).toEqual([])
})

test('photos are counted, decoded, and stored once, and other files are rejected by name', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const damaged = { ...asked, orderId, reason: 'damaged' as const, lines: [{ lineNo: 1, quantity: 1 }] }
  expect(await openReturn(store, damaged, sender)).toMatchObject({ reason: 'not-met' })
  const pdf = { name: 'tire.pdf', bytes: new TextEncoder().encode('%PDF-1.7 … %%EOF') }
  expect(await openReturn(store, damaged, { ...sender, photos: [pdf] })).toMatchObject({
    detail: { why: 'other-kind' },
  })
  const large = { name: 'large.png', bytes: new Uint8Array(1024 * 1024 + 1) }
  expect(await openReturn(store, damaged, { ...sender, photos: [large] })).toMatchObject({
    detail: { why: 'too-large' },
  })
  const broken = { name: 'broken.png', bytes: (await photo()).bytes.slice(0, 40) }
  expect(await openReturn(store, damaged, { ...sender, photos: [broken] })).toMatchObject({
    detail: { why: 'unreadable' },
  })
  const { id } = must(await openReturn(store, damaged, { ...sender, photos: [await photo(), await photo('b.png')] }))
  expect(await readReturn(store.db, id)).toMatchObject({ photos: 2, reason: 'damaged' })
  for (let count = 0; count < 20; count++) await openReturn(store, damaged, { ...sender, photos: [large] })
  expect(await openReturn(store, damaged, { ...sender, photos: [large] })).toMatchObject({ reason: 'too-many-photos' })
})

test('a missing tire needs no label, is reviewed, and is refunded without a fee', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const id = await makeReturn(store, orderId, {
    reason: 'short',
    isUnmounted: false,
    lines: [{ lineNo: 1, quantity: 1 }],
  })
  expect(await readReturn(store.db, id)).toMatchObject({
    shipBy: null,
    tires: [{ state: 'requested', trackingNumber: null }],
  })
  expect((await mails(store)).map(({ kind }) => kind)).toEqual(['return-filed', 'return-missing'])
  must(await receiveTires(store, staff, { id, tireNos: [1] }))
  must(await inspect(store, id, 1, 'scrap'))
  const agreedCents = await amountOf(store, id, 'our-mistake')
  must(await refundReturn(store, staff, { id, feeReason: 'our-mistake', reorderId: null, agreedCents, isFresh: true }))
  expect((await readReturn(store.db, id))?.refunds).toMatchObject([{ feeCents: 0, feeReason: 'our-mistake' }])
})

test('the exchange waives the fee once its order is placed, and no other shopper’s order does', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const id = await makeReturn(store, orderId, { reason: 'wrong-size', wants: 'exchange' })
  const start = { id, cartId: undefined, admit: async () => ({ ok: true, value: undefined }) as const }
  // The order has no vehicle, so the shopper chooses the size.
  expect(await startExchange(store, start)).toMatchObject({ reason: 'no-size', detail: { vehicle: null } })
  must(await receiveTires(store, staff, { id, tireNos: [1] }))
  must(await inspect(store, id, 1))
  const agreedCents = await amountOf(store, id, 'reordered')
  const refund = (reorderId: number | null) =>
    refundReturn(store, staff, { id, feeReason: 'reordered', reorderId, agreedCents, isFresh: true })
  expect(await refund(null)).toMatchObject({ reason: 'reorder-not-found' })
  const strangers = await makePlacedOrder(store, { fulfillment: 'home' })
  expect(await refund(strangers.orderId)).toMatchObject({ reason: 'reorder-not-found' })
  expect(await refund(orderId)).toMatchObject({ reason: 'reorder-not-found' })
})

test('a wrong size is exchanged for the same tire in the vehicle’s size, before the door label is confirmed', async () => {
  await using store = await openReturnsStore(port)
  const found = must(await findVehicle(store, { year: 2021, makeSlug: 'toyota', modelSlug: 'rav4' }))
  if (found.kind !== 'sized') throw new Error('The vehicle of this test has no sizes.')
  const { id: vehicleId, year, makeSlug, modelSlug } = found.trims[0].vehicle
  const car = { vehicleId, fitmentId: null, year, makeSlug, modelSlug, name: found.name }
  const vehicle = { ...car, confirmed: false, label: null }
  const sizes = await store.db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select(['item.id', 'item.product_line_id as lineId', 'size.designation'])
    .where('item.active', '=', true)
    .where('stock.on_hand', '>=', 8)
    .where('size.designation', 'in', ['225/65R17', '205/55R16'])
    .orderBy('item.id')
    .execute()
  const wrong = sizes.find(
    ({ designation, lineId }) =>
      designation === '205/55R16' &&
      sizes.some((other) => other.lineId === lineId && other.designation === '225/65R17'),
  )
  if (!wrong) throw new Error('No tire of this test is sold in both sizes.')
  const { orderId } = await makeDeliveredOrder(store, 'home', { itemId: wrong.id, vehicle })
  const id = await makeReturn(store, orderId, { reason: 'wrong-size', wants: 'exchange' })
  const admit = async () => ({ ok: true, value: undefined }) as const
  const { cartId } = must(await startExchange(store, { id, cartId: undefined, admit }))
  const inCart = await store.db
    .selectFrom('cart_line')
    .innerJoin('item', 'item.id', 'cart_line.item_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select(['size.designation', 'item.product_line_id as lineId', 'cart_line.quantity'])
    .where('cart_id', '=', cartId)
    .execute()
  expect(inCart).toEqual([{ designation: expect.stringMatching(/^2[23]5\//), lineId: wrong.lineId, quantity: 4 }])
})

test('a damaged tire is exchanged for the same one in a cart linked to the return', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const one = { ...asked, orderId, reason: 'damaged' as const, lines: [{ lineNo: 1, quantity: 1 }] }
  const { id } = must(await openReturn(store, one, { ...sender, photos: [await photo()] }))
  const added = await addToCart(store, {
    cartId: undefined,
    lines: [{ itemId: await pickTire(store), quantity: 1, axle: 'all' }],
    zip: '60614',
    vehicle: null,
  })
  const { cartId } = must(added)
  expect(must(await startExchange(store, { id, cartId, admit: async () => ({ ok: true, value: undefined }) }))).toEqual(
    { cartId },
  )
  const linked = await store.db
    .selectFrom('order_return')
    .select('exchange_cart_id')
    .where('id', '=', id)
    .executeTakeFirst()
  expect(linked?.exchange_cart_id).toBe(cartId)
})

test('random returns, cancellations, rejections, and refunds never exceed the captured amount and balance', async () => {
  await using store = await openReturnsStore(port)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(999), { minLength: 6, maxLength: 16 }), async (steps) => {
      const { orderId, totalCents } = await makeDeliveredOrder(store)
      for (const step of steps) await actAtRandom(store, orderId, step)
      await payOutRefunds(store)
      const order = await readOrder(store.db, orderId)
      expect(order?.payment?.refundedCents).toBeLessThanOrEqual(totalCents)
    }),
    { numRuns: Number(process.env['LAW_RUNS'] ?? 0) >= 10_000 ? 60 : 6 },
  )
  expect(await errors(store)).toEqual([])
}, 180_000)

/** One random action, whether allowed or not. */
async function actAtRandom(store: ReturnsStore, orderId: number, step: number): Promise<void> {
  const returns = await listOrderReturns(store.db, orderId)
  const view = returns[step % Math.max(1, returns.length)]
  const tireNo = (step % 4) + 1
  const id = view?.id ?? 0
  switch (step % 6) {
    case 0:
    case 1:
      await openReturn(store, { ...asked, orderId, lines: [{ lineNo: 1, quantity: 1 + (step % 3) }] }, sender)
      return
    case 2:
      if (step % 4 === 0) await cancelReturn(store, { id, actor: 'shopper' })
      return
    case 3:
      await receiveTires(store, staff, { id, tireNos: [1, 2, 3, 4] })
      return
    case 4:
      await inspect(store, id, tireNo, step % 7 === 0 ? 'send-back' : 'restock', step % 7 === 0 ? 'Worn.' : null)
      return
    default:
      if (view) {
        const agreedCents = await amountOf(store, id, 'due')
        await refundReturn(store, staff, { id, feeReason: 'due', reorderId: null, agreedCents, isFresh: true })
      }
  }
}

test('earlier refunds leave less, and over the limit of one person a second one approves before the tires are refunded', async () => {
  await using store = await openReturnsStore(port)
  const { orderId, totalCents } = await makeDeliveredOrder(store, 'shop')
  const otto: Actor = { via: 'command line', name: 'otto' }
  const earlier = { lines: [], amountCents: 10_000, hasHandlingFee: false, lowerReason: null, note: null } as const
  must(
    await refundOrder(store, {
      ...earlier,
      lines: [],
      reason: 'price',
      bearer: 'store',
      orderId,
      actor: staff,
      key: newId(),
      agreedCents: null,
      isFresh: true,
    }),
  )
  const id = await makeReturn(store, orderId, { reason: 'late' })
  must(await receiveTires(store, staff, { id, tireNos: [1, 2, 3, 4] }))
  for (const tireNo of [1, 2, 3, 4]) must(await inspect(store, id, tireNo))
  const [view, order] = [await readReturn(store.db, id), await readOrder(store.db, orderId)]
  if (!view || !order) throw new Error('The return of a test is gone.')
  const shown = await previewRefundOfReturn(store.db, { view, order, feeReason: 'our-mistake' })
  expect(shown).toMatchObject({ feeCents: 0, refundCents: shown.goodsCents - shown.loweredCents })
  expect(shown.refundCents).toBe(totalCents - 10_000)
  const asking = { id, feeReason: 'our-mistake', reorderId: null, agreedCents: shown.refundCents } as const
  expect(await refundReturn(store, staff, { ...asking, isFresh: false })).toMatchObject({ reason: 'not-fresh' })
  expect(must(await refundReturn(store, staff, { ...asking, isFresh: true })).state).toBe('draft')
  expect(await refundReturn(store, otto, { ...asking, isFresh: true })).toMatchObject({ reason: 'awaits-approval' })
  expect(new Set(await statesOf(store, id))).toEqual(new Set(['accepted']))
  expect(await errors(store)).toEqual([])
  const refundId = (await listOrderRefunds(store.db, orderId)).at(-1)?.id ?? ''
  expect(await decideRefund(store, { refundId, decision: 'approved', actor: staff })).toMatchObject({
    reason: 'own-refund',
  })
  expect(await finishReturnRefund(store, otto, refundId)).toBe(false)
  must(await decideRefund(store, { refundId, decision: 'approved', actor: otto }))
  expect(await Promise.all([1, 2, 3].map(() => finishReturnRefund(store, otto, refundId)))).toContain(true)
  await payOutRefunds(store)
  expect(new Set(await statesOf(store, id))).toEqual(new Set(['refunded']))
  expect(await readOrder(store.db, orderId)).toMatchObject({
    state: 'returned',
    payment: { refundedCents: totalCents },
  })
  expect((await readReturn(store.db, id))?.refunds).toMatchObject([{ refundCents: totalCents - 10_000, way: 'card' }])
  expect(await errors(store)).toEqual([])
  expect((await mails(store)).filter(({ kind }) => kind === 'return-refunded')).toHaveLength(1)
})
