/** Tests the office's settings over HTTP: permissions, refusals, and where a change is visible. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOfficeLimits } from '#domain/kernel/settings/settings.server.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const [owner, manager] = [createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore()
  await store.revive('second')
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const standard = {
  name: 'Sidewall',
  phone: '(800) 555-0142',
  email: 'help@sidewall.example',
  returnAddress: '100 Sample Street, Chicago, IL 60601',
  accentColor: '',
  darkColor: '',
  refundAlone: '$750.00',
  dailyAlone: '$5,000.00',
  discountAlone: '30',
  quoteMarginFloor: '10',
  noShowPay: '15',
  payHoldHours: '46',
  payDisputeDays: '7',
  payAlone: '100',
}

async function page(visitor: Visitor = owner): Promise<string> {
  return (await visitor.ask(`${store.origin}/office/settings`)).text()
}

/** Sends the form as a browser does that has just loaded it. */
async function save(
  change: Record<string, string>,
  { logo, visitor = owner }: { logo?: { name: string; bytes: Uint8Array<ArrayBuffer> }; visitor?: Visitor } = {},
): Promise<Response> {
  const seen = /name="seen" value="(\d+)"/.exec(await page())?.[1] ?? ''
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...standard, seen, ...change })) form.set(name, value)
  if (logo) form.set('logo', new File([logo.bytes], logo.name))
  return visitor.ask(`${store.origin}/office/settings`, { form })
}

const home = async (origin = store.origin) => (await createVisitor().ask(`${origin}/`)).text()
const bytesOf = async (made: ReturnType<typeof sharp>) => new Uint8Array(await made.toBuffer())
const picture = () => sharp({ create: { width: 120, height: 40, channels: 3, background: '#14161a' } })

test('a changed phone appears on cached pages in every process within seconds, and in the history', async () => {
  expect(await home()).toContain('(800) 555-0142')
  expect(await home(store.secondOrigin)).toContain('(800) 555-0142')
  const saved = await save({ phone: '(312) 555-0199', name: 'Rolling <b>Stock</b>' })
  expect(saved.headers.get('location')).toBe('/office/settings?done=saved')
  expect(await home()).toContain('(312) 555-0199')
  expect(await home()).toContain('Rolling &lt;b&gt;Stock&lt;/b&gt;')
  await eventually(
    'phone in the other process',
    async () => (await home(store.secondOrigin)).includes('(312) 555-0199'),
    10,
  )
  const shown = (await page()).replaceAll('<!-- -->', '')
  expect(shown).toMatch(/owner@example\.com<\/td>.*Phone<\/td>/s)
  const log = await (await owner.ask(`${store.origin}/office/audit?what=settings.changed&subject=phone`)).text()
  expect(log).toContain('(312) 555-0199')
  expect((await save({})).headers.get('location')).toBe('/office/settings?done=saved')
})

test('phone hours with a holiday are shown in every process within seconds, refused by field, and in the history', async () => {
  const week = Object.fromEntries(
    [1, 2, 3].flatMap((day) => [
      [`opens-${day}`, '07:30'],
      [`closes-${day}`, '16:00'],
    ]),
  )
  const today = Temporal.Now.plainDateISO('America/Chicago')
  const typed = { intent: 'hours', zone: 'America/Chicago', holidays: `${today} closed Snow <b>day</b>`, ...week }
  const send = async (change: Record<string, string>) => {
    const seen = /name="seen" value="(\d+)"/.exec(await page())?.[1] ?? ''
    return owner.ask(`${store.origin}/office/settings`, { form: { ...typed, seen, ...change } })
  }
  const refused = await send({ 'closes-2': '07:00', holidays: 'Christmas' })
  const html = await refused.text()
  expect(refused.status).toBe(422)
  for (const part of ['id="opens-2-error"', 'id="holidays-error"', 'value="07:00"', '>Christmas</textarea>'])
    expect(html).toContain(part)
  expect((await send({})).headers.get('location')).toBe('/office/settings?done=saved')
  expect((await send({})).headers.get('location')).toBe('/office/settings?done=unchanged')
  const words = 'Mon–Wed 7:30am–4pm CT'
  const day = today.toLocaleString('en-US', { month: 'short', day: 'numeric' })
  for (const path of ['/', '/contact', '/faqs', '/llms.txt'])
    expect(await (await createVisitor().ask(store.origin + path)).text(), path).toContain(words)
  expect(await home()).toContain(`${words} · ${day} closed`)
  expect(await home()).not.toContain('Open now')
  await eventually('hours in the other process', async () => (await home(store.secondOrigin)).includes(words), 10)
  const shown = (await page()).replaceAll('<!-- -->', '')
  expect(shown).toMatch(/Snow &lt;b&gt;day&lt;\/b&gt;<\/td>[\s\S]*Mon–Wed 7:30am–4pm<\/td>/)
  const log = await (await owner.ask(`${store.origin}/office/audit?what=settings.changed&subject=phone+hours`)).text()
  expect(log).toContain('Mon–Wed 7:30am–4pm')
  const standardWeek = Object.fromEntries(
    [1, 2, 3, 4, 5].flatMap((weekday) => [
      [`opens-${weekday}`, '08:00'],
      [`closes-${weekday}`, '19:00'],
    ]),
  )
  const back = { zone: 'America/New_York', holidays: '', ...standardWeek, 'opens-6': '09:00', 'closes-6': '17:00' }
  expect((await send(back)).headers.get('location')).toBe('/office/settings?done=saved')
  expect(await home()).toContain('Mon–Fri 8am–7pm ET · Sat 9am–5pm ET')
})

test('the same form submitted twenty times changes the setting once', async () => {
  const seen = /name="seen" value="(\d+)"/.exec(await page())?.[1] ?? ''
  const form = { ...standard, seen, email: 'desk@example.com' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => owner.ask(`${store.origin}/office/settings`, { form })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
  const { rows } = await countChanges('email')
  expect(rows).toBe(1)
  await save({})
})

async function countChanges(name: string): Promise<{ rows: number }> {
  return store.database.db
    .selectFrom('store_setting')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
}

test('a form loaded before another change is rejected with the input retained', async () => {
  const seen = /name="seen" value="(\d+)"/.exec(await page())?.[1] ?? ''
  await save({ returnAddress: '1 Dock Road, Gary, IN 46402' })
  const late = await owner.ask(`${store.origin}/office/settings`, { form: { ...standard, seen, name: 'Late Tires' } })
  expect(late.status).toBe(409)
  const html = await late.text()
  expect(html).toContain('Another team member saved this setting after you opened it')
  expect(html).toContain('value="Late Tires"')
  await save({})
})

test('limits apply to the next refund and quote', async () => {
  expect(await readOfficeLimits(store.database.db)).toMatchObject({
    refundAloneCents: 75_000,
    quoteMarginFloorPpm: 100_000,
  })
  await save({ refundAlone: '1,200.50', quoteMarginFloor: '7.5 %' })
  expect(await readOfficeLimits(store.database.db)).toMatchObject({
    refundAloneCents: 120_050,
    quoteMarginFloorPpm: 75_000,
  })
  await save({})
})

test.for([
  ['accentColor', '#333333', 'to 1 against the dark text on it'],
  ['accentColor', '#7a4b00', 'to 1 against the dark text on it'],
  ['darkColor', '#888888', 'Text can be read from 4.5 to 1'],
  ['darkColor', '#ffffff', 'This color is 1.0 to 1 against the page'],
  ['darkColor', 'red', 'Write the color as #ffb400'],
  ['accentColor', '#fff;}body{display:none', 'Write the color as #ffb400'],
  ['name', '', 'Enter the name of the store.'],
  ['name', 'x'.repeat(61), 'Please keep this under 60 characters.'],
  ['phone', '555', 'Write the phone as (800) 555-0142.'],
  ['email', 'nobody', 'Please enter a valid email'],
  ['refundAlone', '-5', 'Write the amount as 750.00.'],
  ['refundAlone', '999999999', 'At most $100,000.00.'],
  ['quoteMarginFloor', '100', 'Enter a percentage like 10 or 7.5'],
  ['seen', 'x', 'Load the page again.'],
] as const)('%s of %s is refused in words', async ([field, value, words]) => {
  const answer = await save({ [field]: value })
  expect(answer.status).toBe(422)
  expect((await answer.text()).replaceAll('&#x27;', "'")).toContain(words)
})

test('readable colors reach every page through a separate style sheet', async () => {
  expect((await save({ accentColor: '#7FD1AE', darkColor: '#101c2c' })).status).toBe(303)
  expect(await home()).toContain('href="/brand/colors/7fd1ae-101c2c.css"')
  const sheet = await createVisitor().ask(`${store.origin}/brand/colors/7fd1ae-101c2c.css`)
  expect(sheet.status).toBe(200)
  expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(await sheet.text()).toContain('--ink:#101c2c')
  await save({})
  expect(await home()).not.toContain('/brand/colors/')
})

test.for(['png', 'jpeg', 'webp'] as const)('a logo in %s is re-encoded and shown in the header', async (format) => {
  const bytes = await bytesOf(
    picture()
      .withExif({ IFD0: { Copyright: 'secret' } })
      .toFormat(format),
  )
  expect((await save({}, { logo: { name: `logo.${format}`, bytes } })).status).toBe(303)
  const source = /<img src="(\/brand\/logo\/[0-9a-f]{32}\.webp)" alt="Sidewall"/.exec(await home())?.[1] ?? ''
  const logo = await createVisitor().ask(`${store.origin}${source}`)
  expect(logo.status).toBe(200)
  expect(logo.headers.get('content-type')).toBe('image/webp')
  const read = Buffer.from(await logo.arrayBuffer())
  expect((await sharp(read).metadata()).format).toBe('webp')
  expect(read.includes('secret')).toBe(false)
  await save({ removeLogo: 'yes' })
  expect(await home()).not.toContain('/brand/logo/')
})

test('only PNG, JPEG, and WebP files are accepted as a logo, whatever their name', async () => {
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const gif = await bytesOf(picture().gif())
  const cut = (await bytesOf(picture().png())).slice(0, 60)
  const pdf = new TextEncoder().encode('%PDF-1.4\n%%EOF')
  for (const [bytes, words] of [
    [svg, 'SVG isn’t accepted'],
    [gif, 'Choose a PNG, JPEG or WebP picture'],
    [pdf, 'Choose a PNG, JPEG or WebP picture'],
    [cut, 'An error has occured while reading the file.'],
    [new Uint8Array(1_100_000), 'File size is greater than 1MB'],
  ] as const) {
    const answer = await save({}, { logo: { name: 'logo.png', bytes } })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain(words)
  }
  expect((await createVisitor().ask(`${store.origin}/brand/logo/${'0'.repeat(32)}.webp`)).status).toBe(404)
})

test('a manager sees current settings but can’t change them', async () => {
  const html = await page(manager)
  expect(html).toContain('Only an owner can change them.')
  expect(html).not.toContain('name="refundAlone"')
  expect((await save({ name: 'Mine' }, { visitor: manager })).status).toBe(403)
  expect(await home()).not.toContain('Mine')
})

test.for(['?before=-1', '?before=99999999999999999999', '?done=x&before=x', "?before=1'--"])(
  'the history responds to any request: %s',
  async (query) => {
    expect((await owner.ask(`${store.origin}/office/settings${query}`)).status).toBe(200)
  },
)
