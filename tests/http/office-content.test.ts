/** Tests content pages over HTTP: written, previewed by staff only, published, seen by shoppers, and rolled back. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffCan, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
beforeAll(async () => {
  store = await startStore()
  await store.revive('second')
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const htmlOf = async (path: string, who: Visitor = createVisitor(), origin = store.origin) =>
  (await (await who.ask(`${origin}${path}`)).text()).replaceAll('<!-- -->', '')
const text = {
  title: 'Meet the store',
  description: 'A store that shows its work, and what is new this winter.',
  body: 'Come **in**. Tires come back within {{returnDays}} days.\n\n## Where\n\n<script>alert(1)</script>Nearby.',
}

async function write(change: Record<string, string> = {}, page = 'about', who = staff.catalog): Promise<Response> {
  return who.ask(at(`/office/content/${page}`), {
    form: { intent: 'draft', formKey: randomUUID(), ...text, ...change },
  })
}

/** A new draft's page. */
async function drafted(change: Record<string, string> = {}): Promise<string> {
  const made = await write(change)
  expect(made.status).toBe(303)
  return (made.headers.get('location') ?? '').split('?')[0] ?? ''
}
const press = (path: string, intent: string, form: Record<string, string> = {}) =>
  staff.catalog.ask(at(path), { form: { intent, formKey: randomUUID(), ...form } })

test('only staff see a draft version until it is published for all processes', async () => {
  const path = await drafted()
  for (const page of ['/office/content', '/office/content/about', path, `${path}/preview`])
    for (const role of staffRoles)
      expect((await staff[role].ask(at(page))).status, `${page} ${role}`).toBe(
        staffCan([role], 'content.edit') ? 200 : 403,
      )
  const guest = await createVisitor().ask(at(`${path}/preview`))
  expect(guest.status).toBe(303)
  expect(guest.headers.get('location')).toBe(`/office/sign-in?back=${encodeURIComponent(`${path}/preview`)}`)
  const preview = await staff.owner.ask(at(`${path}/preview`))
  expect(preview.headers.get('cache-control')).not.toContain('public')
  const shown = (await preview.text()).replaceAll('<!-- -->', '')
  expect(shown).toMatch(/<meta name="robots" content="noindex/)

  const before = await htmlOf('/about')
  expect(before).toContain('About this store')
  expect(before).not.toContain('Meet the store')
  expect((await press(path, 'publish')).headers.get('location')).toBe(`${path}?done=published`)
  const now = await createVisitor().ask(at('/about'))
  const html = (await now.text()).replaceAll('<!-- -->', '')
  expect(html).toContain('Tires come back within 30 days.')
  expect(html).toContain('<strong>in</strong>')
  expect(html).not.toContain('alert(1)')
  // The preview and the public page have the same article.
  const article = (page: string) => /<article>[\s\S]*<\/article>/.exec(page)?.[0]
  expect(article(shown)).toBe(article(html))
  const kept = await fetch(at('/about'), {
    headers: { 'if-none-match': (await fetch(at('/about'))).headers.get('etag') ?? '' },
  })
  expect(kept.status).toBe(304)
  expect(await htmlOf('/sitemap')).toContain('Meet the store')
  expect(await htmlOf('/help-center?q=meet+the+store')).toContain('Meet the store')
  await eventually(
    'text in the other process',
    async () => (await htmlOf('/about', createVisitor(), store.secondOrigin)).includes('Meet the store'),
    10,
  )

  const rolled = await staff.catalog.ask(at('/office/content/about'), {
    form: { intent: 'roll-back', formKey: randomUUID() },
  })
  expect(rolled.headers.get('location')).toBe('/office/content/about?done=rolled-back')
  expect(await htmlOf('/about')).toContain('About this store')
  expect((await press(path, 'roll-back')).status).toBe(303)
  expect(await htmlOf('/about')).toContain('Meet the store')
  expect(await htmlOf('/office/audit?what=content.rolled-back', staff.owner)).toContain('as released')
})

test('a scheduled version is published at its time, and is withdrawn before', async () => {
  const path = await drafted({ title: 'Meet us soon' })
  const soon = Temporal.Now.zonedDateTimeISO('America/New_York').add({ hours: 2 })
  const startsAt = soon.toPlainDateTime().toString({ smallestUnit: 'minute' })
  expect((await press(path, 'schedule', { startsAt: '2020-01-01T10:00' })).status).toBe(422)
  expect((await press(path, 'schedule', { startsAt })).headers.get('location')).toBe(`${path}?done=scheduled`)
  expect(await htmlOf('/about')).not.toContain('Meet us soon')
  expect(await htmlOf('/office/content', staff.manager)).toContain(
    soon.toPlainDate().toLocaleString('en-US', { month: 'short' }),
  )
  expect((await press(path, 'publish')).status).toBe(409)
  expect((await press(path, 'withdraw')).headers.get('location')).toBe(`${path}?done=withdrawn`)
  expect((await press(path, 'discard')).headers.get('location')).toBe('/office/content/about')
  expect((await staff.owner.ask(at(path))).status).toBe(404)
})

test('rejected text is retained with the reason at its field', async () => {
  const typed = 'You have 60 days, says <b>no one</b>.'
  const refused = await write({ body: typed }, 'returns-and-refunds')
  expect(refused.status).toBe(422)
  const html = (await refused.text()).replaceAll('<!-- -->', '')
  expect(html).toContain('A policy must keep what the store acts on, word for word.')
  expect(html).toContain('You have 60 days, says &lt;b&gt;no one&lt;/b&gt;.')
  const unknown = await write({ body: 'Within {{daze}} days.' })
  expect(await unknown.text()).toContain('a value that does not exist')
  const long = await write({ body: 'x'.repeat(20_001) })
  expect(long.status).toBe(422)
  expect(await long.text()).toContain('Please keep this under 20,000 characters.')
  // As sent by a browser, without truncating a long text.
  const path = await drafted({ body: `${'A line of text.\r\n'.repeat(1_000)}The end.` })
  expect(await htmlOf(`${path}/preview`, staff.catalog)).toContain('The end.')
  for (const page of ['no-such-page', 'constructor', '..%2Fmail%2Forder-shipped', 'terms-of-sale'])
    expect((await staff.owner.ask(at(`/office/content/${page}`))).status, page).toBe(404)
  for (const version of ['0', '1e9', '999999999', "1'"])
    expect((await staff.owner.ask(at(`/office/content/sales/${version}`))).status, version).toBe(404)
})

test('a page of the store is added at a free address, published, and taken down', async () => {
  const form = {
    intent: 'draft',
    formKey: randomUUID(),
    ...text,
    body: 'We store your other set.\n\n## Price\n\nAsk us.',
  }
  const add = (slug: string) => staff.catalog.ask(at('/office/content/new'), { form: { ...form, slug } })
  for (const slug of ['', 'Winter Storage', 'a/b', 'x'.repeat(81)]) {
    const refused = await add(slug)
    expect(refused.status, slug).toBe(422)
    expect(await refused.text()).toContain('We store your other set.')
  }
  for (const slug of ['cart', 'free-shipping', 'office'])
    expect(await (await add(slug)).text(), slug).toContain('The store uses this address already.')
  const made = await add('tire-storage')
  const path = (made.headers.get('location') ?? '').split('?')[0] ?? ''
  expect(path).toMatch(/^\/office\/content\/tire-storage\/\d+$/)
  expect((await createVisitor().ask(at('/tire-storage'))).status).toBe(404)
  expect(await htmlOf('/office/content', staff.catalog)).toContain('/office/content/tire-storage')
  expect(await htmlOf(`${path}/preview`, staff.catalog)).toContain('We store your other set.')

  expect((await press(path, 'publish')).headers.get('location')).toBe(`${path}?done=published`)
  for (const origin of [store.origin, store.secondOrigin])
    await eventually('new page', async () =>
      (await htmlOf('/tire-storage', createVisitor(), origin)).includes('Ask us.'),
    )
  expect(await htmlOf('/sitemap')).toContain('href="/tire-storage"')
  expect((await press('/office/content/about', 'take-down', { startsAt: '' })).status).toBe(409)
  const past = await press('/office/content/tire-storage', 'take-down', { startsAt: '2020-01-01T08:00' })
  expect(await past.text()).toContain('Choose a time in the future.')
  const down = await press('/office/content/tire-storage', 'take-down', { startsAt: '' })
  expect(down.headers.get('location')).toBe('/office/content/tire-storage?done=taken-down')
  await eventually('page taken down', async () => (await createVisitor().ask(at('/tire-storage'))).status === 404)
  expect(await htmlOf('/office/content/tire-storage', staff.catalog)).toContain('Taken down')
})

test('the home page banner and the store’s own questions are published and taken down', async () => {
  const form = await htmlOf('/office/content/home-banner', staff.catalog)
  expect(form).toContain('Heading')
  // Otherwise its name in the office would become the heading.
  expect(form).not.toContain('value="Home page banner"')
  expect(form).toMatch(/<input type="hidden" name="description"/)
  const banner = await write(
    { title: 'Winter sale', body: 'Until Sunday. [See the deals](/tire-deals)' },
    'home-banner',
  )
  const bannerPath = (banner.headers.get('location') ?? '').split('?')[0] ?? ''
  await press(bannerPath, 'publish')
  await eventually('banner', async () => (await htmlOf('/')).includes('Winter sale'))
  expect(await htmlOf('/')).toContain('<a href="/tire-deals">See the deals</a>')
  await press('/office/content/home-banner', 'take-down', { startsAt: '' })
  await eventually('no banner', async () => !(await htmlOf('/')).includes('Winter sale'))

  const body = 'Before the questions.\n\n## Do you store tires?\n\nYes, for a season.\n\n## Empty?'
  const written = await write({ title: 'Our services', body }, 'own-questions')
  await press((written.headers.get('location') ?? '').split('?')[0] ?? '', 'publish')
  await eventually('own question', async () => (await htmlOf('/faqs')).includes('Do you store tires?'))
  const faqs = await htmlOf('/faqs')
  expect(faqs).toContain('Yes, for a season.')
  expect(faqs).not.toContain('Empty?')
  expect(faqs).toMatch(/"@type":"Question","name":"Do you store tires\?"/)
  expect(await htmlOf('/help-center?q=store+tires+season')).toContain('Do you store tires?')

  // A released question gets the store's answer, and another is removed.
  const [match, military] = ['Do you match prices?', 'Is there a military discount?']
  for (const question of [match, military]) expect(faqs).toContain(`<h3>${question}</h3>`)
  const changed = await write(
    { title: 'Our services', body: `## ${match}\n\nNo, ours are low.\n\n## ${military}` },
    'own-questions',
  )
  await press((changed.headers.get('location') ?? '').split('?')[0] ?? '', 'publish')
  await eventually('changed answer', async () => (await htmlOf('/faqs')).includes('No, ours are low.'))
  const after = await htmlOf('/faqs')
  expect(after.split(match)).toHaveLength(faqs.split(match).length)
  expect(after).not.toContain('comparing both out the door')
  expect(after).not.toContain(military)
  expect(after).not.toContain('Our services')
  expect(await htmlOf('/help-center')).not.toContain(military)
})
