/** Tests referral links and their effect on prices without JavaScript. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import {
  addEmployer,
  approvePartner,
  listApplications,
  refusePartner,
} from '#domain/customers/programs/programs.server.ts'
import { standardTerms } from '#domain/kernel/settings/business-terms.ts'
import { systemClock } from '#platform/clock.ts'
import { formatRate } from '#platform/money.ts'
import { linkIn, mailFor, newestMail } from '#tests/support/mailbox.ts'
import { payOnHostedPage } from '#tests/support/hosted-page.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, ownPassword, registerAt, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let itemId: number
beforeAll(async () => {
  store = await startStore()
  const { db } = store.database
  // Referrals do not discount tires on a deal.
  await db.deleteFrom('promotion').execute()
  const item = await db
    .selectFrom('item')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select('item.id')
    .where('active', '=', true)
    .where('on_hand', '>', 8)
    .orderBy('item.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  itemId = item.id
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const textOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')
const read = async (visitor: Visitor, path: string) => textOf(await visitor.ask(at(path)))

async function register(visitor: Visitor, name: string, back = '/'): Promise<string> {
  return textOf((await registerAt(store.origin, visitor, name, { back })).response)
}

async function addToCart(visitor: Visitor): Promise<void> {
  await visitor.ask(at('/zip'), { form: { zip: '60614', back: '/' } })
  expect((await visitor.ask(at('/cart'), { form: { item: String(itemId), quantity: '4', axle: 'all' } })).status).toBe(
    303,
  )
}

/** A new person's referral link path, with their browser. */
async function linkOf(name: string): Promise<{ visitor: Visitor; link: string }> {
  const visitor = createVisitor()
  const link = /value="http[^"]+(\/invite\/[a-z2-9]{10})"/.exec(await register(visitor, name, '/invite'))?.[1]
  if (link === undefined) throw new Error('The page shows no link.')
  return { visitor, link }
}

test('a guest’s invite page is cacheable and prompts for sign-in, and the dashboard requires it', async () => {
  const guest = createVisitor()
  const page = await guest.ask(at('/invite'))
  expect(page.status).toBe(200)
  expect(page.headers.get('cache-control')).toBe('public, s-maxage=600')
  expect(page.headers.getSetCookie()).toEqual([])
  expect(await textOf(page)).toContain('Sign in, and your link is here.')
  const board = await guest.ask(at('/advocate-dashboard'))
  expect(board.status).toBe(303)
  expect(board.headers.get('location')).toBe('/sign-in?back=%2Fadvocate-dashboard')
  const sent = await guest.ask(at('/invite'), { form: { emails: 'x@example.com' } })
  expect(sent.status).toBe(303)
  expect(sent.headers.get('location')).toBe('/sign-in?back=%2Finvite')
})

test('opening a friend’s link lowers the price of the current cart and the next one', async () => {
  const { link } = await linkOf('Ann')
  const friend = createVisitor()
  await addToCart(friend)
  expect(await read(friend, '/cart')).not.toContain('Referral discount')
  const landing = await friend.ask(at(link))
  expect(landing.status).toBe(200)
  expect(landing.headers.get('cache-control')).toBe('private, no-store')
  expect(await textOf(landing)).toContain(`Ann sends you ${formatRate(standardTerms['friend-ppm'])} off.`)
  expect(friend.cookie('sw_referral')?.attributes).toContain('HttpOnly')
  expect(await read(friend, '/cart')).toContain('Referral discount')

  const later = createVisitor()
  await later.ask(at(link))
  await addToCart(later)
  expect(await read(later, '/cart')).toContain('Referral discount')
})

test('an unknown link returns 404, and a forged cookie creates no referral', async () => {
  const guest = createVisitor()
  expect((await guest.ask(at('/invite/aaaaaaaaaa'))).status).toBe(404)
  expect((await guest.ask(at('/invite/%27%3B--'))).status).toBe(404)
  const { link } = await linkOf('Bea')
  guest.setCookie('localhost', 'sw_referral', `${link.slice(8)}-1795000000.forged`)
  await addToCart(guest)
  expect(await read(guest, '/cart')).not.toContain('Referral discount')
})

test('one’s own link is recognized, signed in or in the browser that showed it', async () => {
  const { visitor, link } = await linkOf('Cleo')
  expect(await read(visitor, link)).toContain('This is your own link.')
  await visitor.ask(at('/sign-out'), { form: {} })
  expect(await read(visitor, link)).toContain('This is your own link.')
  expect(visitor.cookie('sw_referral')).toBeUndefined()
})

test('the cart shows the link’s sender why it doesn’t apply', async () => {
  const { link } = await linkOf('Dee')
  const elsewhere = createVisitor()
  await elsewhere.ask(at(link))
  await addToCart(elsewhere)
  const { response } = await signInAt(store.origin, elsewhere, {
    back: '/cart',
    email: 'dee@example.com',
    password: ownPassword,
  })
  const cart = await textOf(response)
  expect(cart).not.toContain('Referral discount')
  expect(cart).toContain('You can’t use your own link.')
})

test('invitations go to the given addresses, once, and invalid addresses are reported at the field', async () => {
  const { visitor, link } = await linkOf('Eve')
  const send = (emails: string) => visitor.ask(at('/invite'), { form: { emails } })
  const wrong = await send('gus@example.com, nobody')
  expect(wrong.status).toBe(422)
  expect(await textOf(wrong)).toContain('Please enter a valid email')
  expect((await send(Array.from({ length: 11 }, (_, index) => `n${index}@example.com`).join('\n'))).status).toBe(422)
  const sent = await send('Gus@example.com\nhal@example.com')
  expect(sent.status).toBe(303)
  expect(sent.headers.get('location')).toBe('/invite?sent=2')
  expect(await read(visitor, '/invite?sent=2')).toContain('2 emails are on their way.')
  expect((await send('gus@example.com')).headers.get('location')).toBe('/invite?sent=0')
  expect((await newestMail(store, 'gus@example.com')).text).toContain(link)
  expect(await mailFor(store, 'gus@example.com')).toHaveLength(1)
  expect(await read(visitor, '/advocate-dashboard')).toContain('gus@example.com')
  expect(await read(visitor, '/account/data.json')).toContain('hal@example.com')
})

test('a business applies once, staff decide, and its people get the partner price by its code', async () => {
  const { db } = store.database
  const guest = createVisitor()
  const apply = (change: Record<string, string> = {}) =>
    guest.ask(at('/partner-program'), {
      form: {
        intent: 'apply',
        business: 'Lakeview Riders',
        name: 'Pat Lee',
        email: 'pat@example.com',
        phone: '312 555 0100',
        people: '40',
        message: '',
        ...change,
      },
    })
  const wrong = await apply({ email: 'pat', people: 'many' })
  const html = await textOf(wrong)
  expect(wrong.status).toBe(422)
  expect(html).toContain('Please enter a valid email')
  expect(html).toContain('about how many people')
  for (let times = 0; times < 2; times += 1)
    expect((await apply()).headers.get('location')).toBe('/partner-program/thanks')
  expect((await apply({ website: 'https://spam.test', business: 'Spam' })).headers.get('location')).toBe(
    '/partner-program/thanks',
  )
  const waiting = await listApplications({ db })
  expect(waiting.map(({ business, people }) => [business, people])).toEqual([['Lakeview Riders', 40]])

  const deps = { db, clock: systemClock }
  const id = waiting[0]?.id ?? 0
  const decisions = await Promise.all([approvePartner(deps, { id, by: desk }), approvePartner(deps, { id, by: desk })])
  expect(decisions.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await refusePartner(deps, { id, by: desk })).toMatchObject({ ok: false, reason: 'not-waiting' })
  const { code } = await db
    .selectFrom('partner')
    .select((eb) => eb.ref('code').$notNull().as('code'))
    .where('name', '=', 'Lakeview Riders')
    .executeTakeFirstOrThrow()

  const member = createVisitor()
  await register(member, 'Pia')
  const join = (typed: string) => member.ask(at('/partner-program'), { form: { intent: 'join', code: typed } })
  const unknown = await join('AAAAAAAA')
  expect(unknown.status).toBe(422)
  expect(await textOf(unknown)).toContain('We couldn’t find this partner code')
  expect((await join(` ${code.toLowerCase()} `)).headers.get('location')).toBe('/partner-program?news=joined')
  expect(await read(member, '/partner-program')).toContain('You buy at the partner price')
  expect(
    await db.selectFrom('account_grant').select(['type', 'how']).where('granted_by', '=', 'Lakeview Riders').execute(),
  ).toEqual([{ type: 'Partner Program', how: 'invitation' }])
})

test('a verified work email gets employee prices; signing out of them leaves no cart and returns to the employees’ page', async () => {
  const { db } = store.database
  await addEmployer({ db, clock: systemClock }, { by: desk, domain: 'work.example', employer: 'Sidewall Works' })
  const visitor = createVisitor()
  const landed = await registerAt(store.origin, visitor, 'Wes', { email: 'wes@work.example', back: '/dt-employees' })
  expect(await textOf(landed.response)).toContain('Verify your email')
  const join = () => visitor.ask(at('/dt-employees'), { form: {} })
  expect((await join()).status).toBe(409)

  await visitor.ask(linkIn(await newestMail(store, 'wes@work.example'), 'verify-email'))
  expect((await join()).headers.get('location')).toBe('/dt-employees?news=joined')
  expect(await read(visitor, '/dt-employees')).toContain('You buy at the employee price')
  expect((await visitor.ask(at('/membership'), { form: { intent: 'join' } })).headers.get('location')).toBe(
    '/membership',
  )
  expect(await read(visitor, '/membership')).toContain('You have custom prices')

  await addToCart(visitor)
  const out = await visitor.ask(at('/sign-out'), { form: {} })
  expect(new URL(out.headers.get('location') ?? '').searchParams.get('post_logout_redirect_uri')).toBe(
    at('/dt-employees'),
  )
  expect(visitor.cookie('sw_session')).toBeUndefined()
  expect(visitor.cookie('sw_cart')).toBeUndefined()
})

test('an account without a type pays the retail price and can join; an account with agreed prices cannot', async () => {
  const noa = createVisitor()
  await signInAt(store.origin, noa, { email: 'noa@example.com' })
  const page = await read(noa, '/membership')
  expect(page).toContain('Join for $39')
  expect(page).not.toContain('You have custom prices')
  const joined = await noa.ask(at('/membership'), { form: { intent: 'join' } })
  expect(joined.headers.get('location')).toContain(store.sandboxOrigin)
  const will = createVisitor()
  await signInAt(store.origin, will, { email: 'will@example.com' })
  expect(await read(will, '/membership')).toContain('You have custom prices')
})

test('an unverified email gets no employee prices, whatever its domain', async () => {
  const visitor = createVisitor()
  await register(visitor, 'Xia')
  const refused = await visitor.ask(at('/dt-employees'), { form: {} })
  expect(refused.status).toBe(409)
  expect(await textOf(refused)).toContain('Your email is not verified yet')
})

test('a guest’s membership page is cacheable; joining means paying on the provider’s page once, and an unused year is refundable', async () => {
  const guest = await createVisitor().ask(at('/membership'))
  expect(guest.status).toBe(200)
  expect(guest.headers.get('cache-control')).toBe('public, s-maxage=600')
  expect((await createVisitor().ask(at('/membership/return'))).headers.get('location')).toBe(
    '/sign-in?back=%2Fmembership',
  )

  const visitor = createVisitor()
  expect(await register(visitor, 'Mae', '/membership')).toContain('Join for $39')
  const pressed = await visitor.ask(at('/membership'), { form: { intent: 'join' } })
  expect(pressed.status).toBe(303)
  expect((await visitor.ask(at('/membership/return'))).headers.get('location')).toBe('/membership?news=not-paid')
  const landed = await payOnHostedPage(visitor, new URL(pressed.headers.get('location') ?? ''))
  expect(landed.status).toBe(303)
  expect(landed.headers.get('location')).toBe('/membership?news=joined')
  expect((await visitor.ask(at('/membership/return'))).headers.get('location')).toBe('/membership?news=joined')
  expect(await read(visitor, '/membership')).toContain('You are a member')
  expect(
    await store.database.db
      .selectFrom('membership_term')
      .innerJoin('account', 'account.id', 'account_id')
      .select('state')
      .where('email', '=', 'mae@example.com')
      .execute(),
  ).toEqual([{ state: 'active' }])

  const giveBack = () => visitor.ask(at('/membership'), { form: { intent: 'refund' } })
  await expect.poll(async () => (await giveBack()).headers.get('location')).toBe('/membership?news=refunded')
  expect(await read(visitor, '/membership?news=refunded')).toContain('Join for $39')
  const refunded = () =>
    store.database.db
      .selectFrom('payment')
      .select('refunded_cents')
      .where('membership_term_id', 'is not', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
  await expect.poll(async () => (await refunded())?.refunded_cents).toBe(3_900)
})

test('text in the URL does not appear on the page', async () => {
  const visitor = createVisitor()
  await register(visitor, 'Ned')
  expect(await read(visitor, '/membership?news=constructor')).not.toContain('class="notice"')
})
