/**
 * Tests that staff with the required permission create, edit, pause, and close shops and vans in the office and the
 * portal.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officePaths } from '#content/office-paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { typedPriceList } from '#domain/installer-portal/portal/prices.testing.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, signInToPortal, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<'support' | 'sales' | 'finance' | 'manager', Visitor>
const owner = createVisitor()
const code = 'SW-00001'

beforeAll(async () => {
  store = await startStore()
  for (const role of ['support', 'sales', 'finance', 'manager'] as const) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
  await signInToPortal(store.origin, owner, 'shop-owner@example.com')
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
const guestPage = async () => {
  const answer = await fetch(at('/tire-shops/shop/halsted-tire-chicago/SW-00001'), { redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
}

const typed = ['name', 'phone', 'street', 'city', 'zip', 'email', 'website', 'amenities']
const numbers = ['rimMinIn', 'rimMaxIn', 'aspectMin', 'receivingMinutes']

/** The fields of the profile as the page shows them, as a browser would send them. */
function fieldsOf(html: string): Record<string, string> {
  const values = [...typed, ...numbers].map((name): [string, string] => {
    const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? ''
    return [name, /value="([^"]*)"/.exec(input)?.[1]?.replaceAll('&amp;', '&') ?? '']
  })
  return { ...(Object.fromEntries(values) as Record<string, string>), kind: 'shop', version: hidden(html, 'version') }
}

test('Sales edits a shop, Support reads it, and a guest sees the change within a second', async () => {
  const path = at(officePaths.officeShop(code))
  const support = await read(staff.support.ask(path))
  expect(support).toContain('Appointments ahead')
  expect(support).not.toContain('value="change"')
  expect(support).not.toContain('Pause or close')
  expect((await guestPage()).status).toBe(200)
  const shown = await read(staff.sales.ask(path))
  const form = { ...fieldsOf(shown), intent: 'change', about: 'Family-run since 1988.' }
  const wrong = await staff.sales.ask(path, { form: { ...form, zip: '1', name: '<b>', about: 'Kept' } })
  expect(wrong.status).toBe(422)
  const again = await read(wrong)
  expect(again).toContain('value="&lt;b&gt;"')
  expect(again).toContain('Kept')
  const kind = await staff.sales.ask(path, { form: { ...form, kind: 'van' } })
  expect(kind.status).toBe(422)
  expect(await read(kind)).toContain('A shop can’t become a mobile installer')
  const saved = await staff.sales.ask(path, { form })
  expect(saved.headers.get('location')).toBe(officePaths.officeShop(code, { done: 'saved' }))
  await expect.poll(async () => (await guestPage()).text, { timeout: 1_500 }).toContain('Family-run since 1988.')
  const late = await staff.sales.ask(path, { form: { ...form, about: 'Other words.' } })
  expect(late.status).toBe(409)
  const history = 'Changed a shop. Description none → Family-run since 1988.'
  expect(await read(staff.support.ask(path))).toContain(history)
  expect(await read(staff.manager.ask(at('/office/audit?what=shop.changed')))).toContain(
    'Description none → Family-run',
  )
})

const controls = ['value="change"', 'Edit hours and bays', 'Edit prices', 'Add van', 'Pause or close…']

test.for([
  {
    role: 'support',
    seen: ['Services and prices', 'What it can take', 'Vans', 'Owner and people', 'Agreement'],
    isReader: true,
  },
  { role: 'finance', seen: ['Shop is paid', 'Change the matrix', 'Pay due'], isReader: true },
  { role: 'sales', seen: ['People', 'History', ...controls], isReader: false },
  { role: 'manager', seen: ['Shop is paid', 'Pay due', 'Bank', ...controls], isReader: false },
] as const)('$role sees the sections of a shop that the role may read', async ({ role, seen, isReader }) => {
  const path = at(officePaths.officeShop(code))
  const shown = await read(staff[role].ask(path))
  for (const text of seen) expect(shown).toContain(text)
  if (role === 'support' || role === 'sales')
    for (const text of ['Shop is paid', 'Pay due', 'pay matrix']) expect(shown).not.toContain(text)
  if (isReader) for (const text of controls) expect(shown).not.toContain(text)
  const panel = await read(staff[role].ask(at(officePaths.officeShop(code, { to: 'suspended' }))))
  expect(panel.includes('Pause, suspend, or close')).toBe(role === 'manager')
})

test('a manager schedules a closing, moves and keeps appointments, and withdraws it', async () => {
  const busy = await store.database.db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['shop.code', 'shop.time_zone'])
    .where('booking.state', '=', 'confirmed')
    .where('shop.code', '<>', code)
    .orderBy('booking.during', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const shop = at(officePaths.officeShop(busy.code))
  const today = Temporal.Now.plainDateISO(busy.time_zone)
  expect(await read(staff.manager.ask(`${shop}?to=closing&lastDay=2020-01-01`))).toContain(
    'Choose today or a later day',
  )
  expect(await read(staff.sales.ask(`${shop}?to=closing`))).not.toContain('Schedule the closing')
  expect(await read(staff.manager.ask(`${shop}?to=closed`))).toMatch(/Close the shop and send \d+ offers?</)
  expect(await read(staff.manager.ask(`${shop}?to=closed`))).toMatch(
    /Nearest shop[\s\S]*data-column="price">(?:Same price|\$\d+\.\d\d (?:back|more, paid by the (?:store|customer)))</,
  )
  const path = `${shop}?to=closing&lastDay=${today.toString()}`
  const shown = await read(staff.manager.ask(path))
  const choices = [...shown.matchAll(/name="(choice-[^"]+)"/g)].map(([, name]) => name ?? '')
  expect(choices.length).toBeGreaterThan(0)
  const form = {
    intent: 'schedule',
    lastDay: today.toString(),
    reason: 'The lease ends',
    version: hidden(shown, 'version'),
    seen: hidden(shown, 'seen'),
  }
  const keptAll = Object.fromEntries(choices.map((name) => [name, 'keep']))
  const withoutReason = await staff.manager.ask(path, { form: { ...form, ...keptAll } })
  expect(withoutReason.status).toBe(422)
  expect(await read(withoutReason)).toContain('Enter why the appointments are kept.')
  const wrong = await staff.manager.ask(path, { form: { ...form, lastDay: '2020-01-01' } })
  expect(wrong.status).toBe(422)
  expect((await staff.sales.ask(path, { form })).status).toBe(403)
  const scheduled = await staff.manager.ask(path, { form })
  expect(scheduled.headers.get('location')).toBe(officePaths.officeShop(busy.code, { done: 'scheduled' }))

  expect(await read(staff.manager.ask(at(portalPaths.capacity(busy.code))))).toContain('This shop closes after')
  expect(await read(staff.manager.ask(at('/office/shops?state=closing')))).toContain(busy.code)
  const queue = () => read(staff.manager.ask(at('/office/queues/shop-closings')))
  expect(await queue()).toContain('to decide')
  const planned = await read(staff.manager.ask(shop))
  expect(planned).toContain('Closes after')
  expect(planned).toContain('/appointment"')
  expect(planned).toContain('Move to another shop')
  expect(await read(staff.sales.ask(shop))).not.toContain('Withdraw the closing')
  const decide = { intent: 'decide', ...keptAll, keepReason: 'Promised', seen: hidden(planned, 'seen') }
  expect((await staff.manager.ask(shop, { form: { ...decide, version: form.version } })).status).toBe(409)
  const kept = await staff.manager.ask(shop, { form: { ...decide, version: hidden(planned, 'version') } })
  expect(kept.headers.get('location')).toBe(officePaths.officeShop(busy.code, { done: 'decided' }))
  expect(await queue()).not.toContain(busy.code)
  const decided = await read(staff.manager.ask(shop))
  expect(decided).toContain('Kept: Promised')
  const withdraw = { intent: 'withdraw', version: hidden(decided, 'version') }
  const withdrawn = await staff.manager.ask(shop, { form: withdraw })
  expect(withdrawn.headers.get('location')).toBe(officePaths.officeShop(busy.code, { done: 'withdrawn' }))
  expect(await read(staff.manager.ask(shop))).not.toContain('Closes after')
})

test('a manager sees every affected appointment before closing a shop', async () => {
  const path = at(officePaths.officeShop(code, { to: 'closed' }))
  expect(await read(staff.sales.ask(path))).not.toContain('Close the shop')
  const shown = await read(staff.manager.ask(path))
  expect(shown).toContain('Close the shop')
  const inApi = async () => (await fetch(at(`/api/shops/${code}`))).status
  expect(await inApi()).toBe(200)
  const choices = [...shown.matchAll(/name="(choice-[^"]+)"/g)].map(([, name]) => name ?? '')
  const form = { intent: 'close', version: hidden(shown, 'version'), seen: hidden(shown, 'seen'), reason: '' }
  const filled = { ...form, ...Object.fromEntries(choices.map((name) => [name, 'offer'])) }
  expect((await staff.manager.ask(path, { form: filled })).status).toBe(422)
  expect((await staff.sales.ask(path, { form: { ...filled, reason: 'Sold' } })).status).toBe(403)
  expect((await guestPage()).status).toBe(200)
  const closed = await staff.manager.ask(path, { form: { ...filled, reason: 'The building is sold' } })
  expect(closed.headers.get('location')).toBe(officePaths.officeShop(code, { done: 'closed' }))

  await expect.poll(async () => (await guestPage()).status, { timeout: 1_500 }).toBe(302)
  expect((await guestPage()).location).toBe('/tire-shops/chicago-il')
  expect(await read(fetch(at('/tire-shops/chicago-il')))).not.toContain('Halsted Tire')
  expect(await inApi()).toBe(404)
  const list = await read(staff.manager.ask(at('/office/shops?state=closed')))
  expect(list).toContain('Halsted Tire')
  // The shop's staff still see past jobs and pay but can't make changes.
  expect(await read(owner.ask(at(portalPaths.pay(code))))).toContain('This shop is closed.')
  expect((await owner.ask(at(portalPaths.day(code)))).status).toBe(200)
  expect((await owner.ask(at(portalPaths.profile(code)))).status).toBe(403)
  expect((await owner.ask(at(portalPaths.people(code)))).status).toBe(403)

  const again = await read(staff.manager.ask(at(officePaths.officeShop(code))))
  const reopened = await staff.manager.ask(at(officePaths.officeShop(code)), {
    form: { intent: 'reopen', version: hidden(again, 'version') },
  })
  expect(reopened.headers.get('location')).toBe(officePaths.officeShop(code, { done: 'reopened' }))
  await expect.poll(async () => (await guestPage()).status, { timeout: 1_500 }).toBe(200)
})

test('Sales pauses a shop for some days, which its page and portal say', async () => {
  const [from, through] = [3, 9].map((days) => Temporal.Now.plainDateISO('America/Chicago').add({ days }).toString())
  const asked = { to: 'paused', ...(from && { from }), ...(through && { through }) }
  expect(
    await read(
      staff.sales.ask(at(officePaths.officeShop(code, { ...asked, from: '2020-01-01', through: '2020-01-02' }))),
    ),
  ).toContain('Those days have passed.')
  const path = at(officePaths.officeShop(code, asked))
  const shown = await read(staff.sales.ask(path))
  const choices = [...shown.matchAll(/name="(choice-[^"]+)"/g)].map(([, name]) => [name ?? '', 'keep'])
  const form = {
    intent: 'pause',
    reason: 'Lift repair',
    from: from ?? '',
    through: through ?? '',
    version: hidden(shown, 'version'),
    seen: hidden(shown, 'seen'),
    ...(Object.fromEntries(choices) as Record<string, string>),
  }
  const paused = await staff.sales.ask(path, { form })
  expect(paused.headers.get('location')).toBe(officePaths.officeShop(code, { done: 'paused' }))
  await expect.poll(async () => (await guestPage()).text, { timeout: 1_500 }).toContain('No new appointments from')
  expect(await read(owner.ask(at(portalPaths.capacity(code))))).toContain('New bookings are paused from')
  const again = await read(staff.sales.ask(at(officePaths.officeShop(code))))
  const form2 = { intent: 'reopen', version: hidden(again, 'version') }
  expect((await staff.sales.ask(at(officePaths.officeShop(code)), { form: form2 })).status).toBe(303)
})

test('Sales pauses a shop without a last day until the pause is ended', async () => {
  const from = Temporal.Now.plainDateISO('America/Chicago').add({ days: 3 }).toString()
  const panel = (days: Record<string, string>) =>
    read(staff.sales.ask(at(officePaths.officeShop(code, { to: 'paused', ...days }))))
  expect(await panel({ from, through: 'soon' })).toContain('Choose a last day, or leave it empty.')
  const shown = await panel({ from, through: '' })
  const form = {
    intent: 'pause',
    reason: 'Lift repair',
    from,
    through: '',
    version: hidden(shown, 'version'),
    seen: hidden(shown, 'seen'),
    rest: 'keep',
  }
  const choices = [...shown.matchAll(/name="(choice-[^"]+)"/g)].map(([, name]) => [name ?? '', 'keep'])
  const all = { ...form, ...(Object.fromEntries(choices) as Record<string, string>) }
  const paused = await staff.sales.ask(at(officePaths.officeShop(code)), { form: all })
  expect(paused.headers.get('location')).toBe(officePaths.officeShop(code, { done: 'paused' }))
  await expect.poll(async () => (await guestPage()).text, { timeout: 1_500 }).toContain('No new appointments starting')
  expect(await read(owner.ask(at(portalPaths.capacity(code))))).toContain('New bookings are paused starting')
  const again = await read(staff.sales.ask(at(officePaths.officeShop(code))))
  expect(again).toContain('No new bookings starting')
  const end = { intent: 'reopen', version: hidden(again, 'version') }
  expect((await staff.sales.ask(at(officePaths.officeShop(code)), { form: end })).status).toBe(303)
  await expect.poll(async () => (await guestPage()).text, { timeout: 1_500 }).not.toContain('No new appointments')
})

test('staff who may edit shops work in the portal in the name of a shop; others and strangers do not', async () => {
  const hours = at(portalPaths.capacity(code))
  expect(await read(staff.sales.ask(hours))).toContain('Back to the back office')
  expect((await staff.support.ask(hours)).status).toBe(303)
  expect((await createVisitor().ask(hours)).status).toBe(303)
  expect((await staff.sales.ask(at(portalPaths.pay(code)))).status).toBe(403)
  expect((await staff.sales.ask(at(portalPaths.people(code)))).status).toBe(403)
  expect((await staff.sales.ask(at(portalPaths.day(code)))).status).toBe(403)
  const on = Temporal.Now.plainDateISO('America/Chicago').add({ days: 90 }).toString()
  const closed = await staff.sales.ask(hours, { form: { intent: 'close', on, reason: 'Inventory' } })
  expect([200, 303, 409]).toContain(closed.status)
  expect(await read(owner.ask(hours))).toContain('Inventory')
  expect(await read(owner.ask(hours))).toContain('sales@example.com')

  const prices = at(portalPaths.prices(code))
  expect((await staff.sales.ask(prices, { form: typedPriceList({ from: on }) })).status).toBe(303)
  const history = /id="history"[^]*/.exec(await read(staff.sales.ask(at(officePaths.officeShop(code)))))?.[0] ?? ''
  expect(history).toMatch(/sales@example\.com[^]*Changed prices from/)
})

test('an owner’s new name requires staff approval', async () => {
  const path = at(portalPaths.profile(code))
  const shown = await read(owner.ask(path))
  const form = { ...fieldsOf(shown), name: 'Halsted Tire & Wheel' }
  const asked = await owner.ask(path, { form })
  expect(asked.headers.get('location')).toBe(portalPaths.profile(code, 'waiting'))
  expect(await read(owner.ask(path))).toContain('Waiting for approval: Halsted Tire &amp; Wheel')
  expect(await read(staff.sales.ask(at('/office/queues/shop-profiles')))).toContain('Halsted Tire &amp; Wheel')
  const office = at(officePaths.officeShop(code))
  const decided = await read(staff.sales.ask(office))
  expect(decided).toContain('Halsted Tire → Halsted Tire &amp; Wheel')
  const seen = /<section[^>]*id="request"[\s\S]*?name="seen" value="([^"]*)"/.exec(decided)?.[1] ?? ''
  expect((await staff.sales.ask(office, { form: { intent: 'decline', seen, reason: '' } })).status).toBe(422)
  expect((await staff.support.ask(office, { form: { intent: 'approve', seen } })).status).toBe(403)
  const approved = await staff.sales.ask(office, { form: { intent: 'approve', seen } })
  expect(approved.headers.get('location')).toBe(officePaths.officeShop(code, { done: 'approved' }))
  await expect
    .poll(async () => (await guestPage()).location, { timeout: 1_500 })
    .toBe('/tire-shops/shop/halsted-tire-and-wheel-chicago/SW-00001')
})

test('a shop that staff add is in the list, and faults are shown at their fields', async () => {
  const path = at('/office/shops/new')
  const form = {
    intent: 'add',
    name: 'Lathrop Tire',
    kind: 'van',
    street: '12 Depot St',
    city: 'Chicago',
    zip: '60614',
    phone: '(773) 555-0188',
    website: '',
    ownerName: 'Ida Lathrop',
    ownerEmail: 'ida@lathrop.example',
  }
  expect((await staff.support.ask(path)).status).toBe(403)
  const wrong = await staff.sales.ask(path, { form: { ...form, ownerEmail: 'ida', zip: '00000' } })
  expect(wrong.status).toBe(422)
  expect(await read(wrong)).toContain('Enter the owner’s email.')
  const added = await staff.sales.ask(path, { form })
  const location = added.headers.get('location') ?? ''
  expect(location).toMatch(/^\/office\/shops\/SW-\d{5}\?done=added$/)
  const shown = await read(staff.sales.ask(at(location)))
  expect(shown).toContain('Onboarding')
  expect(shown).toContain('ZIP codes')
  expect(await read(staff.sales.ask(at('/office/shops?state=set-up&kind=van')))).toContain('Lathrop Tire')
  expect((await staff.sales.ask(at('/office/shops/SW-99999'))).status).toBe(404)
})

test('the exported list goes round, and new and changed shops are imported', async () => {
  const send = (text: string, who: Visitor = staff.manager) => {
    const data = new FormData()
    data.append('intent', 'import')
    data.append('file', new Blob([text]), 'shops.csv')
    return who.ask(at('/office/shops/import'), { form: data })
  }
  const exported = async () => (await staff.manager.ask(at('/office/export/shops'))).text()
  const before = await exported()
  expect(before.split('\r\n').length).toBeGreaterThan(2)
  expect((await send(before)).headers.get('location')).toBe('/office/shops?done=imported-same')
  const head = 'Shop,Name,Shop or van,Street address,City name,ZIP code,Phone number,Owner’s name,Owner’s email'
  const row = ',Filed Tire,shop,12 Depot St,Chicago,60614,773 555 0188,Ida Filed,ida@filed.example'
  const added = await send(`${head}\n${row}\n`)
  expect(added.headers.get('location')).toBe('/office/shops?done=imported')
  expect(await read(staff.manager.ask(at('/office/shops?q=Filed&done=imported')))).toContain('Shops imported.')
  const after = await exported()
  const changed = after.replaceAll('7735550188', '7735550199')
  expect((await send(changed)).headers.get('location')).toBe('/office/shops?done=imported')
  expect(await exported()).toContain('7735550199')
  expect(await read(send(after))).toContain('This shop was changed after the export.')
  expect((await send(after, staff.support)).status).toBe(403)
})
