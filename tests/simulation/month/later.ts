/** What buyers, carriers and staff do about an order after it was placed, by its fate. */
import { newId } from '#platform/ids.ts'
import { storeDay } from '#platform/store-zone.ts'
import { askAs, attempt, together, visitorOf, type Life } from './life.ts'
import { companyOf, granted } from './place.ts'
import type { Fate, Placed } from './buyers.ts'

/** How each order is. */
type Status = {
  orderId: number
  state: string
  ref: string | null
  isCaptured: boolean
  isDelivered: boolean
  tracking: readonly string[]
}

/** Everything that is due for orders by now. */
export async function goOn(life: Life): Promise<void> {
  const status = await readStatus(life)
  const acting = life.placed.flatMap((order) => {
    const now = status.get(order.orderId)
    const act = acts[order.fate]
    return now && act ? [{ order, now, act }] : []
  })
  await together(acting, 4, async ({ order, now, act }) => {
    if (!act.isDue(now, order)) return
    await attempt(life, order.fate, String(order.orderId), () => act.run(life, order, now))
  })
  await office(life)
}

type Act = {
  isDue(now: Status, order: Placed): boolean
  run(life: Life, order: Placed, now: Status): Promise<boolean>
}

const isOpen = ({ state }: Status) => state === 'confirmed' || state === 'delivered'

const acts: Partial<Record<Fate, Act>> = {
  returned: {
    isDue: (now, { delivery }) => delivery === 'home' && now.isDelivered && isOpen(now),
    async run(life, order) {
      const { lines } = (await askAs(life, order, ['GET', `/orders/${order.orderId}`])) as {
        lines: { itemId: number; kind?: string }[]
      }
      const tires = [{ itemId: lines[0]?.itemId ?? 0, quantity: life.random.between(1, 4) }]
      const body = { tires, reason: 'changed-mind', unmounted: true }
      await askAs(life, order, ['POST', `/orders/${order.orderId}/returns`, body])
      return true
    },
  },
  'partly refunded': {
    isDue: (now) => now.isCaptured && isOpen(now),
    async run({ place }, { orderId }) {
      const words = { key: newId(), reason: 'late', bearer: 'carrier', note: '' }
      const form = { intent: 'refund', ...words, amount: '10.00', agreed: '1000' }
      await granted(place.people.staff, `${place.store.origin}/office/orders/${orderId}`, form)
      return true
    },
  },
  'claims a lower price': {
    isDue: (now) => now.isCaptured && isOpen(now),
    async run({ place, random }, order) {
      const { origin } = place.store
      const { year, month, day } = storeDay(place.clock.now())
      const form = new FormData()
      const fields = {
        orderNumber: String(order.orderId),
        competitor: 'Other Tires',
        link: 'https://othertires.com/alltide',
        price: `${random.between(20, 40)}.00`,
        shipping: '1',
        seenOn: `${month}/${day}/${year}`,
      }
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      const answer = await visitorOf(place, order).ask(`${origin}/price-guarantee`, { form })
      if (answer.status !== 303) throw new Error(`price guarantee: ${answer.status}`)
      return true
    },
  },
  disputed: {
    isDue: (now) => now.isCaptured && isOpen(now) && now.ref?.startsWith('pi_') === true,
    async run({ place: { store } }, _order, { ref }) {
      const body = new URLSearchParams({ act: 'dispute', reason: 'product_not_received' })
      const init = { method: 'POST', headers: { origin: store.sandboxOrigin }, body, redirect: 'manual' } as const
      const answer = await fetch(`${store.sandboxOrigin}/payments/${ref}/dispute`, init)
      if (answer.status !== 303) throw new Error(`dispute: ${answer.status}`)
      return true
    },
  },
  late: {
    isDue: (now) => !now.isDelivered && now.tracking.length > 0,
    async run({ place: { store } }, _order, { tracking }) {
      for (const number of tracking)
        await fetch(`${store.sandboxOrigin}/carrier/board/${number}/delay`, {
          method: 'POST',
          headers: { origin: store.sandboxOrigin },
          redirect: 'manual',
        })
      return true
    },
  },
}

/** Reads the orders with pending buyer actions. Completed ones aren't read again. */
async function readStatus({ place: { database }, placed, seen }: Life): Promise<Map<number, Status>> {
  const waiting = placed.filter(({ fate, orderId }) => fate in acts && !seen.has(`${fate} ${orderId}`))
  const ids = waiting.map(({ orderId }) => orderId)
  if (ids.length === 0) return new Map()
  const orders = await database.db
    .selectFrom('sales_order')
    .leftJoin('payment', 'payment.order_id', 'sales_order.id')
    .select([
      'sales_order.id',
      'sales_order.state',
      'payment.provider_ref as ref',
      'payment.captured_cents as captured',
    ])
    .where('sales_order.id', 'in', ids)
    .execute()
  const parcels = await database.db
    .selectFrom('shipment')
    .select(['order_id', 'delivered_at', 'tracking_number'])
    .where('order_id', 'in', ids)
    .execute()
  const parcelsOf = Map.groupBy(parcels, ({ order_id: id }) => id)
  return new Map(
    orders.map(({ id, state, ref, captured }) => {
      const own = parcelsOf.get(id) ?? []
      const status = {
        orderId: id,
        state,
        ref,
        isCaptured: (captured ?? 0) > 0,
        isDelivered: own.length > 0 && own.every(({ delivered_at: at }) => at !== null),
        tracking: own.flatMap(({ tracking_number: number }) => (number === null ? [] : [number])),
      }
      return [id, status]
    }),
  )
}

/** Runs the office's tasks. */
async function office(life: Life): Promise<void> {
  await decideHeld(life)
  await inspectReturns(life)
  await answerDisputes(life)
  await decideGuarantees(life)
  await recordPayments(life)
  await handOver(life)
  await answerDelays(life)
  await handOverRegistrations(life)
}

/** Sends manufacturers their tire registrations after three days. */
async function handOverRegistrations(life: Life): Promise<void> {
  const { place } = life
  const waiting = await place.database.db
    .selectFrom('tire_registration')
    .select(['brand', 'id'])
    .where('export_no', 'is', null)
    .where('installed_at', '<', place.clock.now().subtract({ hours: 72 }))
    .orderBy('id')
    .execute()
  for (const [brand, [first]] of Map.groupBy(waiting, (row) => row.brand))
    await attempt(life, 'registrations handed over', `${brand} ${first?.id}`, async () => {
      await granted(place.people.staff, `${place.store.origin}/office/tire-registrations`, { maker: brand })
      return true
    })
}

async function decideHeld(life: Life): Promise<void> {
  const { place } = life
  const held = await place.database.db
    .selectFrom('order_screening')
    .select('order_id')
    .where('outcome', '=', 'review')
    .where('decision', 'is', null)
    .execute()
  for (const { order_id: id } of held)
    await attempt(life, 'held order accepted', String(id), async () => {
      const url = `${place.store.origin}/office/held-orders/${id}`
      await granted(place.people.staff, url, { intent: 'accept', note: 'Called them.' })
      return true
    })
}

/** Receives, inspects, and refunds returned tires. */
async function inspectReturns(life: Life): Promise<void> {
  const { place } = life
  const { staff } = place.people
  const rows = await place.database.db
    .selectFrom('return_tire')
    .innerJoin('order_return', 'order_return.id', 'return_id')
    .select(['return_id as id', 'tire_no as no', 'return_tire.state'])
    .where('order_return.order_id', '>=', 104_001)
    .orderBy('return_id')
    .orderBy('tire_no')
    .execute()
  for (const [id, tires] of Map.groupBy(rows, (row) => row.id)) {
    // Continues a return that an outage interrupted.
    if (!tires.every(({ state }) => ['shipped', 'received', 'accepted'].includes(state))) continue
    await attempt(life, 'return refunded', String(id), async () => {
      const url = `${place.store.origin}/office/returns/${id}`
      const shipped = tires.filter(({ state }) => state === 'shipped')
      const received = Object.fromEntries(shipped.map(({ no }) => [`tire-${no}`, '1']))
      if (shipped.length > 0) await granted(staff, url, { intent: 'receive', ...received })
      const inspection = {
        intent: 'inspect',
        finding: '10/32 in',
        dot: 'sdwl 3126',
        isDotMatch: '1',
        outcome: 'restock',
      }
      for (const { no } of tires.filter(({ state }) => state !== 'accepted'))
        await granted(staff, url, { ...inspection, tire: String(no) })
      const html = (await (await staff.ask(url)).text()).replaceAll('<!-- -->', '')
      const agreed = /name="agreed" value="(\d+)"/.exec(html)?.[1] ?? ''
      await granted(staff, url, { intent: 'refund', fee: 'due', agreed })
      await putBack(life, id)
      return true
    })
  }
}

/** The warehouse counts what went back to stock. */
async function putBack({ place }: Life, returnId: number): Promise<void> {
  const { db } = place.database
  const tires = await db
    .selectFrom('return_tire')
    .innerJoin('order_line', (join) =>
      join
        .onRef('order_line.order_id', '=', 'return_tire.order_id')
        .onRef('order_line.line_no', '=', 'return_tire.line_no'),
    )
    .select('order_line.item_id as itemId')
    .where('return_id', '=', returnId)
    .execute()
  const [first] = tires
  const at = await db
    .selectFrom('stock')
    .innerJoin('warehouse', 'warehouse.id', 'warehouse_id')
    .select('warehouse_id as id')
    .where('item_id', '=', first?.itemId ?? 0)
    .where('supplier_id', 'is', null)
    .orderBy('warehouse_id')
    .executeTakeFirstOrThrow()
  const units = String(tires.length)
  const form = { intent: 'adjust', key: newId(), warehouse: String(at.id), reason: 'returned', units, note: '' }
  await granted(place.people.staff, `${place.store.origin}/office/stock/${first?.itemId}`, form)
}

async function answerDisputes(life: Life): Promise<void> {
  const { place } = life
  const disputes = await place.database.db
    .selectFrom('dispute')
    .select(['id'])
    .where('order_id', '>=', 104_001)
    .where('withdrawn_cents', '>', 0)
    .execute()
  for (const { id } of disputes)
    await attempt(life, 'dispute answered', String(id), async () => {
      const notes = id % 2 === 0 ? 'winning_evidence' : 'losing_evidence'
      await granted(place.people.staff, `${place.store.origin}/office/disputes/D-${id}`, { intent: 'submit', notes })
      return true
    })
}

async function decideGuarantees(life: Life): Promise<void> {
  const { place } = life
  const open = await place.database.db
    .selectFrom('price_guarantee_request')
    .select('id')
    .where('state', '=', 'open')
    .where('order_id', '>=', 104_001)
    .execute()
  for (const { id } of open)
    await attempt(life, 'price guarantee decided', String(id), async () => {
      const form =
        id % 3 === 0 ? { intent: 'refuse', reason: 'Not the same tire.' } : { intent: 'approve', amount: '12.50' }
      await granted(place.people.staff, `${place.store.origin}/office/guarantees/G-${id}`, form)
      return true
    })
}

/** The company on terms pays its invoices after ten days, by transfer. */
async function recordPayments(life: Life): Promise<void> {
  const { place } = life
  const before = storeDay(place.clock.now()).subtract({ days: 10 })
  const open = await place.database.db
    .selectFrom('invoice')
    .select(['order_id as orderId', 'amount_cents as amount', 'paid_cents as paid'])
    .where('state', '=', 'open')
    .where('order_id', '>=', 104_001)
    .where('issued_on', '<=', before.toString())
    .execute()
  if (open.length === 0) return
  const company = await companyOf(place.database, 'sol@example.com')
  for (const { orderId, amount, paid } of open)
    await attempt(life, 'invoice paid', String(orderId), async () => {
      const left = ((amount - paid) / 100).toFixed(2)
      const form = { intent: 'payment', order: String(orderId), amount: left, reference: `ACH-${orderId}` }
      await granted(place.people.staff, `${place.store.origin}/office/companies/${company}`, form)
      return true
    })
}

/** Prepares counter pickups and releases them to customers with the code. */
async function handOver(life: Life): Promise<void> {
  const { place, placed } = life
  const { origin } = place.store
  const open = await place.database.db
    .selectFrom('warehouse_pickup')
    .innerJoin('sales_order', 'sales_order.id', 'order_id')
    .select(['order_id as orderId', 'ready_at as readyAt'])
    .where('order_id', '>=', 104_001)
    .where('handed_over_at', 'is', null)
    .where('sales_order.state', '=', 'confirmed')
    .execute()
  for (const { orderId, readyAt } of open) {
    const url = `${origin}/office/pickups/${orderId}`
    const { staff } = place.people
    if (readyAt === null) {
      await attempt(life, 'pickup made ready', String(orderId), async () => {
        await granted(staff, url, { intent: 'ready' })
        return true
      })
      continue
    }
    await attempt(life, 'pickup handed over', String(orderId), async () => {
      const buyer = placed.find((one) => one.orderId === orderId)
      const page = buyer && (await visitorOf(place, buyer).ask(`${origin}/track-your-order/result?order=${orderId}`))
      const words = ((await page?.text()) ?? '').replaceAll('<!-- -->', '').replaceAll(/<[^>]+>/g, ' ')
      const code = /pickup code[^\d]{1,80}(\d{3} \d{3})/i.exec(words)?.[1]
      if (code === undefined) throw new Error(`no pickup code on the page of the order`)
      await granted(staff, url, { intent: 'hand-over', code, pieces: '4', id: '1' })
      return true
    })
  }
}

/** Half of the customers with late orders choose to wait. The others don't respond. */
async function answerDelays(life: Life): Promise<void> {
  const { place, placed } = life
  const open = await place.database.db
    .selectFrom('delay_notice')
    .select(['order_id as orderId', 'notice_no as no'])
    .where('answer', 'is', null)
    .where('order_id', '>=', 104_001)
    .execute()
  for (const { orderId, no } of open) {
    const order = placed.find((one) => one.orderId === orderId)
    if (!order || orderId % 2 === 1) continue
    await attempt(life, 'delay answered', `${orderId} ${no}`, async () => {
      await granted(visitorOf(place, order), `${place.store.origin}/track-your-order/delay/${orderId}`, {
        answer: 'wait',
      })
      return true
    })
  }
}
