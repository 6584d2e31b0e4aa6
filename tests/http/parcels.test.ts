/**
 * Tests a warehouse's shipping over HTTP: lists, labels, packing slips, marking as shipped, and each role's view.
 *
 * Over 400 lines: the tests share a store and its labeled order.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions, staffRoles, type BuiltInRole, type Permission } from '#domain/kernel/staff/staff.ts'
import { eventually } from '#tests/support/eventually.ts'
import { formFields } from '#tests/support/form-fields.ts'
import { labeledOrders, placeLabeledOrder } from '#tests/support/labeled-order.ts'
import { placeHomeOrder } from '#tests/support/order-by-api.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
let orderId = 0
let id = ''
let tracking = ''
let warehouse = ''
let street = ''

beforeAll(async () => {
  store = await startStore({ env: labeledOrders })
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
  orderId = await placeLabeledOrder(store, createVisitor(), 'pat.kim@example.com')
  const found = await store.database.db
    .selectFrom('shipment')
    .innerJoin('warehouse', 'warehouse.id', 'shipment.warehouse_id')
    .innerJoin('sales_order', 'sales_order.id', 'shipment.order_id')
    .select(['shipment.id', 'shipment.tracking_number', 'warehouse.code', 'sales_order.ship_to_street as street'])
    .where('shipment.order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  id = found.id
  tracking = found.tracking_number ?? ''
  warehouse = found.code
  street = found.street
}, 180_000)
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const permits = (permission: Permission, role: BuiltInRole) =>
  (permissions[permission].roles as readonly BuiltInRole[]).includes(role)
const page = () => `/office/parcels/${id}`
const statusOf = async (visitor: Visitor, path: string) => (await visitor.ask(at(path))).status

test('the parcel is in the list of its warehouse, with SKU, bin and deadline, and in the printed pick list', async () => {
  const { sku, itemId, warehouseId } = await store.database.db
    .selectFrom('stock_allocation as a')
    .innerJoin('order_line as l', (join) =>
      join.onRef('l.order_id', '=', 'a.order_id').onRef('l.line_no', '=', 'a.line_no'),
    )
    .innerJoin('item', 'item.id', 'l.item_id')
    .select(['item.sku', 'item.id as itemId', 'a.warehouse_id as warehouseId'])
    .where('a.order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const stock = at(`/office/stock/${itemId}`)
  const wrong = await staff.warehouse.ask(stock, {
    form: { intent: 'bin', binWarehouse: String(warehouseId), bin: 'row <4>' },
  })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('value="row &lt;4&gt;"')
  const saved = await staff.warehouse.ask(stock, {
    form: { intent: 'bin', binWarehouse: String(warehouseId), bin: 'b-07-1' },
  })
  expect(saved.headers.get('location')).toBe(`/office/stock/${itemId}?done=bin`)
  expect(await read(staff.warehouse, `/office/stock/${itemId}?done=bin`)).toContain('B-07-1')

  const list = await read(staff.warehouse, `/office/parcels?warehouse=${warehouse}`)
  for (const part of [`S-${orderId}`, sku, 'B-07-1', 'Pack and ship', page()]) expect(list).toContain(part)
  expect(list).toContain(`/office/parcels/pick-list.pdf?warehouse=${warehouse}`)
  const file = await staff.warehouse.ask(at(`/office/export/parcels?warehouse=${warehouse}`))
  expect(file.status).toBe(200)
  const [heading = '', ...lines] = (await file.text()).split(/\r?\n/)
  expect(heading).toContain('SKU,Tire,Size,Quantity')
  expect(lines.find((line) => line.includes(`S-${orderId}`))).toMatch(/,B-07-1,/)
  const pick = await staff.warehouse.ask(at(`/office/parcels/pick-list.pdf?warehouse=${warehouse}`))
  expect(pick.headers.get('content-type')).toBe('application/pdf')
  const printed = readPdf(new Uint8Array(await pick.arrayBuffer()))
  for (const part of [`S-${orderId}`, sku, 'B-07-1']) expect(printed).toContain(part)
  for (const odd of ['warehouse=NONE', 'warehouse=', 'after=3.x', `after=99999.${id}`, `warehouse=${'x'.repeat(300)}`])
    for (const path of [`/office/parcels?${odd}`, `/office/parcels/pick-list.pdf?${odd}`])
      expect(await statusOf(staff.warehouse, path), path).toBe(200)
})

test('the page, its files and its buttons are open to the roles that may', async () => {
  await eventually('the files of the label', async () =>
    (await store.database.db.selectFrom('shipment_label_file').select('format').where('shipment_id', '=', id).execute())
      .length === 2
      ? true
      : undefined,
  )
  for (const role of staffRoles) {
    const [reads, ships] = [permits('parcels.read', role), permits('parcels.ship', role)]
    expect(await statusOf(staff[role], page()), role).toBe(reads ? 200 : 403)
    for (const path of [`${page()}/packing-slip.pdf`, `/office/orders/${orderId}/packing-slips.pdf`])
      expect(await statusOf(staff[role], path), `${role} ${path}`).toBe(reads ? 200 : 403)
    for (const path of [`${page()}/label.pdf`, `${page()}/label.zpl`])
      expect(await statusOf(staff[role], path), `${role} ${path}`).toBe(ships ? 200 : 403)
    if (!ships) expect((await staff[role].ask(at(page()), { form: { intent: 'ship' } })).status, role).toBe(403)
  }
  for (const path of [
    '/office/parcels/x',
    '/office/parcels/0198c2f4-8d5e-7c10-a1b2-000000000001',
    `${page()}/label.gif`,
  ])
    expect(await statusOf(staff.owner, path), path).toBe(404)
})

test('slip and label show where the parcel goes, and no price or email', async () => {
  const slip = await staff.warehouse.ask(at(`${page()}/packing-slip.pdf`))
  const text = readPdf(new Uint8Array(await slip.arrayBuffer()))
  for (const part of [`S-${orderId}`, street, tracking]) expect(text).toContain(part)
  expect(text).not.toContain('$')
  expect(text).not.toContain('pat.kim@example.com')
  const zpl = await staff.warehouse.ask(at(`${page()}/label.zpl`))
  expect(zpl.headers.get('content-type')).toBe('application/zpl')
  expect(zpl.headers.get('cache-control')).toBe('private, no-store')
  expect(await zpl.text()).toContain(tracking)
  const shown = await read(staff.warehouse, page())
  expect(shown).toContain(street)
  expect(shown).toContain('$38.40')
  expect(shown).not.toContain('pat.kim@example.com')
})

test('the order shows the parcel with tracking, label and packing slips', async () => {
  const owner = await read(staff.owner, `/office/orders/${orderId}`)
  for (const part of [page(), `${page()}/label.pdf`, `/office/orders/${orderId}/packing-slips.pdf`, tracking])
    expect(owner).toContain(part)
  const finance = await read(staff.finance, `/office/orders/${orderId}`)
  expect(finance).toContain(tracking)
  expect(finance).not.toContain(page())
})

test('the packing slips of selected orders are one PDF, and the preview names orders without parcels', async () => {
  const withParcels = store.database.db
    .selectFrom('sales_order as o')
    .innerJoin('shipment', 'shipment.order_id', 'o.id')
  const { id: delivered } = await withParcels
    .where('o.fulfillment', '=', 'home')
    .where('shipment.state', '=', 'delivered')
    .select('o.id')
    .orderBy('o.id')
    .executeTakeFirstOrThrow()
  const { id: canceled } = await store.database.db
    .selectFrom('sales_order')
    .select('id')
    .where('state', '=', 'canceled')
    .executeTakeFirstOrThrow()
  const preview = (who: Visitor, ids: readonly number[]) =>
    read(who, `/office/bulk/print-packing-slips?${ids.map((one) => `order=S-${one}`).join('&')}`)
  const numbersIn = (html: string) => /name="orders" value="([^"]*)"/.exec(html)?.[1] ?? ''
  const print = (who: Visitor, numbers: string) =>
    who.ask(at(`/office/orders/packing-slips.pdf?orders=${encodeURIComponent(numbers)}`))
  const pagesOf = (bytes: Uint8Array) =>
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/Type \/Page\b/g)?.length

  const html = await preview(staff.owner, [orderId, canceled, delivered])
  expect(html).toContain('2 of 3 can be done')
  expect(html).toContain('It has no parcels.')
  expect(html).toContain('action="/office/orders/packing-slips.pdf"')
  expect(numbersIn(html)).toBe(`S-${orderId},S-${delivered}`)
  const file = await print(staff.owner, numbersIn(html))
  expect(file.headers.get('content-type')).toBe('application/pdf')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = readPdf(bytes)
  for (const part of [`S-${orderId}`, `S-${delivered}`, tracking]) expect(text).toContain(part)
  expect(text).not.toContain('$')
  expect(pagesOf(bytes)).toBe(2)

  // Packers see addresses only until a parcel ships.
  const packer = await preview(staff.warehouse, [orderId, delivered])
  expect(packer).toContain('Your role can’t see where its parcels ship.')
  expect(numbersIn(packer)).toBe(`S-${orderId}`)
  const both = await print(staff.warehouse, `S-${orderId},S-${delivered}`)
  expect(pagesOf(new Uint8Array(await both.arrayBuffer()))).toBe(1)
  expect((await print(staff.warehouse, `S-${delivered}`)).status).toBe(403)
  for (const odd of ['', 'x', `S-${canceled}`, ','.repeat(900)])
    expect((await print(staff.owner, odd)).status, odd.slice(0, 20)).toBe(404)
  for (const role of staffRoles)
    if (!permits('parcels.read', role)) expect((await print(staff[role], `S-${orderId}`)).status, role).toBe(403)

  const many = await withParcels.select('o.id').distinct().orderBy('o.id').limit(60).execute()
  const limited = await preview(
    staff.owner,
    many.map((one) => one.id),
  )
  expect(numbersIn(limited).split(',')).toHaveLength(50)
  expect(limited).toContain('A file has up to 50 orders.')
  const busy = await print(staff.owner, numbersIn(limited))
  expect(pagesOf(new Uint8Array(await busy.arrayBuffer()))).toBeGreaterThanOrEqual(50)
})

test('labels of selected parcels are bought at the cost in the preview, and refused parcels have a reason', async () => {
  const manager = staff.manager
  const { id: warehouseId } = await store.database.db
    .selectFrom('warehouse')
    .select('id')
    .where('code', '=', warehouse)
    .executeTakeFirstOrThrow()
  const settings = at(`/office/warehouses/${warehouseId}`)
  const shipOnlyWith = async (carrier: string | null) => {
    const form = formFields(await (await manager.ask(settings)).text(), 'change')
    for (const name of Object.keys(form)) if (name.startsWith('carrier-')) delete form[name]
    const saved = await manager.ask(settings, {
      form: { ...form, intent: 'change', ...(carrier !== null && { [`carrier-${carrier}`]: '1' }) },
    })
    expect(saved.status).toBe(303)
  }
  // The carrier of the sandbox isn't among those of the warehouse, so its job can't buy the labels.
  await shipOnlyWith('UPS')
  const waiting: string[] = []
  for (const email of ['ann@example.com', 'bob@example.com', 'cy@example.com']) {
    const order = await placeHomeOrder(store, createVisitor(), { email })
    const parcel = await eventually('the refused label', () =>
      store.database.db
        .selectFrom('shipment')
        .innerJoin('order_event', 'order_event.order_id', 'shipment.order_id')
        .select('shipment.id')
        .where('shipment.order_id', '=', order)
        .where('order_event.note', 'like', 'The carrier does not take%')
        .executeTakeFirst(),
    )
    waiting.push(parcel.id)
  }
  const [first, second, third] = waiting
  const path = `/office/bulk/buy-parcel-labels?${[first, second, third, id].map((one) => `parcel=${one}`).join('&')}`
  const refused = await read(staff.warehouse, path)
  expect(refused).toContain('0 of 4 can be done')
  expect(refused).toContain('This warehouse ships only with UPS')
  expect(refused).toContain('This parcel has a label already.')
  await shipOnlyWith(null)

  const preview = await read(staff.warehouse, path)
  expect(preview).toContain('3 of 4 can be done. Total: $115.20.')
  expect(preview).toContain('Sandbox Freight, $38.40.')
  expect(preview).toContain('Buy 3 labels for $115.20')
  expect(await read(staff.warehouse, `/office/parcels/${first}`)).not.toContain('$38.40')
  const hidden = Object.fromEntries(
    [...preview.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  // The second costs more than in the preview, and the third shipped meanwhile.
  const shipped = await staff.warehouse.ask(at(`/office/parcels/${third}`), {
    form: { intent: 'ship-own', carrier: 'UPS', tracking: '1Z999AA10123456784' },
  })
  expect(shipped.status).toBe(303)
  const form = { ...hidden, intent: 'do', [`agreed-${second}`]: '3839' }
  const answers = await Promise.all([1, 2].map(() => staff.warehouse.ask(at(path), { form })))
  const pages = await Promise.all(answers.map(async (answer) => (await answer.text()).replaceAll('<!-- -->', '')))
  for (const html of pages) {
    expect(html).toContain('The label costs $38.40 now.')
    expect(html).toContain('This parcel has a tracking number already.')
    expect(html).not.toContain('value="undo"')
  }
  expect(pages.filter((html) => html.includes('1 of 3 done'))).not.toEqual([])
  const labels = await store.database.db
    .selectFrom('shipment_label')
    .select('shipment_id')
    .where('shipment_id', 'in', [first ?? '', second ?? '', third ?? ''])
    .execute()
  expect(labels.map(({ shipment_id }) => shipment_id)).toEqual([first])
  expect(await read(staff.warehouse, `/office/parcels/${first}`)).toContain('$38.40')
  expect(await read(staff.support, '/office/parcels')).not.toContain('/office/bulk/buy-parcel-labels')
})

test('selected parcels are printed and marked shipped together, and skipped parcels have a reason', async () => {
  const otherOrder = await placeLabeledOrder(store, createVisitor(), 'lee.ross@example.com')
  const parcels = store.database.db.selectFrom('shipment')
  const { id: other } = await parcels.select('id').where('order_id', '=', otherOrder).executeTakeFirstOrThrow()
  const { id: gone } = await parcels
    .innerJoin('sales_order as o', 'o.id', 'shipment.order_id')
    .select('shipment.id')
    .where('shipment.state', '=', 'delivered')
    .where('o.fulfillment', '=', 'home')
    .executeTakeFirstOrThrow()
  const unknown = '0198c2f4-8d5e-7c10-a1b2-000000000001'
  const bulk = (act: string, ids: readonly string[]) =>
    `/office/bulk/${act}?${ids.map((one) => `parcel=${one}`).join('&')}`
  const idsIn = (html: string) => /name="parcels" value="([^"]*)"/.exec(html)?.[1] ?? ''
  const list = await read(staff.warehouse, '/office/parcels')
  expect(list).toMatch(new RegExp(`<input[^>]*name="parcel"[^>]*value="${other}"`))
  expect(list).toContain('formAction="/office/bulk/ship-parcels"')
  expect(await read(staff.support, '/office/parcels')).not.toContain('/office/bulk/ship-parcels')

  const slips = await read(staff.warehouse, bulk('print-parcel-slips', [id, other, gone, unknown, 'x', id]))
  expect(slips).toContain('2 of 3 can be done')
  expect(slips).toContain('Your role can’t see where it ships.')
  expect(idsIn(slips)).toBe(`${id},${other}`)
  const pdf = await staff.warehouse.ask(at(`/office/parcels/packing-slips.pdf?parcels=${idsIn(slips)}`))
  const printed = readPdf(new Uint8Array(await pdf.arrayBuffer()))
  for (const part of [`S-${orderId}`, `S-${otherOrder}`]) expect(printed).toContain(part)
  expect(await statusOf(staff.warehouse, `/office/parcels/packing-slips.pdf?parcels=${gone}`)).toBe(403)

  const labels = await eventually('the file of the other label', async () => {
    const html = await read(staff.warehouse, bulk('print-parcel-labels', [id, other, gone]))
    return html.includes('2 of 3 can be done') ? html : undefined
  })
  const zpl = await staff.warehouse.ask(at(`/office/parcels/labels.zpl?parcels=${idsIn(labels)}`))
  expect(zpl.headers.get('content-type')).toBe('application/zpl')
  expect((await zpl.text()).match(/\^XA/g)?.length).toBe(2)
  for (const odd of ['', 'x', unknown, `${id},${unknown}`, ','.repeat(900)])
    expect(await statusOf(staff.owner, `/office/parcels/labels.zpl?parcels=${odd}`), odd.slice(0, 50)).toBe(404)
  for (const role of staffRoles)
    if (!permits('parcels.ship', role))
      expect(await statusOf(staff[role], `/office/parcels/labels.zpl?parcels=${id}`), role).toBe(403)

  const path = bulk('ship-parcels', [other, gone])
  const preview = await read(staff.warehouse, path)
  expect(preview).toContain('1 of 2 can be done')
  expect(preview).toContain('It has shipped already.')
  const key = new RegExp(`name="row-${other}" value="([^"]+)"`).exec(preview)?.[1] ?? ''
  const form = { intent: 'do', [`row-${other}`]: key, [`row-${gone}`]: key, 'row-x': key, 'row-7': key }
  const result = await staff.warehouse.ask(at(path), { form })
  expect(result.status).toBe(200)
  const html = (await result.text()).replaceAll('<!-- -->', '')
  expect(html).toContain('1 of 2 done')
  expect(html).toContain('It has shipped already.')
  expect(html).toContain(`selected=${gone}`)
  const again = await staff.warehouse.ask(at(path), { form })
  expect((await again.text()).replaceAll('<!-- -->', '')).toContain('0 of 2 done')
  const { length: mails } = await store.database.db
    .selectFrom('message')
    .select('kind')
    .where('order_id', '=', otherOrder)
    .where('kind', '=', 'order-shipped')
    .execute()
  expect(mails).toBe(1)
  expect(await read(staff.warehouse, `/office/parcels/${other}`)).toContain('In transit')
})

test('a wrong carrier and tracking number stay in the form', async () => {
  const bad = await staff.warehouse.ask(at(page()), {
    form: { intent: 'ship-own', carrier: 'other', carrierName: '', tracking: '1Z <x>' },
  })
  expect(bad.status).toBe(422)
  const kept = (await bad.text()).replaceAll('<!-- -->', '')
  expect(kept).toContain('Enter the name of the carrier.')
  expect(kept).toContain('value="1Z &lt;x&gt;"')
})

test('a manifest is created once from a warehouse’s labels, printed, and shown on its parcels', async () => {
  const list = await read(staff.warehouse, `/office/parcels?warehouse=${warehouse}`)
  expect(list).toContain('Create manifest')
  const key = /name="key" value="([^"]+)"/.exec(list)?.[1] ?? ''
  const form = { intent: 'request', warehouse, key }
  for (const role of staffRoles)
    if (!permits('parcels.ship', role))
      expect((await staff[role].ask(at('/office/manifests'), { form })).status, role).toBe(403)
  const wrong = await staff.warehouse.ask(at('/office/manifests'), { form: { ...form, warehouse: '' } })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('Choose a warehouse.')

  const answers = await Promise.all([0, 1].map(() => staff.warehouse.ask(at('/office/manifests'), { form })))
  const [location = ''] = answers.map(({ headers }) => headers.get('location') ?? '')
  expect(location).toMatch(/^\/office\/manifests\/\d+\?done=requested$/)
  expect(answers.map(({ headers }) => headers.get('location'))).toEqual([location, location])
  const path = location.replace(/\?.*/, '')
  const number = `M-${path.split('/').at(-1)}`
  const shown = await read(staff.warehouse, location)
  for (const part of [number, 'Manifest created.', tracking, `S-${orderId}`, page()]) expect(shown).toContain(part)
  expect(shown).toMatch(/\d+ parcels? on the manifest/)
  for (const role of staffRoles) {
    const [reads, ships] = [permits('parcels.read', role), permits('parcels.ship', role)]
    expect(await statusOf(staff[role], path), role).toBe(reads ? 200 : 403)
    expect(await statusOf(staff[role], `${path}/manifest.pdf`), role).toBe(ships ? 200 : 403)
  }
  const pdf = await staff.warehouse.ask(at(`${path}/manifest.pdf`))
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect(Buffer.from(await pdf.arrayBuffer()).toString('latin1')).toContain(tracking)

  const again = await staff.warehouse.ask(at('/office/manifests'), {
    form: { ...form, key: '0198c2f4-8d5e-4c10-a1b2-000000000002' },
  })
  expect(again.status).toBe(422)
  expect(await again.text()).toContain('No labeled parcels are waiting for a manifest')
  const parcel = await read(staff.warehouse, page())
  expect(parcel).toContain(`href="${path}"`)
  expect(parcel).not.toContain('Ship with another carrier')
  expect(await read(staff.support, `/office/manifests?warehouse=${warehouse}`)).toContain(number)
  expect(await read(staff.support, '/office/manifests')).not.toContain('Create manifest')
  for (const odd of ['/office/manifests/0', '/office/manifests/x', '/office/manifests/999999/manifest.pdf'])
    expect(await statusOf(staff.owner, odd), odd).toBe(404)
  expect(await read(staff.owner, '/office/audit')).toContain('Requested a manifest')
})

test('a parcel is marked shipped once; the packer then no longer sees the address', async () => {
  const shipped = await staff.warehouse.ask(at(page()), { form: { intent: 'ship' } })
  expect(shipped.headers.get('location')).toBe(`${page()}?done=ship`)
  expect((await staff.warehouse.ask(at(page()), { form: { intent: 'ship' } })).status).toBe(303)
  const other = await staff.warehouse.ask(at(page()), {
    form: { intent: 'ship-own', carrier: 'UPS', carrierName: '', tracking: '1Z999' },
  })
  expect(other.status).toBe(409)
  expect(await other.text()).toContain(`shipped with tracking number ${tracking}`)

  expect(await read(staff.warehouse, '/office/parcels')).not.toContain(`S-${orderId}<`)
  const after = await read(staff.warehouse, page())
  expect(after).not.toContain(street)
  expect(after).toContain('Hidden for your role')
  for (const file of ['packing-slip.pdf', 'label.pdf', 'label.zpl'])
    expect(await statusOf(staff.warehouse, `${page()}/${file}`), file).toBe(403)
  expect(await statusOf(staff.warehouse, `/office/orders/${orderId}/packing-slips.pdf`)).toBe(403)
  expect(await statusOf(staff.manager, `${page()}/packing-slip.pdf`)).toBe(200)
  const mails = await store.database.db
    .selectFrom('message')
    .select('kind')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'order-shipped')
    .execute()
  expect(mails).toHaveLength(1)
})
