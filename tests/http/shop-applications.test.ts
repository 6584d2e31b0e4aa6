/** Tests a tire shop's application without JavaScript from the questions to the office's decision. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typedApplication } from '#domain/installer-portal/shop-applications/shop-applications.testing.ts'
import { permissions, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, registerAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
})
afterAll(() => store[Symbol.asyncDispose]())

const db = () => store.database.db
const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
/** The applications except the demo's. */
const applications = () =>
  db()
    .selectFrom('shop_application')
    .selectAll()
    .where('owner_email', '<>', 'shop-owner@example.com')
    .orderBy('id')
    .execute()
const forgetNetwork = () => db().updateTable('shop_application').set({ network_key: null }).execute()
const red = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()

function send(
  visitor: Visitor,
  fields: Record<string, string>,
  picture?: { name: string; bytes: Uint8Array<ArrayBuffer> },
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (picture) form.append('picture', new File([picture.bytes], picture.name))
  return visitor.ask(at('/installer-signup'), { form })
}

test('the page can be shared until something is typed, and has every field and the agreement', async () => {
  const answer = await createVisitor().ask(at('/installer-signup'))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('public, s-maxage=600')
  const html = await read(answer)
  for (const name of Object.keys(typedApplication)) expect(html).toContain(`name="${name}"`)
  for (const words of ['name="picture"', 'Rims 12 to 22 inch', 'Aspect ratio 35 and above', 'within 15 minutes'])
    expect(html).toContain(words)
  expect(await read(createVisitor().ask(at('/')))).toContain('href="/installer-signup"')
})

test('errors use the specification’s wording at their fields, with all input retained', async () => {
  const visitor = createVisitor()
  const answer = await send(visitor, {
    ...typedApplication,
    ownerEmail: 'renata@wctire',
    ownerPhone: '(773) 555-019',
    'closes-3': '300',
    agree: '',
  })
  const html = await read(answer)
  expect(answer.status).toBe(422)
  for (const words of [
    'Owner’s email: Please enter valid email',
    'Owner’s phone: Phone Number should contain 10 digits',
    'Agreement: Not accepted yet',
    'Wednesday: closing time has to be after opening time',
    'Fix 4 fields:',
    '2 to fix',
    'value="renata@wctire"',
    'value="Western &amp; Cullom Tire"',
  ])
    expect(html).toContain(words)
  expect(await applications()).toEqual([])
})

test('a draft and its picture are saved until sent, and an oversized picture is rejected', async () => {
  const visitor = createVisitor()
  const { ownerLastName: _, ...half } = typedApplication
  const picture = { name: 'front.jpg', bytes: new Uint8Array(await red()) }
  const saved = await send(visitor, { ...half, intent: 'save' }, picture)
  expect(saved.status).toBe(303)
  expect(saved.headers.get('location')).toBe('/installer-signup?news=saved#form')
  const back = await visitor.ask(at('/installer-signup?news=saved'))
  const html = await read(back)
  expect(back.headers.get('cache-control')).toBe('private, no-store')
  for (const words of ['value="Renata"', 'front.webp', 'Saved on this device']) expect(html).toContain(words)
  expect(await read(createVisitor().ask(at('/installer-signup')))).not.toContain('Renata')

  const large = { name: 'inside.jpg', bytes: new Uint8Array(1_100_000) }
  const refused = await send(visitor, typedApplication, large)
  const again = await read(refused)
  expect(refused.status).toBe(422)
  expect(again).toContain('File size is greater than 1MB')
  expect(again).toContain('front.webp stays.')
  const copied = await send(visitor, { ...half, 'opens-4': '', 'closes-4': '', intent: 'copy' })
  expect(copied.headers.get('location')).toBe('/installer-signup?news=copied#hours')
  expect(await read(visitor.ask(at('/installer-signup')))).toMatch(/Thursday opens.*?value="450" selected/s)
})

test('an application is confirmed by email and by its own page, once however often it is sent', async () => {
  const visitor = createVisitor()
  const first = await send(visitor, { ...typedApplication, website: '' })
  const own = first.headers.get('location') ?? ''
  expect(first.status).toBe(303)
  expect(own).toMatch(/^\/installer-signup\/\d+\./)
  expect((await send(visitor, typedApplication)).headers.get('location')).toBe(own)
  const [kept] = await applications()
  expect(await applications()).toHaveLength(1)
  const html = await read(visitor.ask(at(own)))
  for (const words of ['We have your application', `A-${kept?.id}`, '58.5 h a week on 6 days', 'Withdraw it'])
    expect(html).toContain(words)
  expect(html).toMatch(/<meta name="robots" content="noindex/)
  // Sent, it is no longer in the form.
  expect(await read(visitor.ask(at('/installer-signup')))).not.toContain('value="Renata"')
  const mail = await newestMail(store, 'renata@wctire.example', `A-${kept?.id}`)
  expect(new URL(linkIn(mail, 'installer-signup')).pathname).toBe(own)
  for (const wrong of ['/installer-signup/1.x', `/installer-signup/${kept?.id}`, `${own}x`])
    expect((await visitor.ask(at(wrong))).status).toBe(404)
  // A program that fills in every field is thanked and dropped.
  await send(createVisitor(), { ...typedApplication, street: '1 Bot Ave', website: 'https://bot.example' })
  expect(await applications()).toHaveLength(1)
  // The same address again with other words is refused, and one network sends few.
  const other = await send(createVisitor(), { ...typedApplication, company: 'Other Tire' })
  expect(other.status).toBe(409)
  expect(await read(other)).toContain(`A-${kept?.id}`)
})

test('the office asks, the shop replies by link, and approval creates a hidden shop', async () => {
  const [kept] = await applications()
  const path = `/office/shop-applications/A-${kept?.id}`
  const own = new URL(linkIn(await newestMail(store, 'renata@wctire.example'), 'installer-signup')).pathname
  for (const role of staffRoles) {
    const [may, decides] = (['shop-applications.read', 'shop-applications.decide'] as const).map((permission) =>
      (permissions[permission].roles as readonly BuiltInRole[]).includes(role),
    )
    expect((await staff[role].ask(at(path))).status, role).toBe(may ? 200 : 403)
    expect((await staff[role].ask(at(`${path}/picture`))).status, role).toBe(may ? 404 : 403)
    const act = await staff[role].ask(at(path), { form: { intent: 'ask', question: '' } })
    expect(act.status, role).toBe(decides ? 422 : 403)
  }
  expect(await read(staff.sales.ask(at('/office')))).toContain('Western &amp; Cullom Tire, Chicago, IL')
  expect(await read(staff.sales.ask(at('/office/shop-applications')))).toContain(`A-${kept?.id}`)
  const file = await read(staff.owner.ask(at('/office/export/shop-applications?state=submitted')))
  expect(file).toContain('Western & Cullom Tire')

  const asked = await staff.sales.ask(at(path), { form: { intent: 'ask', question: 'Which balancer do you use?' } })
  expect(asked.headers.get('location')).toBe(`${path}?done=asked`)
  expect((await newestMail(store, 'renata@wctire.example', 'A question')).text).toContain('Which balancer do you use?')
  const visitor = createVisitor()
  expect(await read(visitor.ask(at(own)))).toContain('Which balancer do you use?')
  const empty = await visitor.ask(at(own), { form: { intent: 'answer', answer: ' ' } })
  expect(empty.status).toBe(422)
  expect(await read(empty)).toContain('Please write your answer.')
  expect((await visitor.ask(at(own), { form: { intent: 'answer', answer: 'A Hunter Elite' } })).status).toBe(303)
  expect((await visitor.ask(at(own), { form: { intent: 'answer', answer: 'Again' } })).status).toBe(409)
  expect(await read(staff.sales.ask(at(path)))).toContain('A Hunter Elite')

  const approved = await staff.sales.ask(at(path), { form: { intent: 'approve' } })
  expect(approved.headers.get('location')).toBe(`${path}?done=approved`)
  expect((await staff.owner.ask(at(path), { form: { intent: 'approve' } })).status).toBe(409)
  expect(await read(staff.owner.ask(at(path)))).toContain('Renata Kowal, renata@wctire.example')
  const mail = await newestMail(store, 'renata@wctire.example', 'is approved')
  expect(mail.text).toContain('Shoppers do not see your shop')
  expect(linkIn(mail, '/portal')).toBe(at('/portal'))
  expect(await read(visitor.ask(at(own)))).toContain('Your shop is approved')
  const shop = await db()
    .selectFrom('shop')
    .selectAll()
    .where('name', '=', 'Western & Cullom Tire')
    .executeTakeFirstOrThrow()
  for (const page of ['/tire-shops?zip=60618', '/tire-shops/chicago-il', `/search?q=cullom`])
    expect(await read(createVisitor().ask(at(page)))).not.toContain(shop.code)
  expect((await createVisitor().ask(at(`/tire-shops/shop/${shop.slug}/${shop.code}`))).status).toBe(404)
  expect(await portalOf(shop.code)).toEqual(['/portal/sign-in?problem=unverified', `/portal/${shop.code}`])
  const acts = await db()
    .selectFrom('audit_entry')
    .select('act')
    .where('subject', '=', `A-${kept?.id}`)
    .orderBy('id')
    .execute()
  expect(acts.map(({ act }) => act)).toEqual(['shop-application.asked', 'shop-application.approved'])
})

/** Returns where the approved shop's owner is redirected in the portal, before and after verifying their email. */
async function portalOf(code: string): Promise<string[]> {
  const [owner, email] = [createVisitor(), 'renata@wctire.example']
  await registerAt(store.origin, owner, 'Renata', { email })
  const signIn = async () => {
    const { url } = await owner.follow(at('/portal/sign-in'), { form: { back: '/portal' } })
    return url.pathname + url.search
  }
  const before = await signIn()
  await owner.ask(linkIn(await newestMail(store, email, 'Verify your email'), 'verify-email'))
  const after = await signIn()
  expect(await read(owner.ask(at(`/portal/${code}`)))).toContain('Finish set-up')
  return [before, after]
}

test('a rejection includes the reason, and the applicant can withdraw before it', async () => {
  await forgetNetwork()
  const visitor = createVisitor()
  const [one, two] = await Promise.all(
    ['11 First Ave', '12 Second Ave'].map(
      async (street) => (await send(visitor, { ...typedApplication, street })).headers.get('location') ?? '',
    ),
  )
  expect((await visitor.ask(at(one ?? ''), { form: { intent: 'withdraw' } })).status).toBe(303)
  expect((await visitor.ask(at(one ?? ''), { form: { intent: 'withdraw' } })).status).toBe(409)
  expect(await read(visitor.ask(at(one ?? '')))).toContain('You withdrew your application')
  const number = /(\d+)\./.exec(two ?? '')?.[1]
  const path = `/office/shop-applications/A-${number}`
  const refused = await staff.manager.ask(at(path), { form: { intent: 'refuse', reason: 'No <b>lift</b>.' } })
  expect(refused.headers.get('location')).toBe(`${path}?done=refused`)
  expect(await read(visitor.ask(at(two ?? '')))).toContain('No &lt;b&gt;lift&lt;/b&gt;.')
  for (const wrong of ['x', 'A-0', 'A-99999999999999999999', '%00'])
    expect((await staff.owner.ask(at(`/office/shop-applications/${wrong}`))).status).toBeLessThan(500)
})
