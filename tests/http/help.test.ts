/** Policies, pages, questions, help and the two contact forms, over HTTP. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import { fixedPages } from '#app/content/fixed-pages.ts'
import { listReleasedPages } from '#app/content/pages.server.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { expectWrittenPages } from '#tests/support/written-pages.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'

let store: RunningStore
const files = await createTemporaryFolder()
beforeAll(async () => {
  store = await startStore({ env: { FILES_FOLDER: files.path } })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await files[Symbol.asyncDispose]()
})

const ask = (path: string) => fetch(`${store.origin}${path}`, { redirect: 'manual' })
const read = async (path: string) => (await ask(path)).text()
const post = (
  path: string,
  fields: Record<string, string>,
  file?: { name: string; bytes: Uint8Array; type: string },
) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('attachment', new File([new Uint8Array(file.bytes)], file.name, { type: file.type }))
  return fetch(`${store.origin}${path}`, {
    method: 'POST',
    body: form,
    headers: { origin: store.origin },
    redirect: 'manual',
  })
}
const requests = () => store.database.db.selectFrom('support_request').selectAll().orderBy('id').execute()

/** Each test is a different person, so that rate limits do not interfere. */
let person = 0
const message = (fields: Record<string, string> = {}) => ({
  firstName: 'Dana',
  lastName: 'Ruiz',
  email: `dana${(person += 1)}@example.com`,
  phone: '312-555-0142',
  orderNumber: '',
  subject: 'Does it fit?',
  message: 'Do these fit?',
  ...fields,
})
const forgetNetwork = () =>
  store.database.db.updateTable('support_request').set({ network_key: null }).where('state', '=', 'open').execute()

test('all content pages, the questions and the site map exist and are cacheable, with one heading, a canonical URL and no framework', async () => {
  const addresses = [
    ...(await listReleasedPages('own')).map(({ address }) => address),
    '/faqs',
    '/help-center',
    '/sitemap',
    '/contact',
    '/tire-sales',
  ]
  expect(addresses).toEqual(expect.arrayContaining(Object.keys(fixedPages).map((slug) => `/${slug}`)))
  await expectWrittenPages(store.origin, addresses)
})

test('every link on these pages works, including anchors', async () => {
  const from = new Map<string, string>()
  for (const path of [
    ...(await listReleasedPages('own')).map(({ address }) => address),
    '/faqs',
    '/help-center',
    '/contact',
    '/tire-sales',
    '/sitemap',
  ])
    for (const [, link = ''] of (await read(path)).matchAll(/ href="(\/[^"]*)"/g))
      if (!link.startsWith('/assets/')) from.set(link.replaceAll('&amp;', '&'), path)
  const broken: string[] = []
  for (const [link, path] of from) {
    const answer = await ask(link)
    const anchor = link.split('#')[1]
    const html = await answer.text()
    // Military verification requires an account, so guests are redirected to sign in.
    if (link === '/military/verify' && answer.status === 303) continue
    if (answer.status !== 200 || (anchor !== undefined && !html.includes(` id="${anchor}"`)))
      broken.push(`${path} → ${link} (${answer.status})`)
  }
  expect(broken).toEqual([])
})

test('an unknown one-segment URL returns 404 without shadowing other routes', async () => {
  for (const path of ['/no-such-page', '/terms-of-sale', '/constructor', '/content', '/pages%2Fabout'])
    expect((await ask(path)).status, path).toBe(404)
  for (const path of ['/brands', '/cart', '/licenses', '/learn', '/press'])
    expect((await ask(path)).status, path).toBe(200)
})

test.for([
  ['/About', '/about'],
  ['/about/', '/about'],
  ['/Tires-For-Rideshare-Drivers?x=1', '/tires-for-rideshare-drivers?x=1'],
  ['/FAQs', '/faqs'],
  ['/Contact', '/contact'],
] as const)('%s redirects once, to %s', async ([written, path]) => {
  const answer = await ask(written)
  expect(answer.status).toBe(301)
  expect(answer.headers.get('location')).toBe(path)
})

test('search engines get the questions, word for word', async () => {
  const html = await read('/faqs')
  const things = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
    ([, text]) => JSON.parse(text ?? '') as Record<string, unknown>,
  )
  const faq = things.find((thing) => thing['@type'] === 'FAQPage')?.['mainEntity'] as {
    name: string
    acceptedAnswer: { text: string }
  }[]
  expect(faq.length).toBeGreaterThanOrEqual(20)
  for (const { name } of faq) expect(html).toContain(name.replaceAll('"', '&quot;').replaceAll("'", '&#x27;'))
})

test('help search works without script; results are not indexed, and empty ones lead to contact', async () => {
  const html = await read('/help-center?q=return+tires')
  expect(html).toContain('href="/returns-and-refunds')
  expect(html).toMatch(/<mark>[Rr]eturn<\/mark>/)
  expect(html).toContain('noindex')
  expect(html).not.toContain('rel="canonical"')
  const nothing = await read('/help-center?q=%3Ci%3Eqqqzzz')
  expect(nothing).toContain('No answers found')
  expect(nothing).toContain('href="/contact"')
  expect(nothing).not.toContain('<i>qqq')
})

test('a message with a photo is stored, and the thank-you page reveals no data', async () => {
  const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#222' } })
    .jpeg()
    .toBuffer()
  const answer = await post('/contact', message({ orderNumber: 's-104001' }), {
    name: 'tire.jpg',
    bytes: photo,
    type: 'image/jpeg',
  })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/contact/thanks')
  const kept = (await requests()).at(-1)
  expect(kept).toMatchObject({ kind: 'contact', name: 'Dana Ruiz', order_number: 'S-104001', phone: '3125550142' })
  const file = await store.database.db
    .selectFrom('support_attachment')
    .innerJoin('stored_file', 'key', 'file_key')
    .select(['name', 'content_type'])
    .where('request_id', '=', kept?.id ?? 0)
    .executeTakeFirstOrThrow()
  expect(file.name).toBe('tire.webp')
  expect(file.content_type).toBe('image/webp')
  const thanks = await read('/contact/thanks')
  expect(thanks).toContain('We have your message')
  expect(thanks).toContain('noindex')
  await forgetNetwork()
})

test('resubmitted and reloaded, the same message is stored once', async () => {
  const fields = message()
  const before = (await requests()).length
  const answers = [
    await post('/contact', fields),
    ...(await Promise.all([post('/contact', fields), post('/contact', fields)])),
  ]
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  expect((await requests()).length).toBe(before + 1)
  await forgetNetwork()
})

test('errors appear at each field in the exact words, and input stays', async () => {
  const answer = await post(
    '/contact',
    message({ firstName: '4', lastName: '', email: 'dana@', phone: '12', message: 'Keep <this> & that' }),
  )
  const html = await answer.text()
  expect(answer.status).toBe(422)
  for (const words of [
    'Please enter valid First Name',
    'Please enter valid Last Name',
    'Please enter a valid email',
    'Please enter a valid phone number',
  ])
    expect(html).toContain(words)
  expect(html).toContain('Keep &lt;this&gt; &amp; that</textarea>')
  expect(html).toMatch(/<option selected="">Does it fit\?<\/option>/)
})

test.for([
  ['of two megabytes', new Uint8Array(2 * 1024 * 1024), 'File size is greater than 1MB'],
  ['that is cut off', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'An error has occured while reading the file.'],
  ['that is a page', Buffer.from('<html></html>'), 'Please send a picture or a PDF.'],
] as const)('a file %s is refused while the message stays', async ([, bytes, words]) => {
  const before = (await requests()).length
  const answer = await post('/contact', message({ message: 'Still here?' }), {
    name: 'a.png',
    bytes,
    type: 'image/png',
  })
  const html = await answer.text()
  expect(answer.status).toBe(422)
  expect(html).toContain(words)
  expect(html).toContain('Still here?</textarea>')
  expect((await requests()).length).toBe(before)
})

test('only the form with a file accepts a larger body, up to a limit', async () => {
  expect(await announce('/contact', 10 * 1024 * 1024)).toEqual({ status: 413, isAboutFile: true })
  expect(await announce('/tire-sales', 100_000)).toEqual({ status: 413, isAboutFile: false })
})

test('a bot that fills in the honeypot is thanked, but its message isn’t stored', async () => {
  const before = (await requests()).length
  expect((await post('/contact', message({ website: 'https://spam.test' }))).status).toBe(303)
  expect((await post('/tire-sales', { website: 'x' })).status).toBe(303)
  expect((await requests()).length).toBe(before)
})

test('sending too often is refused with a message, and input stays', async () => {
  await forgetNetwork()
  const statuses: number[] = []
  for (let count = 0; count < 6; count++)
    statuses.push((await post('/contact', message({ message: `Number ${count}` }))).status)
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
  const html = await (await post('/contact', message({ message: 'One more' }))).text()
  expect(html).toContain('Message failed to send')
  expect(html).toContain('One more</textarea>')
  await forgetNetwork()
})

test('if a message can’t be stored, the page shows it and retains the input', async () => {
  await sql`alter table support_request rename to put_away`.execute(store.database.db)
  const answer = await post('/contact', message({ message: 'Kept in the form?' }))
  await sql`alter table put_away rename to support_request`.execute(store.database.db)
  const html = await answer.text()
  expect(answer.status).toBe(503)
  expect(html).toContain('Message failed to send')
  expect(html).toContain('Kept in the form?</textarea>')
})

test('staff list open requests, read one, save its file and close it', async () => {
  const pdf = Buffer.from('%PDF-1.7\n%%EOF\n')
  await post('/contact', message({ message: 'First line\nSecond line' }), {
    name: 'invoice.pdf',
    bytes: pdf,
    type: 'application/pdf',
  })
  const number = `R-${(await requests()).at(-1)?.id}`
  expect((await support('list')).stdout).toContain(`${number}  `)
  expect((await support('show', number)).stdout).toContain('First line\nSecond line')
  await using folder = await createTemporaryFolder()
  await support('file', number, join(folder.path, 'a.pdf'))
  expect((await readFile(join(folder.path, 'a.pdf'))).equals(pdf)).toBe(true)
  expect((await support('close', number, 'dana')).stdout).toBe(`${number} is closed.\n`)
  expect((await support('list')).stdout).not.toContain(`${number}  `)
  await expect(support('close', number)).rejects.toMatchObject({ code: 1, stderr: `${number} is closed already.\n` })
  await expect(support('shut', number)).rejects.toMatchObject({ code: 1 })
  await forgetNetwork()
})

test('a lead is stored with its normalized size', async () => {
  const fields = {
    name: 'Lee Park',
    email: 'lee@example.com',
    quantity: '8',
    vehicle: '',
    size: '225 65 17',
    brand: '',
  }
  expect((await post('/tire-sales', fields)).headers.get('location')).toBe('/tire-sales/thanks')
  expect((await requests()).at(-1)).toMatchObject({
    kind: 'lead',
    quantity: 8,
    size: '225/65R17',
    subject: '8 tires, 225/65R17',
  })
  const refused = await post('/tire-sales', { ...fields, email: 'lee', size: 'big' })
  expect(refused.status).toBe(422)
  const html = await refused.text()
  expect(html).toContain('Please enter a valid email')
  expect(html).toContain('We cannot read that as a tire size.')
  expect(html).toContain('value="big"')
})

test('submitted data can’t be read from any URL', async () => {
  for (const path of ['/contact/1', '/support/1', '/attachments/1', '/contact/thanks/1'])
    expect((await ask(path)).status, path).toBe(404)
})

test('a 404 page has a title, links, and noindex, and a missing file returns plain text', async () => {
  for (const path of ['/no/such/page', '/my_customers/pdf/1/abc/Receipt_1.pdf']) {
    const answer = await ask(path)
    const html = await answer.text()
    expect(answer.status, path).toBe(404)
    expect(html).toContain('The page you are looking for is missing.')
    expect(html).toContain('<title>Page not found · Sidewall</title>')
    expect(html).toContain('noindex')
  }
  expect(await read('/no/such/page')).toContain('action="/search"')
})

/** Sends a form's headers without its body. The response must not wait for the body. */
function announce(path: string, length: number): Promise<{ status: number; isAboutFile: boolean }> {
  const { hostname, port, origin } = new URL(store.origin)
  return new Promise((resolve, reject) => {
    const headers = { origin, 'content-type': 'multipart/form-data; boundary=x', 'content-length': length }
    const call = request({ hostname, port, method: 'POST', path, headers }, (response) => {
      let html = ''
      response.on('data', (bytes: Buffer) => (html += bytes.toString()))
      response.on('end', () => {
        call.destroy()
        resolve({ status: response.statusCode ?? 0, isAboutFile: html.includes('File size is greater than 1MB') })
      })
    })
    call.on('error', reject)
    call.flushHeaders()
  })
}

/** The staff command, on this store's database. */
function support(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, ['tools/support.ts', ...args], {
    env: { ...process.env, DATABASE_URL: store.database.url, FILES_FOLDER: files.path },
  })
}
