/** A company from its application to its orders, in browsers without script. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  decideCompany,
  decideExemption,
  listCompanies,
  listWaitingExemptions,
} from '#domain/customers/companies/companies.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { systemClock } from '#platform/clock.ts'
import { giveCompany, registerVerified } from '#tests/support/company.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const staff = () => ({ db: store.database.db, clock: systemClock })

/** Registers someone with a verified email. */
async function register(name: string, email = `${name.toLowerCase()}@example.com`): Promise<Visitor> {
  return (await registerVerified(store, name, email)).visitor
}

test('the page for businesses is public; all others require signing in', async () => {
  const guest = createVisitor()
  const page = await guest.ask(at('/business'))
  expect(page.status).toBe(200)
  expect(page.headers.get('cache-control')).toBe('public, s-maxage=600')
  for (const path of [
    '/business/apply',
    '/account/company',
    '/account/company/members',
    '/account/company/orders',
    '/account/company/exemptions',
  ]) {
    const answer = await guest.ask(at(path))
    expect(answer.status, path).toBe(303)
    expect(answer.headers.get('location'), path).toMatch(/^\/sign-in\?back=/)
  }
  expect((await guest.ask(at('/account/company/invitation?key=x'))).status).toBe(404)
})

test('a business applies and is active once approved', async () => {
  const ann = await register('Ann')
  expect(await read(ann, '/account/company')).toContain('You buy for yourself')
  expect((await ann.ask(at('/account/company/members'))).headers.get('location')).toBe('/account/company')
  const refused = await ann.ask(at('/business/apply'), {
    form: { name: 'A', phone: '1', vehicles: '0', about: 'kept words' },
  })
  const html = await refused.text()
  expect(refused.status).toBe(422)
  for (const message of [
    'Choose what describes you better.',
    'Enter the name of your company.',
    'Please enter a valid phone number',
    'Enter how many vehicles',
    'kept words',
  ])
    expect(html).toContain(message)
  const send = () =>
    ann.ask(at('/business/apply'), {
      form: { kind: 'fleet', name: 'Annex Vans', phone: '312 555 0142', vehicles: '12', about: '' },
    })
  for (const sent of await Promise.all([send(), send()])) {
    expect(sent.status).toBe(303)
    expect(sent.headers.get('location')).toBe('/account/company')
  }
  expect(await read(ann, '/account/company')).toContain('We have your application')
  const [waiting, ...others] = await listCompanies(staff(), 'applied')
  expect(others).toEqual([])
  await decideCompany(staff(), { id: waiting?.id ?? '', decision: 'approve', by: desk })
  const page = await ann.ask(at('/account/company'))
  expect(page.headers.get('cache-control')).toBe('private, no-store')
  expect(await page.text()).toContain('Annex Vans')
})

test('an invitation email leads its recipient into the company', async () => {
  const bea = await register('Bea')
  await giveCompany(store.database.db, 'bea@example.com', { name: 'Bea Boats' })
  const invite = (form: Record<string, string>) =>
    bea.ask(at('/account/company/members'), { form: { intent: 'invite', role: 'buyer', ...form } })
  const refused = await invite({ email: 'nobody' })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('Please enter a valid email')
  expect((await invite({ email: 'bea@example.com' })).status).toBe(409)
  expect((await invite({ email: 'cal@example.com' })).status).toBe(303)
  expect(await read(bea, '/account/company/members')).toContain('cal@example.com')
  const { pathname, search } = new URL(linkIn(await newestMail(store, 'cal@example.com'), 'invitation?key='))
  const link = pathname + search
  expect(await read(createVisitor(), link)).toContain('Create an account')
  const eve = await register('Eve')
  expect(await read(eve, link)).toContain('You are signed in as eve@example.com')
  expect((await eve.ask(at(link), { form: {} })).status).toBe(409)
  const cal = await register('Cal')
  expect(await read(cal, link)).toContain('Join Bea Boats')
  for (let press = 1; press <= 2; press += 1)
    expect((await cal.ask(at(link), { form: {} })).headers.get('location')).toBe('/account/company')
  expect((await cal.ask(at(link))).status).toBe(404)
  expect(await read(cal, '/account/company')).toContain('Bea Boats')
  // A member who isn't an owner can see the members but can't make changes.
  expect(await read(cal, '/account/company/members')).not.toContain('Invite someone')
  expect(
    (
      await cal.ask(at('/account/company/members'), {
        form: { intent: 'invite', email: 'x@example.com', role: 'owner' },
      })
    ).status,
  ).toBe(403)
  expect((await cal.ask(at('/account/company'), { form: { intent: 'po', rule: 'off', mask: '' } })).status).toBe(403)

  const members = await read(bea, '/account/company/members')
  const [mine, theirs] = [...members.matchAll(/name="member" value="([\da-f-]{36})"/g)].map(([, id = '']) => id)
  const change = (form: Record<string, string>) => bea.ask(at('/account/company/members'), { form })
  expect((await change({ intent: 'role', member: mine ?? '', role: 'viewer' })).status).toBe(409)
  expect((await bea.ask(at('/account/delete'), { form: { sure: '1' } })).status).toBe(409)
  expect((await change({ intent: 'role', member: theirs ?? '', role: 'viewer' })).status).toBe(303)
  expect((await change({ intent: 'remove', member: theirs ?? '' })).status).toBe(303)
  expect((await change({ intent: 'remove', member: "' or 1=1" })).status).toBe(404)
  expect(await read(cal, '/account/company')).toContain('You buy for yourself')
})

test('a certificate is uploaded by form, not accessible to browsers, and shown once staff accept it', async () => {
  const dee = await register('Dee')
  await giveCompany(store.database.db, 'dee@example.com', { name: 'Dee Diggers' })
  const send = (fields: Record<string, string>, file?: { name: string; bytes: Uint8Array<ArrayBuffer> }) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    if (file) form.set('certificate', new File([file.bytes], file.name))
    return dee.ask(at('/account/company/exemptions'), { form })
  }
  const fields = { state: 'IL', number: 'E-77', expiresOn: '06/30/2099' }
  const pdf = { name: 'cert.pdf', bytes: Buffer.from('%PDF-1.7\n…\n%%EOF\n') as Uint8Array<ArrayBuffer> }
  const empty = await send({ state: '', number: '', expiresOn: 'soon' })
  const html = await empty.text()
  expect(empty.status).toBe(422)
  for (const message of [
    'Please enter state',
    'Enter the number',
    'Please enter a valid date format MM/DD/YYYY',
    'Choose the picture or PDF',
  ])
    expect(html).toContain(message)
  expect(await (await send(fields, { name: 'a.pdf', bytes: Buffer.from('<script>') })).text()).toContain(
    'Send a picture',
  )
  expect(await (await send({ ...fields, expiresOn: '01/01/2020' }, pdf)).text()).toContain('This date has passed')
  expect((await send(fields, pdf)).status).toBe(303)
  expect((await send(fields, pdf)).status).toBe(409)
  expect(await read(dee, '/account/company/exemptions')).toContain('We are looking at it')
  const [waiting] = await listWaitingExemptions(staff())
  await decideExemption(staff(), { id: waiting?.id ?? '', isAccepted: true, by: desk })
  expect(await read(dee, '/account/company/exemptions')).toContain('Valid until')
})

test('a PO number rule is checked, saved and shown with an example', async () => {
  const fay = await register('Fay')
  await giveCompany(store.database.db, 'fay@example.com', { name: 'Fay Freight' })
  const refused = await fay.ask(at('/account/company'), { form: { intent: 'po', rule: 'required', mask: '(a+)+' } })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('Use letters, digits')
  expect(
    (await fay.ask(at('/account/company'), { form: { intent: 'po', rule: 'required', mask: 'PO-####' } })).status,
  ).toBe(303)
  expect(await read(fay, '/account/company')).toContain('Required, like PO-1234')
})

test('someone with a work email joins by it, and can leave', async () => {
  await register('Gil')
  const companyId = await giveCompany(store.database.db, 'gil@example.com', { name: 'Gil Gravel' })
  await store.database.db
    .insertInto('company_domain')
    .values({
      domain: 'gravel.example',
      company_id: companyId,
      role: 'buyer',
      approved_by: 'test',
      approved_at: systemClock.now(),
    })
    .execute()
  const hal = await register('Hal', 'hal@gravel.example')
  expect(await read(hal, '/account/company')).toContain('Join Gil Gravel')
  expect((await hal.ask(at('/account/company'), { form: { intent: 'join' } })).status).toBe(303)
  expect(await read(hal, '/account/company')).toContain('Buyer')
  expect((await hal.ask(at('/account/company'), { form: { intent: 'leave' } })).status).toBe(303)
  expect(await read(hal, '/account/company')).toContain('Join Gil Gravel')
})
