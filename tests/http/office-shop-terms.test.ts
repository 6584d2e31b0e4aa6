/** Tests that staff change a shop's prices, hours, closed days, and service area in the office. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officePaths } from '#content/office-paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { formFields } from '#tests/support/form-fields.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, signInToPortal, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<'support' | 'sales' | 'manager', Visitor>
const owner = createVisitor()
const code = 'SW-00001'

beforeAll(async () => {
  store = await startStore()
  for (const role of ['support', 'sales', 'manager'] as const) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
  await signInToPortal(store.origin, owner, 'shop-owner@example.com')
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')

/** The fields of a form with selects as a browser sends them, with the button that saves. */
function formOf(html: string, id: string): Record<string, string> {
  const form = html.split(`<form id="${id}"`)[1]?.split('</form>')[0] ?? ''
  const selects = [...form.matchAll(/<select[^>]*name="([^"]+)"[^>]*>([\s\S]*?)<\/select>/g)].map(
    ([, name = '', options = '']): [string, string] => [
      name,
      /<option value="([^"]*)" selected/.exec(options)?.[1] ?? '',
    ],
  )
  const inputs = formFields(`<form${form}<button value="change"></button></form>`, 'change')
  return { ...inputs, ...(Object.fromEntries(selects) as Record<string, string>), intent: 'change' }
}

test('staff schedule a shop’s prices in the office, which the portal shows and can remove', async () => {
  const path = at(officePaths.officeShopPrices(code))
  expect((await staff.support.ask(path)).status).toBe(403)
  expect(await read(staff.sales.ask(at(officePaths.officeShop(code))))).toContain(officePaths.officeShopPrices(code))
  const from = Temporal.Now.plainDateISO('America/Chicago').add({ days: 120 }).toString()
  const form = {
    ...formOf(await read(staff.sales.ask(path)), 'shop-prices'),
    from,
    kit: '7.25',
    'service-flat-repair': '31.75',
    'service-flat-repair-minutes': '35',
  }
  const wrong = await staff.sales.ask(path, { form: { ...form, kit: 'x', 'standard-17': '' } })
  expect(wrong.status).toBe(422)
  const again = await read(wrong)
  for (const part of ['Enter an amount such as 22.00.', 'value="x"', 'Enter a price.']) expect(again).toContain(part)
  expect((await staff.sales.ask(path, { form: { ...form, from: '2026-01-01' } })).status).toBe(409)
  const saved = await staff.sales.ask(path, { form })
  expect(saved.headers.get('location')).toBe(officePaths.officeShopPrices(code, 'saved'))
  const shown = await read(staff.sales.ask(path))
  expect(shown).toContain('→ $7.25')
  expect(shown).toContain('→ $31.75, 35 min')
  expect(await read(owner.ask(at(portalPaths.prices(code))))).toContain('Sensor service kit $7.25')
  // A form that was opened before doesn't replace it.
  const late = await staff.manager.ask(path, { form: { ...form, kit: '9.00' } })
  expect(late.status).toBe(409)
  const conflict = await read(late)
  expect(conflict).toContain('Saved now: 7.25')
  const second = formOf(conflict, 'shop-prices')
  expect(second['kit']).toBe('9.00')
  expect((await staff.manager.ask(path, { form: second })).status).toBe(303)
  const history = /id="history"[^]*/.exec(await read(staff.sales.ask(at(officePaths.officeShop(code)))))?.[0] ?? ''
  expect(history).toMatch(/manager@example\.com[^]*Changed prices from/)
  const removed = await staff.sales.ask(path, { form: { intent: 'withdraw', day: from } })
  expect(removed.headers.get('location')).toBe(officePaths.officeShopPrices(code, 'withdrawn'))
  expect((await staff.sales.ask(path, { form: { intent: 'withdraw', day: from } })).status).toBe(409)
})

test('staff schedule a shop’s hours in the office, and first see the appointments that don’t fit', async () => {
  const { code: busy } = await store.database.db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select('shop.code')
    .where('booking.state', '=', 'confirmed')
    .orderBy('booking.during', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const path = at(officePaths.officeShopHours(busy))
  expect((await staff.support.ask(path)).status).toBe(403)
  const today = Temporal.Now.plainDateISO('America/Chicago')
  const from = today.add({ days: 1 }).toString()
  const fields = formOf(await read(staff.sales.ask(path)), 'shop-hours')
  expect(fields['opens-1']).toMatch(/^\d+$/)
  const closed = Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7].flatMap((day) => [
      [`opens-${day}`, ''],
      [`closes-${day}`, ''],
    ]),
  )
  const none = await staff.sales.ask(path, { form: { ...fields, ...closed, from } })
  expect(none.status).toBe(422)
  expect(await read(none)).toContain('Enter your hours for at least one day.')
  const early = { ...fields, ...closed, 'opens-7': '300', 'closes-7': '330', from }
  const outside = await staff.sales.ask(path, { form: early })
  expect(outside.status).toBe(422)
  const preview = await read(outside)
  for (const part of ['The change isn’t saved yet.', 'Appointments that would not fit', 'Schedule it anyway'])
    expect(preview).toContain(part)
  expect(preview).toMatch(/href="\/office\/orders\/\d+"[^>]*>S-\d+/)
  const confirmed = formOf(preview, 'shop-hours')
  expect(confirmed).toMatchObject({ 'opens-7': '300', 'opens-1': '', from })
  expect((await staff.sales.ask(path, { form: confirmed })).headers.get('location')).toBe(
    officePaths.officeShopHours(busy, 'saved'),
  )
  expect(await read(staff.sales.ask(at(portalPaths.capacity(busy))))).toContain('Sun ')
  const late = await staff.manager.ask(path, { form: { ...fields, from } })
  expect(late.status).toBe(409)
  expect(await read(late)).toContain('Saved now: Closed')
  const shown = await read(staff.sales.ask(path))
  expect(shown).toContain('Appointments that don’t fit')
  const withdrawn = await staff.sales.ask(path, { form: { intent: 'withdraw', day: from } })
  expect(withdrawn.headers.get('location')).toBe(officePaths.officeShopHours(busy, 'withdrawn'))

  const on = today.add({ days: 200 }).toString()
  const day = await staff.sales.ask(path, { form: { intent: 'close', on, reason: 'Spring cleaning' } })
  expect(day.headers.get('location')).toBe(officePaths.officeShopHours(busy, 'closed'))
  expect(await read(staff.sales.ask(path))).toContain('Spring cleaning')
  expect((await staff.sales.ask(path, { form: { intent: 'close', on, reason: '' } })).status).toBe(422)
  const opened = await staff.sales.ask(path, { form: { intent: 'open', day: on } })
  expect(opened.headers.get('location')).toBe(officePaths.officeShopHours(busy, 'opened'))
  expect(await read(staff.sales.ask(path))).not.toContain('Spring cleaning')
  expect((await staff.sales.ask(at(officePaths.officeShopHours('SW-99999')))).status).toBe(404)
})

test('staff change a mobile installer’s service area, which the portal shows', async () => {
  const van = await store.database.db
    .selectFrom('shop')
    .select(['id', 'code'])
    .where('kind', '=', 'van')
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const path = at(officePaths.officeShopArea(van.code))
  expect((await staff.support.ask(path)).status).toBe(403)
  expect((await staff.sales.ask(at(officePaths.officeShopArea('SW-99999')))).status).toBe(404)
  expect(await read(staff.sales.ask(at(officePaths.officeShopArea(code))))).toContain('Only mobile installers')
  const shop = await staff.sales.ask(at(officePaths.officeShopArea(code)), {
    form: { intent: 'change', zips: '60614', seen: 'x' },
  })
  expect(shop.status).toBe(409)
  const links = await read(staff.sales.ask(at(officePaths.officeShop(van.code))))
  expect(links).toContain(`href="${officePaths.officeShopArea(van.code)}"`)
  expect(links).not.toContain(portalPaths.area(van.code))
  const page = await read(staff.sales.ask(path))
  const fields = formFields(page, 'change')
  const saved = /<textarea[^>]*name="zips"[^>]*>([^<]*)</.exec(page)?.[1]?.trim() ?? ''
  const [first = '', ...rest] = saved.split(' ')
  const form = { ...fields, intent: 'change', zips: rest.join(', ') }
  for (const [zips, words] of [
    ['', 'Enter at least one ZIP code.'],
    [`${first} 00000`, 'These ZIP codes do not exist: 00000.'],
    ['x'.repeat(5_000), 'These are not ZIP codes of five digits'],
  ] as const) {
    const wrong = await staff.sales.ask(path, { form: { ...form, zips } })
    expect(wrong.status, zips.slice(0, 20)).toBe(422)
    const again = await read(wrong)
    for (const part of [words, `>${zips}</textarea>`]) expect(again, zips.slice(0, 20)).toContain(part)
  }
  expect((await staff.support.ask(path, { form })).status).toBe(403)
  const changed = await staff.sales.ask(path, { form })
  expect(changed.headers.get('location')).toBe(officePaths.officeShopArea(van.code, 'saved'))
  expect(await read(staff.sales.ask(at(portalPaths.area(van.code))))).toContain(`>${rest.join(' ')}</textarea>`)
  // A form that was opened before doesn't replace it.
  const late = await staff.manager.ask(path, { form: { ...form, zips: saved } })
  expect(late.status).toBe(409)
  const conflict = await read(late)
  expect(conflict).toContain(`Saved now: ${rest.join(' ')}`)
  const second = { ...formFields(conflict, 'change'), intent: 'change', zips: saved }
  expect((await staff.manager.ask(path, { form: second })).status).toBe(303)
  const history = /id="history"[^]*/.exec(await read(staff.sales.ask(at(officePaths.officeShop(van.code)))))?.[0] ?? ''
  expect(history).toMatch(/manager@example\.com[^]*Changed the service area: 1 ZIP more, 0 less/)
})
