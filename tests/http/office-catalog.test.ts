/** Tests the office's catalog over HTTP: staff edits, values that feeds preserve, and how soon shoppers see changes. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '#content/paths.ts'
import { systemClock } from '#platform/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
const [clerk, support] = [createVisitor(), createVisitor()]
let tire: { id: number; sku: string; lineId: number; brandId: number; path: string; size: string; sizeSlug: string }
beforeAll(async () => {
  store = await startStore()
  await store.revive('second')
  await signInToOffice(store.origin, clerk, { email: 'catalog@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  const row = await db()
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select(['item.id', 'item.sku', 'line.id as lineId', 'brand.id as brandId', 'brand.slug as brand', 'line.slug'])
    .select(['size.designation as size', 'size.slug as sizeSlug'])
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  tire = { ...row, path: `/brands/${row.brand}/${row.slug}` }
})
afterAll(() => store[Symbol.asyncDispose]())

const db = () => store.database.db
const at = (path: string) => new URL(path, store.origin).href
const read = async (path: string, visitor = clerk) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const asShopper = (path: string, origin = store.origin) => createVisitor().ask(new URL(path, origin).href)
const act = (path: string, form: Record<string, string> | FormData) => clerk.ask(at(path), { form })

async function picture(color: string): Promise<Uint8Array<ArrayBuffer>> {
  const made = sharp({ create: { width: 300, height: 200, channels: 3, background: color } })
  return new Uint8Array(await made.png().toBuffer())
}

function withFile(fields: Record<string, string>, bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new File([bytes], 'photo.png'))
  return form
}

test('tires are found by SKU, brand, size and status, and paged by SKU', async () => {
  const list = await read('/office/catalog')
  const skus = [...list.matchAll(/\/office\/catalog\/items\/\d+">(?:<span class="unbroken">)?([^<]+)</g)].map(
    ([, sku = '']) => sku,
  )
  expect(skus).toHaveLength(50)
  expect(skus).toEqual(skus.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)))
  const older = /href="([^"]*after=[^"]*)"[^>]*rel="next"/.exec(list)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const next = await read(older)
  expect(next).not.toContain(`>${skus.at(-1)}<`)
  expect(await read(`/office/catalog?sku=${tire.sku.toLowerCase()}`)).toContain(`>${tire.sku}<`)
  expect(await read(`/office/catalog?size=${encodeURIComponent(tire.size)}&sku=${tire.sku}`)).toContain(`>${tire.sku}<`)
  expect(await read(`/office/catalog?line=${tire.lineId}&status=on-sale`)).toContain('>Model number')
  expect(await read(`/office/catalog?sku=${tire.sku}&status=hidden`)).toContain('No tires match this view.')
  expect(await read(`/office/catalog.csv?sku=${tire.sku}`)).toContain(`${tire.sku},`)
  expect((await support.ask(at('/office/catalog'))).status).toBe(403)
})

test('a hidden tire leaves the store immediately in every process, and can be restored', async () => {
  const page = `${tire.path}/p/${tire.id}`
  const office = `/office/catalog/items/${tire.id}`
  expect((await asShopper(page)).status).toBe(200)
  expect((await asShopper(page, store.secondOrigin)).status).toBe(200)
  expect((await act(office, { intent: 'hide', reason: '' })).status).toBe(422)
  const hidden = await Promise.all(
    Array.from({ length: 20 }, () => act(office, { intent: 'hide', reason: 'Recalled.' })),
  )
  expect(new Set(hidden.map(({ status }) => status))).toEqual(new Set([303]))
  expect(await read(`${office}?done=hidden`)).toContain('Unlisted. Feeds don’t list it again')
  expect((await asShopper(page)).status).toBe(404)
  await eventually(
    'hidden in the other process',
    async () => (await asShopper(page, store.secondOrigin)).status === 404,
    10,
  )
  const log = await db()
    .selectFrom('audit_entry')
    .select(['actor', 'reason'])
    .where('act', '=', 'item.hidden')
    .where('subject', '=', tire.sku)
    .execute()
  expect(log).toEqual([{ actor: 'catalog@example.com', reason: 'Recalled.' }])
  await act(office, { intent: 'show', reason: 'Recall is over.' })
  expect((await asShopper(page)).status).toBe(200)
})

test('a tire’s picture in emails and orders remains after the tire is unlisted', async () => {
  const office = `/office/catalog/items/${tire.id}`
  const inEmail = paths.mailPicture(tire.id)
  const addresses = [inEmail, paths.picture(tire.id, 'none', 320, 'webp')]
  const load = () =>
    Promise.all(
      addresses.map(async (path) => {
        const answer = await asShopper(path)
        return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
      }),
    )
  const sold = await load()
  expect(sold.map(({ status }) => status)).toEqual([200, 200])
  expect((await sharp(sold[0]?.bytes).metadata()).format).toBe('png')
  expect((await asShopper(inEmail)).headers.get('content-type')).toBe('image/png')

  await act(office, { intent: 'hide', reason: 'No longer sold.' })
  await eventually('off sale', async () => (await asShopper(`${tire.path}/p/${tire.id}`)).status === 404)
  const later = await load()
  expect(later.map(({ status, bytes }, index) => [status, sold[index]?.bytes.equals(bytes)])).toEqual([
    [200, true],
    [200, true],
  ])
  await act(office, { intent: 'show', reason: 'Sold again.' })
  for (const name of ['999999999.png', 'x.png', `${tire.id}.gif`])
    expect((await asShopper(`/pictures/mail/${name}`)).status, name).toBe(404)
})

test('a description replaces the feed’s, and gives way to it when emptied', async () => {
  const office = `/office/catalog/lines/${tire.lineId}`
  const version = async () => /name="version" value="([^"]*)"/.exec(await read(office))?.[1] ?? ''
  const [first, about] = [await version(), 'Quiet on <wet> roads.']
  const was = await asShopper(tire.path).then((page) => page.text())
  expect(was).not.toContain('Quiet on')
  expect((await act(office, { intent: 'describe', about, version: first })).status).toBe(303)
  expect(await asShopper(tire.path).then((page) => page.text())).toContain('Quiet on &lt;wet&gt; roads.')
  const late = await act(office, { intent: 'describe', about: 'Loud.', version: first })
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('Loud.')
  expect((await act(office, { intent: 'describe', about: '', version: await version() })).status).toBe(303)
  expect(await asShopper(tire.path).then((page) => page.text())).not.toContain('Quiet on')
})

test('a model photo appears immediately, re-encoded, and can be removed', async () => {
  const office = `/office/catalog/lines/${tire.lineId}`
  const fields = { intent: 'picture', description: 'Tread with a siped rib' }
  for (let press = 0; press < 3; press++)
    expect((await act(office, withFile(fields, await picture('#335577')))).status).toBe(303)
  const shown = await asShopper(tire.path).then((page) => page.text())
  const addresses = [...shown.matchAll(/<img src="(\/pictures\/uploaded\/[0-9a-f]{32}\.webp)" alt="Tread with/g)]
  expect(addresses).toHaveLength(1)
  const file = await asShopper(addresses[0]?.[1] ?? '')
  expect(file.status).toBe(200)
  expect(file.headers.get('content-type')).toBe('image/webp')
  expect(file.headers.get('cache-control')).toContain('immutable')
  const no = /name="picture" value="(\d+)"/.exec(await read(office))?.[1] ?? ''
  expect((await act(office, { intent: 'no-picture', picture: no })).status).toBe(303)
  expect((await act(office, { intent: 'no-picture', picture: no })).status).toBe(303)
  expect(await asShopper(tire.path).then((page) => page.text())).not.toContain('/pictures/uploaded/')
  expect((await asShopper(addresses[0]?.[1] ?? '')).status).toBe(404)
})

test('the photo that staff put first is first on the page, in structured data and in the shopping feed', async () => {
  const office = `/office/catalog/lines/${tire.lineId}`
  for (const [description, color] of [
    ['Tread', '#112233'],
    ['Sidewall', '#445566'],
  ] as const)
    await act(office, withFile({ intent: 'picture', description }, await picture(color)))
  const shown = async () => {
    const page = await asShopper(tire.path).then((answer) => answer.text())
    return [...page.matchAll(/<img src="(\/pictures\/uploaded\/[0-9a-f]{32}\.webp)" alt="(\w+)"/g)].map(
      ([, src, alt]) => ({ src, alt }),
    )
  }
  expect((await shown()).map(({ alt }) => alt)).toEqual(['Tread', 'Sidewall'])
  const nos = photosIn(await read(office))
  for (let press = 0; press < 2; press++)
    expect((await act(office, { intent: 'move-picture', picture: nos[1] ?? '', place: '1' })).status).toBe(303)
  const [first, second] = await shown()
  expect(first?.alt).toBe('Sidewall')
  const page = await asShopper(tire.path).then((answer) => answer.text())
  expect(page).toContain(
    `"image":["${store.origin}${first?.src}","${store.origin}${second?.src}","${store.origin}/pictures/`,
  )
  expect((await act(office, { intent: 'move-picture', picture: '999999', place: '1' })).status).toBe(404)

  // Tire photos come before model photos, also in small pictures.
  const item = `/office/catalog/items/${tire.id}`
  const own = withFile({ intent: 'picture', description: 'Label' }, await picture('#778899'))
  expect((await act(item, own)).status).toBe(303)
  const product = await asShopper(`${tire.path}/p/${tire.id}`).then((answer) => answer.text())
  const alts = [...product.matchAll(/<img src="\/pictures\/uploaded\/[^"]*" alt="(\w+)"/g)].map(([, alt]) => alt)
  expect(alts).toEqual(['Label', 'Sidewall', 'Tread'])
  const [, key = ''] = /src="\/pictures\/uploaded\/([0-9a-f]{32})/.exec(product) ?? []
  expect(product).toContain(`"image":["${store.origin}/pictures/uploaded/${key}.webp"`)
  const feed = await asShopper('/feeds/products.xml').then((answer) => answer.text())
  for (const src of [`/pictures/uploaded/${key}.webp`, first?.src])
    expect(feed).toContain(`<g:image_link>${store.origin}${src}</g:image_link>`)
  const listed = await asShopper(paths.size(tire.sizeSlug)).then((answer) => answer.text())
  expect(listed).toContain(paths.picture(tire.id, key, 192, 'webp'))
  const small = await asShopper(paths.picture(tire.id, key, 192, 'webp'))
  expect(small.headers.get('cache-control')).toContain('immutable')
  const pixels = await sharp(Buffer.from(await small.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer()
  expect(Math.abs((pixels.at((96 * 192 + 96) * 3) ?? 0) - 0x77)).toBeLessThan(8)
  const { photos } = (await (await fetch(at(`/api/tires/${tire.id}`))).json()) as {
    photos: { url: string; description: string }[]
  }
  expect(photos.map(({ description }) => description)).toEqual(alts)
  expect(photos[0]?.url).toBe(`${store.origin}/pictures/uploaded/${key}.webp`)
  await act(item, { intent: 'no-picture', picture: photosIn(await read(item))[0] ?? '' })
  expect((await asShopper(paths.picture(tire.id, key, 192, 'webp'))).headers.get('cache-control')).not.toContain(
    'immutable',
  )
  for (const no of nos) await act(office, { intent: 'no-picture', picture: no })
})

/** The numbers of a model's photos, in the order of its office page. */
const photosIn = (page: string) => [
  ...new Set([...page.matchAll(/name="picture" value="(\d+)"/g)].map(([, no = '']) => no)),
]

/** Photos with these descriptions and different pixels. */
async function addPhotos(office: string, descriptions: readonly string[]): Promise<string[]> {
  for (const [index, description] of descriptions.entries())
    await act(office, withFile({ intent: 'picture', description }, await picture(`#00${index + 1}0ff`)))
  return photosIn(await read(office))
}

/** The image descriptions of a model's photos on its page in the store. */
async function altTexts(): Promise<string[]> {
  const page = await asShopper(tire.path).then((answer) => answer.text())
  return [...page.matchAll(/<img src="\/pictures\/uploaded\/[^"]*" alt="([^"]*)"/g)].map(([, alt = '']) => alt)
}

test('moving photos reorders them for shoppers', async () => {
  const office = `/office/catalog/lines/${tire.lineId}`
  const nos = await addPhotos(office, ['One', 'Two', 'Three'])
  const buttonsOf = (page: string) =>
    [...page.matchAll(/aria-label="((?:Show|Move)[^"]*)" value="(\d)" name="place"/g)].map(([, name, to]) => [name, to])
  expect(buttonsOf(await read(office))).toEqual([
    ['Move down: photo 1', '2'],
    ['Move up: photo 2', '1'],
    ['Move down: photo 2', '3'],
    ['Show first: photo 3', '1'],
    ['Move up: photo 3', '2'],
  ])
  const move = (index: number, place: string) =>
    act(office, { intent: 'move-picture', picture: nos[index] ?? '', place })
  expect((await move(2, '2')).status).toBe(303)
  expect(await altTexts()).toEqual(['One', 'Three', 'Two'])
  expect((await move(0, '2')).status).toBe(303)
  expect(await altTexts()).toEqual(['Three', 'One', 'Two'])
  for (const place of ['0', '7', 'x']) expect((await move(0, place)).status, place).toBe(422)
  expect((await support.ask(at(office), { form: { intent: 'move-picture', picture: '1', place: '1' } })).status).toBe(
    403,
  )
  expect(await read(office, support)).not.toContain('Move up')
  for (const no of nos) await act(office, { intent: 'no-picture', picture: no })
})

test('a changed image description is validated as at upload', async () => {
  const office = `/office/catalog/lines/${tire.lineId}`
  const [no = '', other = ''] = await addPhotos(office, ['One', 'Two'])
  const version = async () =>
    new RegExp(`name="picture" value="${no}"/><input type="hidden" name="version" value="([^"]*)"`).exec(
      await read(office),
    )?.[1] ?? ''
  const first = await version()
  const describe = async (description: string, shown = first) => {
    const answer = await act(office, { intent: 'describe-picture', picture: no, description, version: shown })
    return { status: answer.status, page: (await answer.text()).replaceAll('<!-- -->', '') }
  }
  for (const [description, message] of [
    ['', 'Say what the picture shows.'],
    ['\u0000\u202e', 'Say what the picture shows.'],
    ['é'.repeat(201), 'Please keep this under 200 characters.'],
  ] as const) {
    const { status, page } = await describe(description)
    expect(status, message).toBe(422)
    expect(page).toMatch(
      new RegExp(`aria-label="Image description: photo 1"[^>]*aria-invalid="true" aria-describedby="([^"]+)"`),
    )
    const [, id = ''] = /aria-describedby="([^"]+)"[^>]*autofocus/i.exec(page) ?? []
    expect(page).toContain(`<p class="field-error" role="alert" id="${id}">${message}</p>`)
    if (description.startsWith('é')) expect(page).toContain(`value="${description}"`)
    expect(page.match(/aria-invalid="true"/g)).toHaveLength(1)
  }
  expect(await altTexts()).toEqual(['One', 'Two'])

  expect((await describe('Tread <with>\u0007 a "rib"')).status).toBe(303)
  expect(await altTexts()).toEqual(['Tread &lt;with&gt; a &quot;rib&quot;', 'Two'])
  const late = await describe('Late')
  expect(late.status).toBe(409)
  expect(late.page).toContain('value="Late"')
  expect(late.page).toContain('Saved now: Tread &lt;with&gt; a &quot;rib&quot;')
  expect((await describe('é'.repeat(200), await version())).status).toBe(303)
  expect(await altTexts()).toEqual(['é'.repeat(200), 'Two'])
  for (const each of [no, other]) await act(office, { intent: 'no-picture', picture: each })
})

test.for([
  ['no file', null, { description: 'Tread' }, 'Choose a picture.'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), { description: 'Tread' }, 'SVG isn’t accepted'],
  ['no words', Buffer.from('x'), { description: ' ' }, 'Say what the picture shows.'],
] as const)('a photo with %s is refused by its field', async ([, bytes, fields, words]) => {
  const form = { intent: 'picture', ...fields }
  const answer = await act(`/office/catalog/lines/${tire.lineId}`, bytes ? withFile(form, new Uint8Array(bytes)) : form)
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain(words)
})

test('a brand shows its uploaded logo and description', async () => {
  const office = `/office/catalog/brands/${tire.brandId}`
  expect((await act(office, withFile({ intent: 'logo' }, await picture('#aa3311')))).status).toBe(303)
  expect(await asShopper('/brands').then((page) => page.text())).toMatch(
    /<img class="brand-logo" src="\/pictures\/uploaded/,
  )
  const version = /name="version" value="([^"]*)"/.exec(await read(office))?.[1] ?? ''
  expect((await act(office, { intent: 'describe', about: 'Made in a small town.', version })).status).toBe(303)
  const brandPath = tire.path.split('/').slice(0, 3).join('/')
  expect(await asShopper(brandPath).then((page) => page.text())).toContain('Made in a small town.')
  expect((await act(office, { intent: 'no-logo' })).status).toBe(303)
  expect(await asShopper('/brands').then((page) => page.text())).not.toContain('brand-logo')
  expect(await verify(db(), systemClock.now())).toEqual([])
})
