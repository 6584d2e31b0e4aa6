/**
 * The out-the-door price of a tire is the one that the cart charges this visitor: on cards, the product page, the
 * comparison, the top picks, the page of a time and the API, for a friend of a customer, a verified service member, a
 * company with a tax certificate and every account type. What one visitor gets never reaches another from a cache.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoAccounts } from '#db/seed/accounts.ts'
import { decideExemption, listWaitingExemptions } from '#domain/customers/companies/companies.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { idMePeople } from '#sandbox/id-me/people.ts'
import { systemClock } from '#platform/clock.ts'
import { callApi } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, registerAt, signInAt, type Visitor } from '#tests/support/visitor.ts'

type Tire = { id: number; slug: string; brand: string; path: string }
type Offer = { key: string; totalCents: number | null }

let store: RunningStore
/** One of the five recommended tires, and another to compare it with. */
let tire: Tire
let other: number
/** The address of a time for the tire at the shop nearest to the ZIP. */
let bookTime: string
/** What a guest pays, before any other visitor came. */
let publicCents: number
const zip = '60614'
const answers = 'weather=rain&roads=city&priority=grip&miles=usual'

beforeAll(async () => {
  store = await startStore()
  const { db } = store.database
  // Referrals and the military discount don't apply to tires with an item promotion.
  await db.deleteFrom('promotion').execute()
  // A vehicle in a garage that the tires do not fit would hide their price.
  await db.deleteFrom('account_vehicle').execute()
  const guest = await visitorNear()
  const picks = await text(guest, `/recommendations?size=225-65r17&${answers}`)
  const ids = [...picks.matchAll(/id="tire-(\d+)"/g)].map(([, id]) => Number(id))
  other = ids[1] ?? 0
  const { slug, brand, line } = await db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select(['size.slug', 'brand.slug as brand', 'product_line.slug as line'])
    .where('item.id', '=', ids[0] ?? 0)
    .executeTakeFirstOrThrow()
  tire = { id: ids[0] ?? 0, slug, brand, path: `/brands/${brand}/${line}/p/${ids[0]}` }
  const { body } = await callApi(store, guest, 'GET', `/tires/${tire.id}/installed?zip=${zip}&shops=1`)
  const [{ shop, openings }] = body as [{ shop: { code: string }; openings: { start: string }[] }]
  bookTime = `/book-time?item=${tire.id}&shop=${shop.code}&slot=${encodeURIComponent(openings[0]?.start ?? '')}`
  publicCents = await priceEverywhere(guest)
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`

async function text(visitor: Visitor, path: string): Promise<string> {
  const answer = await visitor.ask(at(path))
  expect(answer.status, path).toBe(200)
  return (await answer.text()).replaceAll('<!-- -->', '')
}

async function visitorNear(): Promise<Visitor> {
  const visitor = createVisitor()
  await visitor.ask(at('/zip'), { form: { zip, back: '/' } })
  return visitor
}

/** Returns the first amount captured by `pattern` in a page, in cents, or NaN. */
function centsIn(html: string, pattern: RegExp): number {
  return Math.round(Number(pattern.exec(html)?.[1]?.replaceAll(',', '')) * 100)
}

function cardTotal(html: string): number {
  const card = html.slice(html.indexOf(`id="tire-${tire.id}"`)).split('</article>')[0] ?? ''
  return centsIn(card.replaceAll(/<[^>]*>/g, ' '), /\$([\d,]+\.\d\d)\s+out the door for 4/)
}

/** The total of four of the tire on every page and answer that shows one to this visitor. */
async function shownTotals(visitor: Visitor): Promise<Record<string, number | null | undefined>> {
  const { id, slug, brand, path } = tire
  const api = async <Body>(address: string) => {
    const { status, body } = await callApi(store, visitor, 'GET', address)
    expect(status, address).toBe(200)
    return body as Body
  }
  const ofTire = (offers: readonly Offer[]) => offers.find(({ key }) => key === String(id))?.totalCents
  const compared = await api<{ offer: Offer }[]>(`/comparison?tire=${id}&tire=${other}&zip=${zip}`)
  const comparison = await text(visitor, `/compare?items=${id},${other}`)
  return {
    listing: cardTotal(await text(visitor, `/tire-sizes/${slug}/brands/${brand}?size=96`)),
    recommendations: cardTotal(await text(visitor, `/recommendations?size=225-65r17&${answers}`)),
    product: centsIn(await text(visitor, path), /<b>\$([\d,]+\.\d\d)<\/b> out the door/),
    compare: centsIn(comparison, /Out the door near \d+[\s\S]*?\$([\d,]+\.\d\d)/),
    bookTime: centsIn(await text(visitor, bookTime), /<tr class="total">.*?<td>\$([\d,]+\.\d\d)<\/td>/),
    listTires: ofTire(
      (await api<{ offers: Offer[] }>(`/tires?size=${slug}&brand=${brand}&zip=${zip}&limit=96`)).offers,
    ),
    compareTires: ofTire(compared.map(({ offer }) => offer)),
    priceInstalled: (await api<{ totalCents: number }[]>(`/tires/${id}/installed?zip=${zip}&shops=1`))[0]?.totalCents,
  }
}

/** What the cart charges for four of the tire, installed nearby; the cart is empty again afterward. */
async function chargedTotal(visitor: Visitor): Promise<number> {
  await visitor.ask(at('/cart'), { form: { item: String(tire.id), quantity: '4', axle: 'all' } })
  const cents = centsIn(await text(visitor, '/cart'), /<tr class="total">.*?<td>\$([\d,]+\.\d\d)<\/td>/)
  await visitor.ask(at('/cart'), { form: { intent: 'remove', item: String(tire.id), axle: 'all' } })
  return cents
}

/** The one total that every page, answer and the cart agree on, with an empty cart before and after. */
async function priceEverywhere(visitor: Visitor): Promise<number> {
  const before = await shownTotals(visitor)
  const charged = await chargedTotal(visitor)
  expect(before).toEqual(Object.fromEntries(Object.keys(before).map((place) => [place, charged])))
  expect(await shownTotals(visitor)).toEqual(before)
  return charged
}

async function friendsLink(name: string): Promise<string> {
  const owner = createVisitor()
  const { response } = await registerAt(store.origin, owner, name, { back: '/invite' })
  return /value="http[^"]+(\/invite\/[a-z2-9]{10})"/.exec(await response.text())?.[1] ?? ''
}

/** A guest sees the ordinary price again, in pages and answers that were cached before, and in shared ones. */
async function expectPublicPrice(): Promise<void> {
  expect(await priceEverywhere(await visitorNear())).toBe(publicCents)
  const answer = await fetch(at(`/api/tires/${tire.id}/installed?zip=${zip}&shops=1`))
  expect(answer.headers.get('cache-control')).toBe('public, max-age=30')
  expect(await answer.json()).toMatchObject([{ totalCents: publicCents }])
}

test('a friend of a customer sees the referral price outside the cart, and the next guest the ordinary one', async () => {
  const friend = await visitorNear()
  await friend.ask(at(await friendsLink('Ann')))
  expect(await priceEverywhere(friend)).toBeLessThan(publicCents)
  expect(await text(friend, tire.path)).toContain('Referral discount')
  const { headers } = await callApi(store, friend, 'GET', `/tires/${tire.id}/installed?zip=${zip}`)
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect((await friend.ask(at(tire.path))).headers.get('cache-control')).toBe('private, no-store')
  await expectPublicPrice()
})

test('a referral applies wherever the cart applies it, but not for returning customers', async () => {
  const link = await friendsLink('Bea')
  // The link is in the cart, and no longer in this browser.
  const other = await visitorNear()
  await other.ask(at(link))
  await chargedTotal(other)
  other.setCookie('localhost', 'sw_referral', '')
  expect(await priceEverywhere(other)).toBeLessThan(publicCents)
  // Olive has ordered before.
  const olive = await visitorNear()
  await olive.ask(at(link))
  await signInAt(store.origin, olive, { email: 'olive@example.com' })
  await olive.ask(at('/zip'), { form: { zip, back: '/' } })
  expect(await priceEverywhere(olive)).toBe(publicCents)
})

test('a verified service member sees the military price outside the cart, and the next guest the ordinary one', async () => {
  const visitor = await visitorNear()
  await signInAt(store.origin, visitor, { email: 'noa@example.com' })
  const begun = await visitor.follow(at('/military/verify'), { form: { from: 'cart' } })
  const person = idMePeople.find(({ name }) => name === 'Ray Coleman')?.id ?? ''
  await visitor.follow(begun.url, { form: { person } })
  expect(await priceEverywhere(visitor)).toBeLessThan(publicCents)
  await expectPublicPrice()
})

test('a company with a tax certificate sees prices without sales tax outside the cart', async () => {
  const felix = await visitorNear()
  await signInAt(store.origin, felix, { email: 'felix@example.com' })
  const taxed = await priceEverywhere(felix)
  const form = new FormData()
  for (const [name, value] of [
    ['state', 'IL'],
    ['number', 'E-77'],
    ['expiresOn', '06/30/2099'],
  ] as const)
    form.set(name, value)
  form.set('certificate', new File([Buffer.from('%PDF-1.7\n…\n%%EOF\n')], 'certificate.pdf'))
  expect((await felix.ask(at('/account/company/exemptions'), { form })).status).toBe(303)
  const deps = { db: store.database.db, clock: systemClock }
  const [waiting] = await listWaitingExemptions(deps)
  await decideExemption(deps, { id: waiting?.id ?? '', isAccepted: true, by: desk })
  expect(await priceEverywhere(felix)).toBeLessThan(taxed)
  await expectPublicPrice()
})

test.for(demoAccounts.filter(({ type }) => type !== null && type !== 'none').map(({ email }) => email))(
  '%s sees the price of the cart everywhere',
  async (email) => {
    const visitor = await visitorNear()
    await signInAt(store.origin, visitor, { email })
    await visitor.ask(at('/zip'), { form: { zip, back: '/' } })
    await priceEverywhere(visitor)
    await expectPublicPrice()
  },
)
