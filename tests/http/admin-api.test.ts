/** Tests that programs read the office's lists over the admin API within their role and scopes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoProgram } from '#sandbox/identity/provider.ts'
import { addAdminClient, requestAdminToken } from '#tests/support/admin-client.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

type Page = { rows: { id: string; url: string | null; fields: Record<string, unknown> }[]; next: string | null }
type Schema = { type: string | string[]; format?: string }
type Listed = {
  operationId: string
  description: string
  security: { clientCredentials: string[] }[]
  parameters: { name: string; schema: { enum?: string[] } }[]
  responses: { '200': { content: { 'application/json': { schema: PageSchema } } } }
}
type PageSchema = {
  properties: { rows: { items: { properties: { fields: { properties: Record<string, Schema> } } } } }
}

type Line = {
  lineNo: number
  netCents: number
  taxCents: number
  fetCents: number
  tireFeeCents: number
  sources: object[]
}
type Order = {
  totalCents: number
  lines: Line[]
  timeline: object[]
  customer: { email: string } | null
  notes: object[] | null
  emails: object[] | null
  ledger: { cents: number }[] | null
}

let store: RunningStore
let owner: Visitor
let client: string
let lists: [path: string, operation: Listed][]
/** The reads of single records. */
let reads: [path: string, operation: Listed][]

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  owner = createVisitor()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  const document = (await (await fetch(`${store.origin}/api/admin/openapi.json`)).json()) as {
    paths: Record<string, { get?: Listed }>
  }
  lists = Object.entries(document.paths).flatMap(([path, { get }]): typeof lists =>
    get?.operationId.startsWith('list-') ? [[path, get]] : [],
  )
  reads = Object.entries(document.paths).flatMap(([path, { get }]): typeof reads =>
    get && /^\/[\w-]+\/\{id\}$/.test(path) ? [[path, get]] : [],
  )
  client = await addAdminClient(store, owner, 'owner')
})
afterAll(() => store[Symbol.asyncDispose]())

const permissionsOf = ([, { security }]: (typeof reads)[number]) => security[0]?.clientCredentials ?? []

async function read(token: string | null, path: string) {
  const answer = await fetch(`${store.origin}/api/admin${path}`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Page & { detail: string } }
}

test('every list of the office is described, and read as it is described', async () => {
  expect(lists.length).toBeGreaterThan(40)
  const wrong: string[] = []
  let rows = 0
  for (const [path, { security, responses }] of lists) {
    const token = await requestAdminToken(store, (security[0]?.clientCredentials ?? []).join(' '))
    const { status, body } = await read(token, `${path}?limit=200`)
    expect(status, path).toBe(200)
    rows += body.rows.length
    const { properties } = responses['200'].content['application/json'].schema.properties.rows.items.properties.fields
    for (const row of body.rows)
      for (const [key, value] of Object.entries(row.fields))
        if (!isOfSchema(value, properties[key])) wrong.push(`${path} ${key}: ${String(value)}`)
  }
  expect(wrong.slice(0, 20)).toEqual([])
  expect(rows).toBeGreaterThan(300)
})

function isOfSchema(value: unknown, schema: Schema | undefined): boolean {
  if (!schema) return false
  if (value === null) return schema.type.includes('null')
  if (schema.format === 'date-time') return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
  return schema.type.includes('integer') ? Number.isSafeInteger(value) : schema.type.includes(typeof value)
}

test('programs read single records, and customer data only with the permission', async () => {
  const all = [...lists, ...reads].flatMap(permissionsOf)
  const everything = await requestAdminToken(store, [...new Set([...all, 'customers.read'])].join(' '))
  const failed: string[] = []
  const found: string[] = []
  for (const each of reads) {
    const [path] = each
    const id = await firstId(everything, path.replace('/{id}', ''))
    if (id === undefined) continue
    found.push(path)
    const address = path.replace('{id}', encodeURIComponent(id))
    const whole = await read(everything, address)
    if (whole.status !== 200) failed.push(`${address}: ${whole.status} ${whole.body.detail}`)
    const { customer } = whole.body as { customer?: { email?: string } | null }
    if (!customer) continue
    const narrow = await read(await requestAdminToken(store, permissionsOf(each).join(' ')), address)
    expect(narrow.body, address).toMatchObject({ customer: null })
    expect(JSON.stringify(narrow.body), address).not.toContain(customer.email ?? customer)
  }
  expect(failed).toEqual([])
  expect(found).toEqual(expect.arrayContaining(['/orders/{id}', '/returns/{id}', '/messages/{id}', '/refunds/{id}']))
})

/** The ID of a list's first row, in any state; undefined for an empty list. */
async function firstId(token: string, path: string): Promise<string | undefined> {
  const [, list] = lists.find(([each]) => each === path) ?? []
  const state = list?.parameters.find(({ name }) => name === 'state' || name === 'show')
  for (const value of list ? ['', ...(state?.schema.enum ?? [])] : []) {
    const query = value === '' ? '' : `&${state?.name ?? ''}=${value}`
    const [row] = (await read(token, `${path}?limit=1${query}`)).body.rows
    if (row) return row.id
  }
  return undefined
}

test('an order has its lines, amounts, payments, and timeline', async () => {
  const token = await requestAdminToken(store, 'orders.read orders.export')
  const { rows } = (await read(token, '/orders?limit=200')).body
  const row = rows.find(({ fields }) => fields['status'] === 'Delivered') ?? rows[0]
  const order = (await read(token, `/orders/${row?.id}`)).body as unknown as Order
  expect(order.totalCents).toBe(row?.fields['total'])
  expect(
    order.lines.reduce((sum, each) => sum + each.netCents + each.taxCents + each.fetCents + each.tireFeeCents, 0),
  ).toBe(order.totalCents)
  expect(order.timeline.length).toBeGreaterThan(0)
  expect(order).toMatchObject({ customer: null, notes: null, emails: null, ledger: null })
  const ledger = await requestAdminToken(store, 'orders.read ledger.read customers.read')
  const whole = (await read(ledger, `/orders/${row?.id}`)).body as unknown as Order
  expect(whole.customer?.email).toContain('@')
  expect(whole.ledger?.reduce((sum, entry) => sum + entry.cents, 0)).toBe(0)
})

test('an order has the suppliers of its tires, with their cost only for programs with the permission', async () => {
  const { db } = store.database
  const sourced = await db
    .selectFrom('purchase_order as po')
    .innerJoin('supplier', 'supplier.id', 'po.supplier_id')
    .innerJoin('purchase_order_line as line', 'line.purchase_order_id', 'po.id')
    .select(['po.id', 'order_id as orderId', 'supplier.name as supplier', 'line_no as lineNo', 'quantity'])
    .select(['unit_cost_cents as cents', 'line.freight_cents as freight'])
    .where('po.state', '=', 'accepted')
    .where('unit_cost_cents', 'is not', null)
    .orderBy('po.id')
    .executeTakeFirstOrThrow()
  const sourcesFor = async (scopes: string) => {
    const { body } = await read(await requestAdminToken(store, scopes), `/orders/S-${sourced.orderId}`)
    const { lines, parcels } = body as unknown as Order & { parcels: { supplier: string | null }[] }
    expect(parcels.map(({ supplier }) => supplier)).toContain(sourced.supplier)
    return lines.find(({ lineNo }) => lineNo === sourced.lineNo)?.sources
  }
  const { supplier, quantity, cents, freight } = sourced
  const shown = { supplier, quantity, purchaseOrderId: sourced.id }
  expect(await sourcesFor('orders.read')).toMatchObject([{ ...shown, unitCostCents: null, unitFreightCents: null }])
  expect(await sourcesFor('orders.read reports.read')).toMatchObject([
    { ...shown, unitCostCents: (cents ?? 0) + freight, unitFreightCents: freight },
  ])
})

test('unknown and malformed record IDs return 404', async () => {
  const ids = [
    '0',
    'x',
    '9999999999',
    '999999999999999',
    'S-999999999999999',
    'C-999999999999',
    '%00',
    '01937b5e-0000-7000-8000-000000000000',
    'stripe-2026-13-45',
    'a'.repeat(300),
  ]
  const wrong: string[] = []
  const token = await requestAdminToken(store, [...new Set(reads.flatMap(permissionsOf))].join(' '))
  for (const [path] of reads)
    for (const id of ids) {
      const { status, headers } = await read(token, path.replace('{id}', id))
      const isProblem = headers.get('content-type') === 'application/problem+json'
      if (!(status === 404 || status === 400) || !isProblem) wrong.push(`${path} ${id.slice(0, 20)}: ${status}`)
    }
  expect(reads.length).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})

test('pages of a list add up to the full list in order, and a cursor is bound to its filters', async () => {
  const token = await requestAdminToken(store, 'orders.export')
  const whole = (await read(token, '/orders?limit=200')).body
  const paged: Page['rows'] = []
  let next: string | null = ''
  for (let page = 0; next !== null && page < 10; page++) {
    const { body } = await read(token, `/orders?limit=20${next === '' ? '' : `&cursor=${next}`}`)
    paged.push(...body.rows)
    next = body.next
  }
  expect(paged).toEqual(whole.rows.slice(0, paged.length))
  expect(paged.length).toBeGreaterThan(100)
  const { body } = await read(token, '/orders?limit=20')
  const other = await read(token, `/orders?limit=20&from=2020-01-01&cursor=${body.next}`)
  expect(other.status).toBe(400)
})

test('a token reads what its scopes name, and a field only with its permission', async () => {
  const narrow = await requestAdminToken(store, 'stock.read')
  expect((await read(narrow, '/stock')).status).toBe(200)
  const refused = await read(narrow, '/customers')
  expect(refused.status).toBe(403)
  expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  const returns = (await read(await requestAdminToken(store, 'returns.read'), '/returns')).body.rows
  const named = (await read(await requestAdminToken(store, 'returns.read customers.read orders.read'), '/returns')).body
    .rows
  expect(returns.length).toBeGreaterThan(0)
  expect(returns.map(({ fields }) => fields['name'])).not.toEqual(named.map(({ fields }) => fields['name']))
})

test('a role restricts its client’s tokens immediately, and a revoked client has no access', async () => {
  const token = await requestAdminToken(store, 'orders.export stock.read')
  expect((await read(token, '/orders')).status).toBe(200)
  const changed = await owner.ask(`${store.origin}${client}`, {
    form: { intent: 'change', name: 'Warehouse system', role: 'warehouse', version: '1' },
  })
  expect(changed.headers.get('location')).toBe(`${client}?done=change`)
  const outdated = await owner.ask(`${store.origin}${client}`, {
    form: { intent: 'change', name: 'Warehouse system', role: 'owner', version: '1' },
  })
  expect(outdated.status).toBe(409)
  expect((await read(token, '/orders')).status).toBe(403)
  expect((await read(token, '/stock')).status).toBe(200)

  const revoked = await owner.ask(`${store.origin}${client}`, { form: { intent: 'revoke' } })
  expect(revoked.headers.get('location')).toBe('/office/api-clients?done=revoked')
  const gone = await read(token, '/stock')
  expect(gone.status).toBe(401)
  expect(gone.body.detail).toBe('This program is not among the API clients of this store, or was revoked.')
  const list = await (await owner.ask(`${store.origin}/office/api-clients`)).text()
  expect(list).toContain('Revoked')
  client = await addAdminClient(store, owner, 'owner')
})

test('rejects missing and foreign tokens with the token endpoint', async () => {
  const shopper = await requestAdminToken(store, 'orders:read', `${store.origin}/api`)
  const calls = [null, shopper, 'a.b.c', 'x'.repeat(9_000)]
  for (const token of calls) {
    const { status, headers } = await read(token, '/orders')
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('/.well-known/oauth-protected-resource/api/admin')
  }
  const metadata = await fetch(`${store.origin}/.well-known/oauth-protected-resource/api/admin`)
  expect(await metadata.json()).toMatchObject({
    resource: `${store.origin}/api/admin`,
    authorization_servers: [`${store.sandboxOrigin}/identity`],
  })
})

test('wrong and hostile parameters are refused by name', async () => {
  const token = await requestAdminToken(store, 'orders.export')
  const asked = {
    'limit=0': 'limit',
    'limit=201': 'limit',
    'limit=ten': 'limit',
    'nothing=1': 'nothing',
    'state=no-such-state': 'state',
    'from=yesterday': 'from',
    'from=2026-01-01&from=2026-01-02': 'from',
    'cursor=%00': 'cursor',
    [`cursor=${'a'.repeat(700)}`]: 'cursor',
  }
  for (const [query, name] of Object.entries(asked)) {
    const { status, body } = await read(token, `/orders?${query}`)
    expect(status, query).toBe(400)
    expect(body.detail, query).toContain(name)
  }
  const many = new URLSearchParams(Array.from({ length: 40 }, (_, index) => [`p${index}`, '1']))
  expect((await read(token, `/orders?${many.toString()}`)).status).toBe(400)
  const posted = await fetch(`${store.origin}/api/admin/orders`, { method: 'POST' })
  expect(posted.status).toBe(405)
  expect((await read(token, '/no-such-list')).status).toBe(404)
})

test('a wrong client ID is rejected at its field with the input retained, and duplicates are rejected', async () => {
  const page = `${store.origin}/office/api-clients/new`
  const wrong = await owner.ask(page, {
    form: { intent: 'add', name: 'Night export', clientId: 'a b', role: 'support' },
  })
  expect(wrong.status).toBe(422)
  const html = await wrong.text()
  expect(html).toContain('without spaces')
  expect(html).toContain('value="Night export"')
  const twice = await owner.ask(page, {
    form: { intent: 'add', name: 'Again', clientId: demoProgram.clientId, role: 'support' },
  })
  expect(await twice.text()).toContain('An API client with this ID is in the list.')
  const noRole = await owner.ask(page, { form: { intent: 'add', name: 'Again', clientId: 'other', role: 'none' } })
  expect(await noRole.text()).toContain('This role was retired. Choose another role.')
  expect((await owner.ask(`${store.origin}/office/api-clients/no-such-id`)).status).toBe(404)
})
