/** Simulates shop and van staff, who receive tires, serve customers, and finish jobs. */
import type { Visitor } from '#tests/support/visitor.ts'
import { askAs, attempt, count, together, type Life } from './life.ts'
import { granted } from './place.ts'

type Job = { bookingId: string; code: string; isMissing: boolean; end: Temporal.Instant }

/** Processes appointments that have started, with each shop's own staff. */
export async function workInShops(life: Life): Promise<void> {
  await together(await dueJobs(life), 6, (job) =>
    attempt(life, 'job', `${job.bookingId} ${job.end.toString()}`, () => work(life, job)),
  )
}

/** Returns appointments with an arrival window that ended 15 minutes ago. */
async function dueJobs({ place: { database, clock } }: Life): Promise<Job[]> {
  const rows = await database.db
    .selectFrom('booking')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .leftJoin('work_order', 'work_order.booking_id', 'booking.id')
    .select(['booking.id', 'shop.code'])
    .select(({ fn }) => fn<Temporal.Instant>('upper', ['booking.during']).as('end'))
    .select(({ selectFrom, exists }) =>
      exists(
        selectFrom('shipment')
          .select('shipment.id')
          .whereRef('shipment.order_id', '=', 'booking.order_id')
          .where('shipment.delivered_at', 'is', null),
      ).as('missing'),
    )
    .where('booking.state', '=', 'confirmed')
    .where('sales_order.state', '=', 'confirmed')
    .where('booking.order_id', '>=', 104_001)
    .where(({ or, eb }) =>
      or([eb('work_order.state', 'is', null), eb('work_order.state', 'in', ['arrived', 'in-bay'])]),
    )
    .orderBy('booking.id')
    .execute()
  const now = clock.now().subtract({ minutes: 16 })
  return rows
    .filter(({ end }) => Temporal.Instant.compare(end, now) <= 0)
    .map(({ id, code, end, missing }) => ({ bookingId: id, code, end, isMissing: Boolean(missing) }))
}

async function work(life: Life, job: Job): Promise<boolean> {
  const { place, random } = life
  const { technician } = place.people
  const url = `${place.store.origin}/portal/${job.code}/jobs/${job.bookingId}`
  const send = (form: Record<string, string>) => granted(technician, url, form)
  const dice = random.between(1, 100)
  if (job.isMissing || dice <= 2) {
    await send({ intent: 'refused', because: job.isMissing ? 'other' : 'rim', 'why-refused': 'The tires are not here' })
    return did(life, job.isMissing ? 'job: tires not there' : 'job: refused')
  }
  if (dice <= 6) {
    await send({ intent: 'no-show' })
    return did(life, 'job: no-show')
  }
  const html = await read(technician, url)
  for (const [, line = '', received, quantity] of html.matchAll(
    /name="line" value="(\d+)".*?<output[^>]*>(\d+) of (\d+)</gs,
  ))
    for (let piece = Number(received); piece < Number(quantity); piece += 1) await send({ intent: 'more', line })
  for (const intent of ['arrived', 'in-bay']) await send({ intent })
  const wheels = wheelFields(await read(technician, url))
  await send({ intent: 'finish', ...wheels, odometer: '41,836', signedName: 'Robin Hale', signed: 'yes' })
  return did(life, 'job: finished')
}

/** Counts the job's outcome instead of the job. */
function did(life: Life, act: string): boolean {
  count(life, act)
  return false
}

async function read(visitor: Visitor, url: string): Promise<string> {
  return (await (await visitor.ask(url)).text()).replaceAll('<!-- -->', '')
}

/** The fields of the tires on the page of a job, each filled in. */
function wheelFields(html: string): Record<string, string> {
  const names = [...html.matchAll(/name="((?:tin|tread)-\d+-\d+)"/g)].map(([, name]) => name ?? '')
  return Object.fromEntries(names.map((name) => [name, name.startsWith('tin') ? '7B3 KXYZ92 0126' : '4']))
}

/** Owners enter where they are paid to, at the provider's own page; a third of them does not. */
export async function enterBanks({ place: { store, people, database } }: Life): Promise<void> {
  const shops = await database.db
    .selectFrom('shop')
    .innerJoin('shop_member', 'shop_member.shop_id', 'shop.id')
    .select('shop.code')
    .where('shop_member.email', '=', 'shop-owner@example.com')
    .where('shop.active', '=', true)
    .orderBy('shop.id')
    .execute()
  const chosen = shops.filter((_, at) => at % 3 !== 2)
  await together(chosen, 4, async ({ code }) => {
    const page = await granted(people.owner, `${store.origin}/portal/${code}/pay/bank`, {})
    const body = new URLSearchParams({ routing: '110000000', account: '000123456789' })
    await (await fetch(page, { method: 'POST', body, redirect: 'manual' })).body?.cancel()
  })
}

/** Customers with a failed job or a no-show book another time. */
export async function chooseAgain(life: Life): Promise<void> {
  const { place, placed } = life
  const lost = await place.database.db
    .selectFrom('work_order')
    .innerJoin('booking', 'booking.id', 'work_order.booking_id')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .select(['booking.order_id as orderId', 'booking.id'])
    .where('work_order.state', 'in', ['refused', 'no-show'])
    .where('sales_order.state', '=', 'confirmed')
    .where('booking.order_id', '>=', 104_001)
    .execute()
  for (const { orderId, id } of lost) {
    const order = placed.find((one) => one.orderId === orderId)
    if (order) await attempt(life, 'takes another time', id, () => takeTime(life, order))
  }
}

type Opening = { start: string; date?: string; window?: string | null }

async function takeTime(life: Life, order: Life['placed'][number]): Promise<boolean> {
  const path = `/orders/${order.orderId}/appointment`
  const { openings } = (await askAs(life, order, ['GET', `${path}/times`])) as { openings: Opening[] }
  if (openings.length === 0) return false
  const { version } = (await askAs(life, order, ['GET', path])) as { version: unknown }
  const { start, date, window } = life.random.pick(openings)
  const choice = window && date ? { date, window } : { start }
  await askAs(life, order, ['POST', `${path}/time`, { version, ...choice }])
  return true
}
