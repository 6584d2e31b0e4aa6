/** Tests the office's decisions on reviews, price matches, companies, invoices, certificates, and partners. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions, staffRoles, type Permission, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { systemClock } from '#platform/clock.ts'
import { storeDay } from '#platform/store-zone.ts'
import { registerVerified } from '#tests/support/company.ts'
import { verify } from '#tests/support/invariants.ts'
import { mailFor } from '#tests/support/mailbox.ts'
import { placeOnTerms } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
let sol: Visitor
let orderId: number
let companyId: string
beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
  sol = createVisitor()
  await signInAt(store.origin, sol, { email: 'sol@example.com' })
  orderId = await placeOnTerms(store, sol)
  const order = await db()
    .selectFrom('sales_order')
    .select('company_id')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  companyId = order.company_id ?? ''
})
afterAll(() => store[Symbol.asyncDispose]())

const db = () => store.database.db
const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const permits = (permission: Permission, role: BuiltInRole) =>
  (permissions[permission].roles as readonly BuiltInRole[]).includes(role)
const audited = async (act: string) =>
  await db()
    .selectFrom('audit_entry')
    .select(['actor', 'subject', 'reason'])
    .where('act', '=', act)
    .where('via', '=', 'office')
    .orderBy('id')
    .execute()

/** Resolves to an email that contains this text. */
function expectMail(to: string, words: string): Promise<void> {
  return expect
    .poll(async () => (await mailFor(store, to)).some(({ text }) => text.includes(words)), { timeout: 60_000 })
    .toBe(true)
}

/** Submits as every role. Roles without the permission get 403 without changes, and the first role with it succeeds. */
async function walkRoles(path: string, permission: Permission, form: Record<string, string>) {
  for (const role of staffRoles.filter((each) => !permits(permission, each))) {
    const answer = await staff[role].ask(at(path), { form })
    expect(answer.status, `${role} ${path} ${form['intent']}`).toBe(403)
  }
  expect((await createVisitor().ask(at(path), { form })).headers.get('location')).toMatch(/^\/office\/sign-in/)
  const allowed = staffRoles.find((each) => permits(permission, each)) ?? 'owner'
  return staff[allowed].ask(at(path), { form })
}

test('a review is published, and another is rejected under a rule emailed to its writer', async () => {
  const line = await db()
    .selectFrom('line_rating as rating')
    .innerJoin('product_line as line', 'line.id', 'rating.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['brand.slug as brand', 'line.slug'])
    .orderBy('review_count', 'desc')
    .executeTakeFirstOrThrow()
  const write = (email: string, summary: string) =>
    createVisitor().ask(at(`/brands/${line.brand}/${line.slug}/write-a-review`), {
      form: {
        wet: '2',
        summary,
        comments: 'See http://spam.example for more.',
        name: 'Ann R.',
        email,
        purchasedOn: '03/14/2024',
        vehicle: '2021 Toyota RAV4 XLE',
        milesDriven: '12,400',
        drivingStyle: 'Average',
        whereUsed: 'Mixed',
        buyAgain: 'yes',
      },
    })
  await write('one@example.net', 'Loud after a year')
  await write('two@example.net', 'Buy at my shop')
  const [first, second] = await db()
    .selectFrom('review')
    .select('id')
    .where('email', 'in', ['one@example.net', 'two@example.net'])
    .orderBy('id')
    .execute()
  const html = await read(staff.catalog, '/office/reviews')
  for (const words of ['Loud after a year', 'Buy at my shop', 'Has a link', 'Not one of our orders', '2.0 of 5'])
    expect(html).toContain(words)
  expect(await read(staff.manager, '/office')).toContain('Reviews to check')

  const published = await walkRoles('/office/reviews', 'reviews.decide', {
    intent: 'publish',
    review: String(first?.id),
  })
  expect(published.headers.get('location')).toBe('/office/reviews?done=published')
  const without = await staff.support.ask(at('/office/reviews'), {
    form: { intent: 'refuse', review: String(second?.id), reason: '' },
  })
  expect(without.status).toBe(422)
  expect(await without.text()).toContain('Choose the rule')
  const refused = await walkRoles('/office/reviews', 'reviews.decide', {
    intent: 'refuse',
    review: String(second?.id),
    reason: 'advertising',
  })
  expect(refused.headers.get('location')).toBe('/office/reviews?done=refused')
  await expectMail('two@example.net', 'advertises something')
  const again = await staff.owner.ask(at('/office/reviews'), { form: { intent: 'publish', review: String(first?.id) } })
  expect(again.status).toBe(409)
  expect(await again.text()).toContain('already decided this review')
  expect(await audited('review.refused')).toEqual([
    { actor: 'support@example.com', subject: `review ${second?.id}`, reason: 'advertising' },
  ])
  for (const review of ['0', '-1', 'x', '1e400', '99999999999999999999']) {
    const unknown = await staff.owner.ask(at('/office/reviews'), { form: { intent: 'publish', review } })
    expect([409, 422], review).toContain(unknown.status)
  }
})

test('a price guarantee is rejected with a message, and not approved while the customer can cancel the order', async () => {
  const { year, month, day } = storeDay(systemClock.now())
  const ask = (price: string) =>
    sol.ask(at('/price-guarantee'), {
      form: {
        orderNumber: `S-${orderId}`,
        competitor: 'Other Tires',
        link: 'https://othertires.com/alltide',
        price,
        shipping: '1',
        seenOn: `${month}/${day}/${year}`,
      },
    })
  await ask('20.00')
  await ask('21.00')
  const [one, two] = await db().selectFrom('price_guarantee_request').select('id').orderBy('id').execute()
  const path = `/office/guarantees/G-${one?.id}`
  expect(await read(staff.sales, '/office/guarantees')).toContain(`G-${one?.id}`)
  expect(await read(staff.support, path)).toContain('Other Tires')
  for (const role of staffRoles.filter((each) => !permits('guarantees.read', each)))
    expect((await staff[role].ask(at(path))).status, role).toBe(403)
  for (const amount of ['', 'lots', '-5', '0', '99999999999'])
    expect((await staff.support.ask(at(path), { form: { intent: 'approve', amount } })).status, amount).toBe(422)
  const early = await staff.support.ask(at(path), { form: { intent: 'approve', amount: '5' } })
  expect(early.status).toBe(409)
  expect(await early.text()).toContain('The customer can still cancel the order.')
  const refusedPath = `/office/guarantees/G-${two?.id}`
  const refused = await walkRoles(refusedPath, 'guarantees.decide', { intent: 'refuse', reason: 'It is a closeout.' })
  expect(refused.headers.get('location')).toBe(`${refusedPath}?done=refused`)
  await expectMail('sol@example.com', 'It is a closeout.')
  expect(await audited('guarantee.refused')).toMatchObject([{ subject: `G-${two?.id}`, reason: 'It is a closeout.' }])
  expect((await staff.owner.ask(at('/office/guarantees/G-999999'))).status).toBe(404)
  expect((await staff.owner.ask(at(`${path}/file`))).status).toBe(404)
})

test('a company’s invoice is paid in parts, each reference once, and never more than is left', async () => {
  const path = `/office/companies/${companyId}`
  const pay = (amount: string, reference: string, visitor = staff.finance) =>
    visitor.ask(at(path), { form: { intent: 'payment', order: String(orderId), amount, reference } })
  const first = await walkRoles(path, 'invoices.settle', {
    intent: 'payment',
    order: String(orderId),
    amount: '10.00',
    reference: 'ACH-1',
  })
  expect(first.headers.get('location')).toBe(`${path}?done=payment#invoices`)
  const same = await pay('10.00', 'ACH-1')
  expect(same.status).toBe(409)
  expect(await same.text()).toContain('already has a payment with this number')
  const presses = await Promise.all(Array.from({ length: 20 }, () => pay('5', 'CHECK-2')))
  expect(presses.filter(({ status }) => status === 303)).toHaveLength(1)
  const invoice = () => db().selectFrom('invoice').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow()
  expect(await invoice()).toMatchObject({ state: 'open', paid_cents: 1_500 })
  const left = ((await invoice()).amount_cents - 1_500) / 100
  const over = await pay((left + 0.01).toFixed(2), 'ACH-3')
  expect(over.status).toBe(422)
  expect(await over.text()).toContain('is outstanding')
  expect((await pay(left.toFixed(2), 'ACH-3')).status).toBe(303)
  expect(await invoice()).toMatchObject({ state: 'paid', reference: 'ACH-3' })
  expect((await pay('1', 'ACH-4')).status).toBe(409)
  const statement = await read(staff.finance, `${path}/statement`)
  for (const words of ['Payment ACH-1', 'Payment CHECK-2', 'Payment ACH-3', `Invoice S-${orderId}`])
    expect(statement).toContain(words)
  expect(statement).toMatch(/Owed at the end<\/dt><dd>\$0\.00/)
  expect(await verify(db(), systemClock.now())).toEqual([])
  const other = await db().selectFrom('company').select('id').where('id', '<>', companyId).limit(1).executeTakeFirst()
  if (other)
    expect(
      (
        await staff.owner.ask(at(`/office/companies/${other.id}`), {
          form: { intent: 'payment', order: String(orderId), amount: '1', reference: 'X' },
        })
      ).status,
    ).toBe(409)
})

test('terms, brands and domains of a company are set by role, and refused by the field', async () => {
  const path = `/office/companies/${companyId}`
  const terms = await walkRoles(path, 'companies.terms', { intent: 'terms', days: '15', limit: '2,500' })
  expect(terms.headers.get('location')).toBe(`${path}?done=terms`)
  expect(
    await db()
      .selectFrom('company')
      .select(['net_days', 'credit_limit_cents'])
      .where('id', '=', companyId)
      .executeTakeFirstOrThrow(),
  ).toEqual({ net_days: 15, credit_limit_cents: 250_000 })
  for (const [form, words] of [
    [{ intent: 'terms', days: '400', limit: '5' }, 'Enter 1 to 120 days.'],
    [{ intent: 'resolve', customer: 'not an id' }, 'Copy the customer ID from Resolve'],
    [{ intent: 'terms', days: '30', limit: 'plenty' }, 'Enter an amount in dollars'],
    [{ intent: 'brands', brands: 'no-such-brand' }, 'We don’t sell a brand called no-such-brand'],
    [{ intent: 'domain', domain: 'gmail.com', role: 'buyer' }, 'Anyone can get a mailbox there.'],
  ] as const) {
    const answer = await staff.owner.ask(at(path), { form })
    expect(answer.status, form.intent).toBe(422)
    expect(await answer.text(), form.intent).toContain(words)
  }
  expect(
    (await walkRoles(path, 'companies.decide', { intent: 'domain', domain: 'marsh.example', role: 'viewer' })).status,
  ).toBe(303)
  expect((await staff.owner.ask(at(path), { form: { intent: 'brands', brands: '' } })).status).toBe(303)
  expect(await audited('company.terms-set')).toHaveLength(1)
  for (const bad of ['x', "' or 1=1", '00000000-0000-4000-8000-000000000000'])
    expect((await staff.owner.ask(at(`/office/companies/${encodeURIComponent(bad)}`))).status).toBe(404)
})

test('a company applies and is approved; its certificate is read and accepted', async () => {
  const { visitor } = await registerVerified(store, 'Gus')
  await visitor.ask(at('/business/apply'), {
    form: { kind: 'fleet', name: 'Gus Vans', phone: '312 555 0142', vehicles: '4', about: '' },
  })
  const { id } = await db().selectFrom('company').select('id').where('name', '=', 'Gus Vans').executeTakeFirstOrThrow()
  expect(await read(staff.sales, '/office/companies')).toContain('Gus Vans')
  const path = `/office/companies/${id}`
  expect((await walkRoles(path, 'companies.decide', { intent: 'decide', decision: 'approve' })).status).toBe(303)
  expect((await staff.owner.ask(at(path), { form: { intent: 'decide', decision: 'refuse' } })).status).toBe(409)

  const form = new FormData()
  for (const [name, value] of Object.entries({ state: 'IL', number: 'E-77', expiresOn: '06/30/2099' }))
    form.set(name, value)
  form.set('certificate', new File([Buffer.from('%PDF-1.7\n…\n%%EOF\n')], 'cert.pdf'))
  await visitor.ask(at('/account/company/exemptions'), { form })
  const certificate = /certificates\/([\da-f-]{36})\/file/.exec(await read(staff.finance, path))?.[1] ?? ''
  const file = await staff.finance.ask(at(`/office/certificates/${certificate}/file`))
  expect(file.headers.get('content-type')).toBe('application/pdf')
  expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''cert.pdf")
  expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  expect(file.headers.get('content-security-policy')).toContain("script-src 'none'")
  for (const role of staffRoles.filter((each) => !permits('certificates.read', each)))
    expect((await staff[role].ask(at(`/office/certificates/${certificate}/file`))).status, role).toBe(403)
  expect(
    (await walkRoles(path, 'certificates.decide', { intent: 'certificate', certificate, answer: 'accept' })).status,
  ).toBe(303)
  expect(await read(visitor, '/account/company/exemptions')).toContain('Valid until')
})

test('a partner is approved, and an employer added and removed', async () => {
  await createVisitor().ask(at('/partner-program'), {
    form: {
      intent: 'apply',
      business: 'Lakeview Riders',
      name: 'Pat',
      email: 'pat@riders.example',
      phone: '312 555 0142',
      people: '40',
      message: 'Hello',
    },
  })
  const { id } = await db()
    .selectFrom('partner_application')
    .select('id')
    .where('business', '=', 'Lakeview Riders')
    .executeTakeFirstOrThrow()
  expect(await read(staff.sales, '/office/partners')).toContain('Lakeview Riders')
  expect(
    (
      await walkRoles('/office/partners', 'partners.decide', { intent: 'approve', application: String(id) })
    ).headers.get('location'),
  ).toBe('/office/partners?done=approve')
  expect(
    (await staff.owner.ask(at('/office/partners'), { form: { intent: 'refuse', application: String(id) } })).status,
  ).toBe(409)
  const add = (domain: string) =>
    staff.owner.ask(at('/office/partners'), { form: { intent: 'add', domain, employer: 'Works' } })
  expect((await add('gmail.com')).status).toBe(422)
  expect((await add('works.example')).status).toBe(303)
  expect((await add('works.example')).status).toBe(422)
  expect(
    (await walkRoles('/office/partners', 'partners.decide', { intent: 'remove', domain: 'works.example' })).status,
  ).toBe(303)
  expect(await read(staff.owner, '/office/partners')).not.toContain('works.example')
})
