/** Saved cards and a membership that renews, in a browser without script. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueue } from '#platform/jobs.ts'
import { eventually } from '#tests/support/eventually.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { createVisitor, registerAt, type Visitor } from '#tests/support/visitor.ts'
import { openStartedStore, type StartedStore } from '../faults/started-store.ts'

let store: StartedStore
beforeAll(async () => {
  store = await openStartedStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const cards = '/account/payment-methods'
const at = (path: string) => store.origin + path
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const goalOf = (answer: Response) => (answer.headers.get('location') ?? '').replace(store.origin, '')

async function signedUp(name: string): Promise<Visitor> {
  const visitor = createVisitor()
  await registerAt(store.origin, visitor, name, { back: cards })
  return visitor
}

/** Enters a card on the provider's page and approves it if the bank requires that. Returns the visitor's final page. */
async function enter(visitor: Visitor, page: string, number: string): Promise<string> {
  const form = { number, expiry: '12/39', cvc: '123', zip: '60614', email: '' }
  const isAsked = (url: URL) => url.pathname.startsWith('/challenge/')
  const isBack = (url: URL) => url.origin === store.origin
  const entered = await visitor.follow(page, { form, stops: (url) => isAsked(url) || isBack(url) })
  const ended = isAsked(entered.url)
    ? await visitor.follow(entered.url, { form: { answer: 'approve' }, stops: isBack })
    : entered
  return goalOf(await visitor.ask(ended.url))
}

async function save(visitor: Visitor, number: string): Promise<void> {
  const opened = await visitor.ask(at(cards), { form: { intent: 'add', agreed: '1' } })
  expect(await enter(visitor, opened.headers.get('location') ?? '', number)).toBe(`${cards}?done=added`)
}

const idOf = (page: string) => /name="card" value="([\w-]+)"/.exec(page)?.[1] ?? ''

test('an account saves cards with consent, makes one the default and removes one; others have no say in it', async () => {
  expect(goalOf(await createVisitor().ask(at(cards)))).toBe('/sign-in?back=%2Faccount%2Fpayment-methods')
  const una = await signedUp('Una')
  const unticked = await una.ask(at(cards), { form: { intent: 'add' } })
  expect(unticked.status).toBe(422)
  expect(await unticked.text()).toContain('Check the box to agree.')
  await save(una, '4242424242424242')
  await save(una, '4000002500003155')
  const page = await read(una, cards)
  expect(page).toContain('Visa ending in 4242')
  expect(page).toContain('Visa ending in 3155')
  expect(page).not.toContain('4000002500003155')
  const first = idOf(page)

  const ros = await signedUp('Ros')
  for (const intent of ['remove', 'default'])
    expect((await ros.ask(at(cards), { form: { intent, card: first } })).status).toBe(404)
  expect(goalOf(await una.ask(at(cards), { form: { intent: 'remove', card: first } }))).toBe(`${cards}?done=removed`)
  expect(await read(una, cards)).not.toContain('Visa ending in 4242')
  expect((await una.ask(at(`${cards}/saved?of=x`))).headers.get('location')).toBe(`${cards}?done=not-added`)
})

test('a saved card pays at checkout, unless it is foreign or declined, and the bank may authenticate', async () => {
  const wes = await signedUp('Wes')
  for (const card of ['4242424242424242', '4000000000000341', '4000002760003184']) await save(wes, card)
  const pay = '/checkout/payments/card'
  const { cartId } = await store.prepare()
  wes.setCookie('localhost', 'sw_cart', cartId)
  await wes.ask(at(pay), { form: { intent: 'another' } })
  const page = await read(wes, pay)
  const idByName = Object.fromEntries(
    [...page.matchAll(/name="card"[^>]*value="([\w-]+)".*?ending in (\d{4})/gs)].map(([, id = '', last4 = '']) => [
      last4,
      id,
    ]),
  )
  expect(Object.keys(idByName).toSorted()).toEqual(['0341', '3184', '4242'])
  expect(page).toContain('name="save"')
  const press = (card = '') => wes.ask(at(pay), { form: { intent: 'saved', card } })

  const xia = await signedUp('Xia')
  await save(xia, '4242424242424242')
  expect((await press(idOf(await read(xia, cards)))).status).toBe(404)
  expect((await press('x')).status).toBe(404)
  const declined = await press(idByName['0341'])
  expect(declined.status).toBe(402)
  expect(await declined.text()).toContain('The bank declined this card.')
  const asked = await press(idByName['3184'])
  expect(asked.headers.get('location')).toContain('/challenge/')
  const approved = await wes.follow(asked.headers.get('location') ?? '', {
    form: { answer: 'approve' },
    stops: (url) => url.pathname === '/checkout/order-summary',
  })
  expect(approved.url.pathname).toBe('/checkout/order-summary')
  await wes.ask(at(pay), { form: { intent: 'another' } })
  expect(goalOf(await press(idByName['4242']))).toBe('/checkout/order-summary')

  await wes.ask(at(cards), { form: { intent: 'remove', card: idByName['4242'] ?? '' } })
  await wes.ask(at(pay), { form: { intent: 'another' } })
  const removed = await press(idByName['4242'])
  expect(removed.status).toBe(409)
  expect(await removed.text()).toContain('This card was removed')
  // The card that pays on the provider's page is saved along.
  const hosted = await wes.ask(at(pay), { form: { intent: 'hosted', save: '1' } })
  expect(await enter(wes, hosted.headers.get('location') ?? '', '5555555555554444')).toBe('/checkout/order-summary')
  await eventually('saved card', async () => (await read(wes, cards)).includes('Mastercard ending in 4444'))
})

/** Returns a member who joined with this card and enabled renewal. */
async function member(name: string, number: string): Promise<Visitor> {
  const visitor = await signedUp(name)
  await visitor.ask(linkIn(await newestMail(store, `${name.toLowerCase()}@example.com`), 'verify-email'))
  await visitor.ask(at('/account?changed=1'))
  expect(await read(visitor, '/membership')).toContain('Renew my membership each year')
  const joined = await visitor.ask(at('/membership'), { form: { intent: 'join', asked: '1', renew: '1' } })
  expect(await enter(visitor, joined.headers.get('location') ?? '', number)).toBe('/membership?news=joined')
  await eventually('saved card', async () => (await read(visitor, cards)).includes(`ending in ${number.slice(-4)}`))
  return visitor
}

const accountOf = (name: string) =>
  store.db.selectFrom('account').select('id').where('email', '=', `${name}@example.com`)

/** The email that announces the renewal, as if most of the year were over. */
async function announced(name: string) {
  await store.db
    .updateTable('membership_term')
    .set({ ends_at: Temporal.Now.instant().add({ hours: 24 * 7 + 12 }) })
    .where('account_id', '=', accountOf(name))
    .execute()
  await enqueue(store.db, 'renew-memberships', {})
  return newestMail(store, `${name}@example.com`, 'Your membership renews on')
}

test('a renewal that the bank wants to ask about is approved on the membership page, once', async () => {
  const { db } = store
  const zoe = await member('Zoe', '4000002760003184')
  await announced('zoe')
  // As if that week were over.
  const over = Temporal.Now.instant().subtract({ minutes: 5 })
  const { id: termId } = await db
    .updateTable('membership_term')
    .set({ starts_at: over.subtract({ hours: 24 * 365 }), ends_at: over })
    .where('account_id', '=', accountOf('zoe'))
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('membership_renewal')
    .set({ charge_at: over, told_at: over.subtract({ hours: 24 * 8 }) })
    .where('follows_term_id', '=', termId)
    .execute()
  await enqueue(db, 'renew-memberships', {})
  const told = await newestMail(store, 'zoe@example.com', 'Your bank wants you to approve your membership')
  expect(told.text).toContain('Your bank did not let us charge $39.00 without asking you. You haven’t been charged.')
  expect(await read(zoe, '/membership')).toContain('Approve $39.00 now')

  const approve = () => zoe.ask(at('/membership'), { form: { intent: 'approve' } })
  // An abandoned bank page doesn't pay, and the next click opens it again.
  expect((await approve()).headers.get('location')).toContain('/challenge/')
  const asked = await approve()
  expect(asked.status).toBe(303)
  const isBack = (url: URL) => url.origin === store.origin
  const refused = await zoe.follow(asked.headers.get('location') ?? '', { form: { answer: 'refuse' }, stops: isBack })
  expect(goalOf(await zoe.ask(refused.url))).toBe('/membership?news=not-paid')
  const again = await approve()
  const approved = await zoe.follow(again.headers.get('location') ?? '', { form: { answer: 'approve' }, stops: isBack })
  for (const _ of [1, 2]) expect(goalOf(await zoe.ask(approved.url))).toMatch(/^\/membership/)
  await approve()
  const page = await read(zoe, '/membership')
  expect(page).not.toContain('Approve $39.00 now')
  await eventually('charge of the renewal', async () => (await renewalsOf('zoe')).join() === 'renewed captured')
  expect(
    (await db.selectFrom('membership_term').select('id').where('account_id', '=', accountOf('zoe')).execute()).length,
  ).toBe(2)
})

/** Returns the renewal's result with its term's charges, except voided ones. */
async function renewalsOf(name: string): Promise<string[]> {
  const rows = await store.db
    .selectFrom('membership_renewal as renewal')
    .innerJoin('membership_term as term', 'term.id', 'renewal.term_id')
    .innerJoin('payment', 'payment.membership_term_id', 'term.id')
    .select(['renewal.state', 'payment.state as payment'])
    .where('term.account_id', '=', accountOf(name))
    .where('payment.state', 'not in', ['voided', 'failed'])
    .execute()
  return rows.map(({ state, payment }) => `${state} ${payment}`)
}

test('a membership with renewal shows its date, and only the email’s button stops it', async () => {
  const yan = await member('Yan', '4242424242424242')
  expect(await read(yan, cards)).toMatch(
    /It renews on <b>[^<]+<\/b> for <b>\$39\.00<\/b> with your Visa ending in 4242/,
  )

  const { db } = store
  const mine = accountOf('yan')
  const mail = await announced('yan')
  expect(mail.text).toContain('$39.00 to your Visa ending in 4242')
  const link = linkIn(mail, '/membership/stop-renewal/')
  const anyone = createVisitor()
  const stopped = async () =>
    (await db.selectFrom('membership_auto_renewal').select('stopped_by').where('account_id', '=', mine).execute()).map(
      ({ stopped_by: by }) => by,
    )
  expect(await (await anyone.ask(link)).text()).toContain('Stop the renewal of your membership?')
  expect(await stopped()).toEqual([null])
  expect((await anyone.ask(link.slice(0, -2), { form: {} })).status).toBe(404)
  for (const _ of [1, 2])
    expect(await (await anyone.ask(link, { form: {} })).text()).toContain('The renewal is stopped')
  expect(await stopped()).toEqual(['link'])

  expect(await read(yan, '/membership')).toContain('Your membership doesn’t renew automatically.')
  const resumed = await yan.ask(at('/membership'), { form: { intent: 'renewal', wanted: '1', from: 'account' } })
  expect(goalOf(resumed)).toBe(`${cards}?done=renewing`)
  expect(await stopped()).toHaveLength(2)
  await yan.ask(at('/membership'), { form: { intent: 'renewal', wanted: '0' } })
  expect(await stopped()).toEqual(expect.arrayContaining(['link', 'member']))
})
