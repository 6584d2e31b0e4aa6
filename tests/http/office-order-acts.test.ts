/** Tests staff actions on an order over HTTP: each action by role, form refusals, and the work order. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staffOrderActs, type StaffOrderAct } from '#domain/ordering/orders/orders.ts'
import { permissions, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { newId } from '#platform/ids.ts'
import { systemClock } from '#platform/clock.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { verify } from '#tests/support/invariants.ts'
import { openStartedStore, type StartedStore } from '#tests/faults/started-store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

const acts = Object.keys(staffOrderActs) as StaffOrderAct[]

let store: StartedStore
const staff = {} as Record<BuiltInRole, Visitor>
/** An order with an appointment, one to confirm, and one for home delivery, all unreleased. */
let installed = 0
let waiting = 0
let home = 0
beforeAll(async () => {
  store = await openStartedStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
  installed = await place()
  waiting = await place('Halsted Street')
  home = await place('1430 N Halsted St')
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

async function place(homeStreet?: string): Promise<number> {
  const placed = await store.press(await store.prepare(undefined, undefined, homeStreet))
  if (!('orderId' in placed)) throw new Error(placed.text)
  return placed.orderId
}

const at = (orderId: number, act: string) => `${store.origin}/office/orders/${orderId}/${act}`
const reason = 'The customer called.'

describe.for(acts)('%s', (act) => {
  test.for(staffRoles)('as %s is open or refused as the table says, its form as well', async (role) => {
    const permitted: readonly BuiltInRole[] = permissions[staffOrderActs[act].permission].roles
    const may = permitted.includes(role)
    expect((await staff[role].ask(at(installed, act))).status).toBe(may ? 200 : 403)
    // An empty form is refused for what it lacks, where the role may send one.
    expect((await staff[role].ask(at(installed, act), { form: {} })).status).toBe(may ? 422 : 403)
  })

  test('leads a guest to sign in', async () => {
    for (const form of [undefined, { reason }]) {
      const answer = await createVisitor().ask(at(installed, act), form ? { form } : {})
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe(
        `/office/sign-in?back=${encodeURIComponent(`/office/orders/${installed}/${act}`)}`,
      )
    }
  })
})

test('unknown actions, other orders, and hostile IDs return 404 without failures', async () => {
  for (const path of [
    `${installed}/refund-everything`,
    `${installed}/constructor`,
    '999999999/cancel',
    'x/cancel',
    '0/cancel',
  ])
    for (const form of [undefined, { reason }])
      expect((await staff.owner.ask(`${store.origin}/office/orders/${path}`, form ? { form } : {})).status, path).toBe(
        404,
      )
})

test('a rejected form retains the input with the error at its field', async () => {
  const answer = await staff.support.ask(at(home, 'address'), {
    form: { address1: 'PO Box 12', address2: '', city: 'Chicago', state: 'IL', zip: 'abc', reason: '' },
  })
  const html = await answer.text()
  expect(answer.status).toBe(422)
  for (const id of ['address1-error', 'zip-error', 'reason-error']) expect(html).toContain(`id="${id}"`)
  expect(html).toContain('value="PO Box 12"')
})

test('what an order refuses is said with a way out, on the page and to its form', async () => {
  for (const [act, sentence] of [
    ['confirm', 'This order is already confirmed.'],
    ['question', 'An appointment cannot wait that long for an answer.'],
  ] as const) {
    expect(await (await staff.manager.ask(at(installed, act))).text()).toContain(sentence)
    const answer = await staff.manager.ask(at(installed, act), { form: { reason } })
    // Confirming a confirmed order is no mistake.
    expect(answer.status, act).toBe(act === 'confirm' ? 303 : 409)
  }
})

test('submitted twenty times, each act is done once', async () => {
  const { db } = store
  const count = async (act: string, orderId: number) =>
    (
      await db
        .selectFrom('audit_entry')
        .select('id')
        .where('act', '=', act)
        .where('subject', '=', `S-${orderId}`)
        .execute()
    ).length
  const press = async (role: BuiltInRole, address: string, form: Record<string, string>) =>
    new Set(
      (await Promise.all(Array.from({ length: 20 }, () => staff[role].ask(address, { form })))).map(
        ({ status }) => status,
      ),
    )
  expect(await press('support', at(waiting, 'confirm'), { reason })).toEqual(new Set([303]))
  expect(await count('order.confirmed', waiting)).toBe(1)

  const page = await (await staff.sales.ask(at(installed, 'appointment'))).text()
  const slot = decodeURIComponent([...page.matchAll(/\?slot=([^"#]+Z)#/g)].at(-1)?.[1] ?? '')
  expect(await press('sales', at(installed, 'appointment'), { slot, reason })).toEqual(new Set([303]))
  expect(await count('order.appointment-moved', installed)).toBe(1)

  const mails = await (await staff.support.ask(at(installed, 'resend'))).text()
  const message = /<option value="([0-9a-f-]{36})"/.exec(mails)?.[1] ?? ''
  const once = /name="once" value="([0-9a-f-]{36})"/.exec(mails)?.[1] ?? ''
  expect(await press('support', at(installed, 'resend'), { message, once })).toEqual(new Set([303]))
  expect(await count('order.email-resent', installed)).toBe(1)

  expect(await press('manager', at(installed, 'cancel'), { reason })).toEqual(new Set([303]))
  expect(await count('order.canceled', installed)).toBe(1)
  const answer = await staff.manager.ask(at(installed, 'cancel'), { form: { reason } })
  expect(answer.headers.get('location')).toBe(`/office/orders/${installed}?done=cancel`)
  const broken = await verify(db, systemClock.now())
  expect(broken.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('the codes of an appointment are shown to those who may see them, and each showing is recorded', async () => {
  const order = await place()
  const page = `${store.origin}/office/orders/${order}`
  const seen = new Set<string>()
  for (const role of staffRoles) {
    const may = (permissions['orders.codes'].roles as readonly BuiltInRole[]).includes(role)
    const before = await (await staff[role].ask(page)).text()
    expect(before.includes('Show codes'), role).toBe(may)
    expect(before, role).not.toMatch(/Completion code</)
    const answer = await staff[role].ask(page, { form: { intent: 'codes' } })
    expect(answer.status, role).toBe(may ? 200 : 403)
    const code = />(\d{3} \d{3})</.exec(await answer.text())?.[1]
    expect(code !== undefined, role).toBe(may)
    if (code) seen.add(code)
  }
  expect(seen.size).toBe(1)
  const shown = await store.db
    .selectFrom('audit_entry')
    .select('actor')
    .where('act', '=', 'order.codes-shown')
    .where('subject', '=', `S-${order}`)
    .orderBy('id')
    .execute()
  expect(shown.map(({ actor }) => actor)).toEqual(['support@example.com', 'manager@example.com', 'owner@example.com'])
})

test('the email with the codes is sent again once however often it is pressed', async () => {
  const order = await place()
  const form = { intent: 'send-codes', once: newId() }
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => staff.support.ask(`${store.origin}/office/orders/${order}`, { form })),
  )
  expect(new Set(presses.map(({ headers }) => headers.get('location')))).toEqual(
    new Set([`/office/orders/${order}?done=codes-sent`]),
  )
  const sent = await store.db
    .selectFrom('audit_entry')
    .select('id')
    .where('act', '=', 'order.codes-sent')
    .where('subject', '=', `S-${order}`)
    .execute()
  expect(sent).toHaveLength(1)
  // An order without an appointment has no claim codes.
  const none = await staff.owner.ask(`${store.origin}/office/orders/${home}`, { form: { intent: 'codes' } })
  expect(none.status).toBe(409)
})

test('the payment shows bank checks, and items show prices before discounts', async () => {
  const order = await place()
  const html = await (await staff.support.ask(`${store.origin}/office/orders/${order}`)).text()
  for (const words of ['ZIP and code match', 'ending in 4242, exp. ', '4 or more tires', '>Gross<', '>Discount<'])
    expect(html, words).toContain(words)
})

test('the work order is for those who may see the order, and staff who print', async () => {
  const path = `/track-your-order/wo?order=${installed}`
  const open = async (visitor: Visitor, address = path) => (await visitor.ask(store.origin + address)).status
  // Others are led to the look-up, whether the order exists or not.
  expect(await open(createVisitor())).toBe(303)
  expect(await open(createVisitor(), '/track-your-order/wo?order=999999999')).toBe(303)
  const key = store.keyOf(installed)
  const other = store.keyOf(home)
  expect(await open(createVisitor(), `${path}&key=${encodeURIComponent(other)}`)).toBe(303)
  for (const role of staffRoles) {
    const permitted: readonly BuiltInRole[] = permissions['orders.print'].roles
    expect(await open(staff[role]), role).toBe(permitted.includes(role) ? 200 : 303)
  }
  // A home delivery order has no work order.
  expect(await open(staff.owner, `/track-your-order/wo?order=${home}`)).toBe(404)

  const guest = createVisitor()
  const html = await (await guest.ask(`${store.origin}${path}&key=${encodeURIComponent(key)}`)).text()
  expect(html).toContain('Prepaid. Do not collect.')
  expect(html).toContain(`${installed}-1`)
  const pdf = await guest.ask(
    `${store.origin}/track-your-order/wo.pdf?order=${installed}&key=${encodeURIComponent(key)}`,
  )
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  const text = readPdf(new Uint8Array(await pdf.arrayBuffer()))
  expect(text).toContain('Prepaid. Do not collect.')
  expect(await open(createVisitor(), `/track-your-order/wo.pdf?order=${installed}`)).toBe(404)
})
