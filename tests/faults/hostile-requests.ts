/** Malicious requests against every address of the store, with field names that its forms and pages actually read. */
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { allRoutes as routes } from '#tests/support/routes.ts'
import type { FoundForm } from './read-forms.ts'
import { listProjectFiles } from '../../tools/project-files.ts'

export type HostileRequest = {
  method: string
  path: string
  headers: Record<string, string>
  /** Undefined for requests without one. */
  body: Uint8Array | undefined
  /** The client disconnects before sending the announced length. */
  isTruncated: boolean
}

/** The IDs, existing objects, and forms that a visitor can know. */
export type Ground = {
  orderId: number
  customerId: string
  itemIds: number[]
  shopIds: number[]
  ownCartIds: string[]
  origin: string
  forms: FoundForm[]
  links: string[]
}

/** Appears unescaped only if a page echoes its input. */
export const mark = 'zq9x'

/** All paths except pages. */
const otherPaths = [
  '/webhooks/payments',
  '/webhooks/carrier',
  '/pictures/:name',
  '/pictures/front/:name',
  '/pictures/tread/:name',
  '/map/:layer',
  '/assets/:name',
  '/healthz',
  '/:page.data',
]

/**
 * A stream of such requests. Field names and accepted words are read from the sources, so that new forms are attacked
 * from the start.
 */
export async function hostileRequests(root: string, ground: Ground): Promise<fc.Arbitrary<HostileRequest>> {
  const vocabulary = await readVocabulary(root)
  const paths = [
    ...routes.flatMap(({ path, index }) => (index ? ['/'] : path === undefined ? [] : [`/${path}`])),
    ...otherPaths,
  ]

  const value = fc.oneof(
    { weight: 3, arbitrary: nasty },
    { weight: 3, arbitrary: plausible(ground) },
    { weight: 2, arbitrary: fc.constantFrom(...vocabulary.words) },
    { weight: 1, arbitrary: anyText },
  )
  const name = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...vocabulary.names) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '__proto__',
        'constructor',
        'toString',
        'a[]',
        'a[b][c]',
        'intent',
        'intent',
        mark,
      ),
    },
  )
  const query = fc.array(fc.tuple(name, value), { maxLength: 12 })
  const anywhere = fc
    .tuple(
      fc.constantFrom(...paths),
      fc.array(value, { minLength: 5, maxLength: 5 }),
      query,
      fc.constantFrom('', '', '', '', '.data', '/', '//', '%2e%2e'),
    )
    .map(([path, parts, fields, tail]) => withQuery(`${fillPath(path, parts)}${tail}`, fields))
  const linked = fc.tuple(fc.constantFrom(...ground.links), fc.func(value), fc.nat(3)).map(([link, change, which]) => {
    const url = new URL(link, ground.origin)
    const fields = [...url.searchParams].map(([key, old], index): [string, string] => [
      key,
      index % 4 === which ? change(key) : old,
    ])
    return withQuery(url.pathname, fields)
  })
  const carrying = headers(ground, value)
  const isTruncated = fc.nat(19).map((draw) => draw === 0)

  const asked = fc
    .record({ path: fc.oneof(anywhere, linked), isHead: fc.nat(9), headers: carrying })
    .map(({ path, isHead, ...drawn }): HostileRequest => ({
      ...drawn,
      method: isHead === 0 ? 'HEAD' : 'GET',
      path,
      body: undefined,
      isTruncated: false,
    }))
  const posted = fc
    .record({
      path: anywhere,
      fields: query,
      kind: bodyKinds,
      raw: fc.uint8Array({ maxLength: 300 }),
      headers: carrying,
      isTruncated,
    })
    .map(({ path, fields, kind, raw, ...drawn }) => post(path, bodyOf(kind, fields, raw), drawn))
  // A form as on the page, with some fields changed.
  const filled = fc
    .record({
      form: fc.constantFrom(...ground.forms),
      changes: fc.array(fc.tuple(fc.nat(30), value, fc.nat(5)), { maxLength: 3 }),
      kind: bodyKinds,
      headers: carrying,
      isTruncated,
    })
    .map(({ form, changes, kind, ...drawn }): HostileRequest => {
      const fields = form.fields.map(([key, old]): [string, string] => [key, old])
      for (const [at, text, how] of changes) {
        const field = fields[at % Math.max(1, fields.length)]
        if (!field) break
        if (how === 0) fields.splice(fields.indexOf(field), 1)
        else if (how === 1) fields.push([field[0], text])
        else field[1] = text
      }
      if (form.method === 'GET')
        return { ...drawn, method: 'GET', path: withQuery(form.path, fields), body: undefined, isTruncated: false }
      return post(form.path, bodyOf(kind, fields, new Uint8Array()), drawn)
    })
  return fc.oneof({ weight: 3, arbitrary: asked }, { weight: 2, arbitrary: posted }, { weight: 4, arbitrary: filled })
}

function post(
  path: string,
  { type, bytes }: { type: string; bytes: Uint8Array },
  drawn: Pick<HostileRequest, 'headers' | 'isTruncated'>,
): HostileRequest {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': type, ...drawn.headers },
    body: bytes,
    isTruncated: drawn.isTruncated && bytes.length > 0,
  }
}

function withQuery(path: string, fields: [string, string][]): string {
  return fields.length > 0 ? `${path}${path.includes('?') ? '&' : '?'}${encodeFields(fields)}` : path
}

/** Values that break naive parsers of text, numbers, dates, paths, markup, and statements. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u0000\uffff',
  '\r\nset-cookie: a=b',
  '\x1b[31m',
  ' 4 ',
  `%' or '1'='1`,
  '1 or 1=1',
  `'; drop table stock; --`,
  `"><script>${mark}</script>`,
  `</script><script>${mark}`,
  `<img src=x onerror=${mark}>`,
  '9'.repeat(40),
  'a'.repeat(5_000),
  '1'.repeat(300),
  'ü'.repeat(3_000),
  '225/65R17'.repeat(50),
  '\n'.repeat(500),
  '('.repeat(2_000),
  '\u{1f6de}'.repeat(40),
  ...words(
    `% %00 %ff + & = \\ ' " -1 0 -0 1.5 1e9 1e309 NaN Infinity 0x10 ４ 4,000 2147483647 2147483648 9007199254740993`,
  ),
  ...words(
    `null undefined true [] {} {"a": [[[[[[[[ ../../etc/passwd ..%2f..%2f //evil.test /\\evil.test https://evil.test javascript:alert(1) file:///etc/passwd`,
  ),
  ...words(
    '${7*7} {{7*7}} 2026-02-30 2026-13-01T25:61 0000-00-00 -271821-04-20 +275760-09-14 9999-12-31T23:59:59Z 20261124-AM 20269999-XX 2026-11-24T15:30:00Z',
  ),
)

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.double().map(String),
  fc.date({ noInvalidDate: false }).map(String),
)

function plausible({ orderId, customerId, itemIds, shopIds, origin }: Ground): fc.Arbitrary<string> {
  return fc.constantFrom(
    ...[orderId, orderId + 1, ...itemIds, ...shopIds].map(String),
    ...words(
      `S-${orderId} ${customerId} Receipt_${orderId}.pdf ${orderId}-1800000000.AAAA ${orderId}-9999999999.${'A'.repeat(43)} ${origin} /cart /checkout/order-summary`,
    ),
    ...words(
      '60614 99501 96813 00501 09001 IL dana@example.com 312-555-0142 shop mobile home 1 4 all front rear 225-65r17 honda cr-v 2019',
    ),
    ...words(
      '1~a~b~2019~honda~cr-v~1~~~CR-V ground.json 100234-abcd-320.webp 1-abcd-320.avif not-a-picture.svg calendar.ics',
    ),
    '225/65R17 102H',
  )
}

function headers(
  { ownCartIds, orderId, origin }: Ground,
  value: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, string>> {
  const cookie = fc
    .array(
      fc.tuple(
        fc.constantFrom('sw_zip', 'sw_vehicle', 'sw_cart', 'sw_recent', 'sw_orders', '__proto__', 'other'),
        fc.oneof(value, fc.constantFrom(...ownCartIds, `${orderId}.${'A'.repeat(43)}`, `${orderId}`)),
      ),
      { maxLength: 5 },
    )
    .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join('; '))
  const any = fc.record(
    {
      cookie: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...ownCartIds.map((id) => `sw_cart=${id}; sw_zip=60614`)) },
        { weight: 1, arbitrary: cookie },
      ),
      origin: fc.constantFrom(...Array.from({ length: 12 }, () => origin), 'null', 'https://evil.test', ''),
      accept: fc.constantFrom('text/html', 'application/json', '*/*', '', 'x'.repeat(2_000)),
      'accept-encoding': fc.constantFrom('gzip', 'br', 'identity', 'x;q=9', ''),
      'x-forwarded-for': value,
      'x-request-id': value,
      'if-none-match': value,
      range: fc.constantFrom('bytes=0-', 'bytes=9-1', 'bytes=-1', 'lines=1'),
      'stripe-signature': value,
      'x-hmac-signature': value,
      'x-remix-action': value,
    },
    { requiredKeys: ['cookie', 'origin'] },
  )
  // Skips requests that no client could send.
  return any.map((drawn) =>
    Object.fromEntries(
      Object.entries(drawn).map(([name, text]) => [
        name,
        text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 3_000),
      ]),
    ),
  )
}

const bodyKinds = fc.constantFrom(
  'form',
  'form',
  'form',
  'multipart',
  'multipart',
  'multipart-cut',
  'json',
  'json-cut',
  'raw',
  'text',
  'wrong-type',
  'empty',
  'large',
)

function bodyOf(kind: string, fields: [string, string][], raw: Uint8Array): { type: string; bytes: Uint8Array } {
  const text = (type: string, content: string) => ({ type, bytes: new TextEncoder().encode(content) })
  const form = 'application/x-www-form-urlencoded'
  switch (kind) {
    case 'multipart':
      return text('multipart/form-data; boundary=cut', `${multipart(fields)}--cut--\r\n`)
    case 'multipart-cut':
      return text('multipart/form-data; boundary=cut', multipart(fields).slice(0, -7))
    case 'json':
      return text('application/json', JSON.stringify(Object.fromEntries(fields)))
    case 'json-cut':
      return text('application/json', JSON.stringify(Object.fromEntries(fields)).slice(0, -3))
    case 'raw':
      return { type: form, bytes: raw }
    case 'text':
      return text('text/plain', encodeFields(fields))
    case 'wrong-type':
      return text('multipart/form-data', encodeFields(fields))
    case 'empty':
      return text(form, '')
    case 'large':
      return text(form, `${encodeFields(fields)}&${mark}=${'9'.repeat(200_000)}`)
    default:
      return text(form, encodeFields(fields))
  }
}

function multipart(fields: [string, string][]): string {
  return fields
    .map(
      ([name, value], index) =>
        `--cut\r\ncontent-disposition: form-data; name="${name}"${index % 4 === 3 ? '; filename="a.txt"\r\ncontent-type: text/plain' : ''}\r\n\r\n${value}\r\n`,
    )
    .join('')
}

function encodeFields(fields: [string, string][]): string {
  return fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
}

/** Encodes like a browser; characters a browser would fix are percent-encoded, a few are sent raw. */
function encode(text: string): string {
  return /^%[\w%.]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed())
}

function fillPath(path: string, parts: string[]): string {
  let part = 0
  return path.replaceAll(/:\w+|\*/g, () => encode(parts[part++ % parts.length] ?? '').slice(0, 2_000))
}

function words(text: string): string[] {
  return text.split(' ')
}

/** Names that forms and pages read, and words that the code compares against. */
async function readVocabulary(root: string): Promise<{ names: string[]; words: string[] }> {
  const names = new Set<string>()
  const words = new Set<string>()
  for (const file of await listProjectFiles(root)) {
    if (!/^(app|domain|pictures)\/.*\.tsx?$/.test(file) || /\.test\.tsx?$|\.testing\.ts$/.test(file)) continue
    const source = await readFile(`${root}/${file}`, 'utf8')
    for (const [, name = ''] of source.matchAll(/\bname="([\w-]+)"|\.get\('([\w-]+)'\)/g)) names.add(name)
    for (const [, name = ''] of source.matchAll(/\.get\('([\w-]+)'\)/g)) names.add(name)
    for (const [, name = ''] of source.matchAll(/^\s+(\w+): z\./gm)) names.add(name)
    for (const [, word = ''] of source.matchAll(/\bcase '([\w-]+)'|z\.literal\('([\w-]+)'\)/g)) words.add(word)
    for (const [, word = ''] of source.matchAll(/\bvalue="([\w-]+)"/g)) words.add(word)
  }
  return { names: [...names].filter(Boolean), words: [...words].filter(Boolean) }
}
