/** The office's home page, with tasks, next appointments and best sellers, limited by role. */
import type { PictureRef } from '#app/ui/tire-picture.tsx'
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import { fullSizeOf } from '#domain/catalog/catalog/catalog.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { selectNextAppointments, selectSoldTires, type NextAppointment } from '#domain/ordering/orders/orders.server.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { findTireStock } from '#domain/supply/stock/stock.server.ts'
import { dayText, monthDayText, weekdayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { clockText, localClock, zoneName } from '#platform/time-text.ts'
import { itemPictureKey } from '#pictures/pictures.ts'
import type { Application } from '#application'
import type { QueueReader } from './counts.server.ts'
import { customerFieldsFor, type CustomerFields } from '#app/views/customer-fields.server.ts'
import { dueOf, maxCounted, officeQueues, type Entry, type Queue } from './queues.server.ts'
import { ageText, leftText, timerTo } from './times.ts'

export type QueueRow = {
  slug: string
  title: string
  path: string
  count: number
  /** "Due 3:00 PM", "1 overdue" or "No deadline", and how soon or how old in `when`. */
  due: string
  when: string
  tone: 'stop' | 'caution' | 'plain'
  /** The oldest entries by name, each with its page, if it has one. */
  first: { name: string; path: string | null }[]
  /** The oldest entry with its age. */
  oldest: string
}

export type HomeQueues = {
  waiting: QueueRow[]
  empty: { slug: string; title: string; path: string }[]
}

type Entries = { queue: Queue; entries: Entry[] }

/** Reads the queues visible to these roles, those with work by deadline, then the empty ones. */
export async function readHomeQueues(
  roles: readonly StaffRole[],
  { now, read }: { now: Temporal.Instant; read: QueueReader },
): Promise<HomeQueues> {
  const customers = customerFieldsFor(roles)
  const mine = officeQueues.filter(({ permission }) => staffCan(roles, permission))
  const all = await Promise.all(mine.map(async (queue) => ({ queue, entries: await read(queue) })))
  return {
    waiting: all
      .filter(({ entries }) => entries.length > 0)
      .map((each) => ({ row: rowOf(each, { now, customers }), rank: rankOf(each, now) }))
      .toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1])
      .map(({ row }) => row),
    empty: all
      .filter(({ entries }) => entries.length === 0)
      .map(({ queue }) => ({ slug: queue.slug, title: queue.title, path: pathOf(queue) })),
  }
}

export type HomeAppointment = {
  orderPath: string
  time: string
  name: string
  tires: string
  shop: string
  isInBay: boolean
  state: { tone: Tone; words: string }
}

const appointmentsShown = 5

/** The cars in a bay and the next appointments, each in its shop's time. `zone` is the one that all times are in, or null. */
export async function readHomeAppointments(
  app: Pick<Application, 'db' | 'clock'>,
  roles: readonly StaffRole[],
): Promise<{ rows: HomeAppointment[]; zone: string | null }> {
  const now = app.clock.now()
  const customers = customerFieldsFor(roles)
  const rows = await selectNextAppointments(app.db, { now, limit: appointmentsShown })
  const zones = new Set(rows.map(({ start, timeZone }) => zoneName(start, timeZone)))
  const hasZones = zones.size > 1
  const shown = rows.map((row) => ({
    orderPath: officePaths.officeOrder(row.orderId),
    time: startText(row, { now, hasZones }),
    name: customers.isShown ? (row.company ?? `${row.firstName} ${row.lastName}`) : orderNumber(row.orderId),
    tires: row.tires.join(', '),
    shop: row.shop,
    isInBay: row.inBayAt !== null,
    state: stateOf(row, { now, hasZones }),
  }))
  return { rows: shown, zone: hasZones ? null : ([...zones][0] ?? null) }
}

function startText(
  { start, timeZone }: NextAppointment,
  { now, hasZones }: { now: Temporal.Instant; hasZones: boolean },
): string {
  const time = hasZones ? clockText(start, timeZone) : localClock(start, timeZone)
  const day = start.toZonedDateTimeISO(timeZone).toPlainDate()
  return dayedText(time, day, now.toZonedDateTimeISO(timeZone).toPlainDate())
}

/** About the tires, until the car is in the bay. */
function stateOf(
  { inBayAt, units, atShop, dueOn, timeZone }: NextAppointment,
  { now, hasZones }: { now: Temporal.Instant; hasZones: boolean },
) {
  if (inBayAt)
    return {
      tone: 'signal',
      words: `Started ${hasZones ? clockText(inBayAt, timeZone) : localClock(inBayAt, timeZone)}`,
    } as const
  if (atShop >= units) return { tone: 'go', words: 'Tires at shop' } as const
  if (atShop > 0) return { tone: 'stop', words: `${atShop} of ${units} at shop` } as const
  if (dueOn === null) return { tone: 'stop', words: 'No tires at shop' } as const
  const due = Temporal.PlainDate.from(dueOn)
  const isToday = due.equals(now.toZonedDateTimeISO(timeZone).toPlainDate())
  return { tone: 'plain', words: isToday ? 'Arrives today' : `Arrives ${monthDayText(due)}` } as const
}

export type SellingRow = {
  itemId: number
  picture: PictureRef | null
  tire: string
  /** Null if the tire is no longer in the catalog, where `tire` includes it. */
  size: string | null
  path: string | null
  sold: number
  stock: number
  /** Under seven days of sales are left. */
  isLow: boolean
  /** Null for roles that do not read reports. */
  sales: string | null
}

/** The five tires that sold most in the period; `hasSales` is whether the roles read reports. */
export async function readSelling(
  app: Pick<Application, 'db' | 'clock' | 'catalog'>,
  roles: readonly StaffRole[],
  days: number,
): Promise<{ rows: SellingRow[]; hasSales: boolean }> {
  const hasSales = staffCan(roles, 'reports.read')
  const now = app.clock.now()
  const first = storeDay(now).subtract({ days: days - 1 })
  const from = first.toZonedDateTime(storeZone).toInstant()
  const sold = await selectSoldTires(app.db, { from, now, limit: appointmentsShown })
  const rows = await Promise.all(
    sold.map(async ({ itemId, tire, units, netCents, weekUnits }) => {
      const [found, item] = await Promise.all([findTireStock(app, itemId), findItem(app.catalog, itemId)])
      const stock = found ? found.places.reduce((sum, { free }) => sum + free, 0) : 0
      return {
        itemId,
        picture: item ? { itemId, key: itemPictureKey(item) } : null,
        tire: item ? `${item.line.brand.name} ${item.line.name}` : tire,
        size: item ? fullSizeOf(item) : null,
        path: staffCan(roles, 'stock.read') ? officePaths.officeStockItem(itemId) : null,
        sold: units,
        stock,
        isLow: stock < weekUnits,
        sales: hasSales ? formatCents(netCents) : null,
      }
    }),
  )
  return { rows, hasSales }
}

/** One queue's oldest entries, each with its page. */
export async function readQueuePage(app: Application, roles: readonly StaffRole[], queue: Queue) {
  const now = app.clock.now()
  const customers = customerFieldsFor(roles)
  const entries = await queue.read(app, maxCounted + 1)
  return {
    title: queue.title,
    hasMore: entries.length > maxCounted,
    rows: entries.slice(0, maxCounted).map((entry) => {
      const due = dueOf(queue, entry)
      return {
        label: nameOf(entry, customers),
        path: entry.path ?? null,
        age: ageText(entry.since, now),
        timer: due ? timerTo(due, now) : null,
      }
    }),
  }
}

/** Ranks overdue first, then due, then without a deadline, each by its earliest entry. */
function rankOf({ queue, entries }: Entries, now: Temporal.Instant): [kind: number, at: number] {
  const due = firstDue(queue, entries)
  if (!due) return [2, Math.min(...entries.map(({ since }) => since.epochMilliseconds))]
  return [Temporal.Instant.compare(due, now) <= 0 ? 0 : 1, due.epochMilliseconds]
}

function rowOf(
  { queue, entries }: Entries,
  { now, customers }: { now: Temporal.Instant; customers: CustomerFields },
): QueueRow {
  const byDue = entries.toSorted((a, b) => keyOf(queue, a) - keyOf(queue, b))
  const [oldest] = entries.toSorted((a, b) => Temporal.Instant.compare(a.since, b.since))
  const overdue = entries.filter((entry) => isPast(dueOf(queue, entry), now)).length
  const path = entries.length === 1 ? (entries[0]?.path ?? pathOf(queue)) : pathOf(queue)
  return {
    slug: queue.slug,
    title: queue.title,
    path,
    count: Math.min(entries.length, maxCounted),
    ...deadline(firstDue(queue, entries), { now, overdue, age: oldest ? ageText(oldest.since, now) : '' }),
    first: byDue.slice(0, 2).map((entry) => ({ name: nameOf(entry, customers), path: entry.path ?? null })),
    oldest: oldest ? `${nameOf(oldest, customers)}, ${ageText(oldest.since, now)}` : '',
  }
}

function nameOf({ label, customer }: Entry, customers: CustomerFields): string {
  return customer !== undefined && customers.isShown ? `${label} ${customer}` : label
}

function pathOf({ slug, path }: Queue): string {
  return path ?? officePaths.officeQueue(slug)
}

/** Entries without a deadline come last, oldest first. */
function keyOf(queue: Queue, entry: Entry): number {
  return dueOf(queue, entry)?.epochMilliseconds ?? 1e15 + entry.since.epochMilliseconds
}

function firstDue(queue: Queue, entries: readonly Entry[]): Temporal.Instant | undefined {
  return entries
    .flatMap((entry) => dueOf(queue, entry) ?? [])
    .toSorted(Temporal.Instant.compare)
    .at(0)
}

function isPast(due: Temporal.Instant | undefined, now: Temporal.Instant): boolean {
  return due !== undefined && Temporal.Instant.compare(due, now) <= 0
}

/** Red while overdue or within the hour, amber within 36 hours. */
function deadline(
  due: Temporal.Instant | undefined,
  { now, overdue, age }: { now: Temporal.Instant; overdue: number; age: string },
): Pick<QueueRow, 'due' | 'when' | 'tone'> {
  if (!due) return { due: 'No deadline', when: `oldest ${age}`, tone: 'plain' }
  if (overdue > 0) return { due: `${overdue} overdue`, when: `oldest ${age}`, tone: 'stop' }
  const hours = due.since(now).total('hours')
  return {
    due: `Due ${dueText(due, now)}`,
    when: `in ${leftText(due, now) ?? ''}`,
    tone: hours <= 1 ? 'stop' : hours <= 36 ? 'caution' : 'plain',
  }
}

/** The time of a day in the store's zone, with the weekday or the date unless it is today. */
function dueText(due: Temporal.Instant, now: Temporal.Instant): string {
  const day = storeDay(due)
  const time = localClock(due, storeZone)
  return dayedText(time, day, storeDay(now))
}

/** A time with its weekday within a week, and with its date beyond; alone if it is today's. */
function dayedText(time: string, day: Temporal.PlainDate, today: Temporal.PlainDate): string {
  if (day.equals(today)) return time
  return `${today.until(day).days < 7 ? weekdayText(day) : dayText(day)}, ${time}`
}
