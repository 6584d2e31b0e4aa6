/** A shop's hours and bays, its prices, and a van's service area, as forms of the back office with the scheduled changes. */
import type { Staff } from '#app/server/office.server.ts'
import { capacityChoices, capacityLabels, timeChoices } from '#app/ui/capacity-choices.ts'
import { priceLabels } from '#app/ui/price-labels.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { townsOf } from '#app/views/van-towns.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  capacityFacts,
  capacityValues,
  hoursLines,
  longestArea,
  minutesField,
  priceField,
  pricedJobs,
  pricesValues,
  rimBands,
  rimBandText,
  serviceFields,
  timeFields,
} from '#domain/installer-portal/portal/portal.ts'
import { readCapacity, readPrices, seenArea, type HurtJob } from '#domain/installer-portal/portal/portal.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { CapacityPlan, HurtBooking } from '#domain/scheduling/booking/booking.server.ts'
import { dropOffWindowNames, dropOffWindows } from '#domain/scheduling/booking/booking.ts'
import { readVanZips, type ShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { serviceKinds, weekdayNames } from '#domain/scheduling/installers/installers.ts'
import { countOf } from '#platform/count-text.ts'
import { dateText, dayText } from '#platform/day-text.ts'
import { clockRangeText, zoneName } from '#platform/time-text.ts'

type Reader = Pick<Staff, 'app' | 'session'>
type Rows = [label: string, value: string][]

/** A field with its label and its value. */
type TermField = { name: string; label: string; value: string }

/** A scheduled change. `rows` are the changed values. */
type ScheduledChange = { day: string; title: string; rows: Rows }

const rowsListed = 12

/** Returns the scheduled changes among versions, which are sorted by starting day. */
function scheduledChanges<Version extends { from: string | null }>(
  versions: readonly Version[],
  today: Temporal.PlainDate,
  rowsOf: (version: Version) => Rows,
): { now: Version | undefined; scheduled: ScheduledChange[] } {
  const isAhead = ({ from }: Version) => from !== null && from > today.toString()
  return {
    now: versions.findLast((version) => !isAhead(version)),
    scheduled: versions.flatMap((version, index): ScheduledChange[] => {
      if (version.from === null || !isAhead(version)) return []
      const before = versions[index - 1]
      const old = before ? rowsOf(before) : []
      const rows = rowsOf(version).flatMap(([label, value], row): Rows => {
        const was = old[row]?.[1]
        return was === value ? [] : [[label, was === undefined ? value : `${was} → ${value}`]]
      })
      const more = rows.length - rowsListed
      return [
        {
          day: version.from,
          title: `Starting ${dateText(version.from)}`,
          rows: more > 0 ? [...rows.slice(0, rowsListed), ['More', countOf(more, 'change')]] : rows,
        },
      ]
    }),
  }
}

function planRows(plan: CapacityPlan): Rows {
  return [
    ['Hours', hoursLines(plan.hours).join('; ') || 'Closed'],
    ...capacityFacts(plan).map(({ name, words }): [string, string] => [name, words]),
  ]
}

const misfits: Readonly<Record<HurtBooking['reason'], string>> = {
  'closed-day': 'The shop is closed that day.',
  hours: 'Outside the shop’s hours.',
  lunch: 'During lunch.',
  bay: 'On a bay that the shop doesn’t have then.',
  'drop-off': 'Outside the shop’s drop-off places and times.',
  technicians: 'More cars than the shop services in parallel.',
}

/** Lists appointments that don't fit, each with its order's page. */
export function misfitRows({ session }: Pick<Reader, 'session'>, hurt: readonly HurtJob[], timeZone: string) {
  const customers = customerFieldsFor(session.roles)
  return hurt.flatMap(({ start, end, reason, job }) =>
    job
      ? [
          {
            path: officePaths.officeOrder(job.orderId),
            name: `${orderNumber(job.orderId)}, ${customers.show(`${job.firstName} ${job.lastInitial}.`)}`,
            note: `${dayText(start.toZonedDateTimeISO(timeZone).toPlainDate())}, ${clockRangeText(start, end, timeZone)}. ${misfits[reason]}`,
          },
        ]
      : [],
  )
}

/** Reads the hours, bays, and closed days of a shop. */
export async function readShopHours(reader: Reader, { id: shopId, timeZone }: ShopRecord) {
  const { app } = reader
  const { plans, version, closures, hurt, today } = await readCapacity(app, { shopId, timeZone })
  const latest = plans.at(-1)
  const values = latest ? capacityValues(latest) : {}
  const field = (name: string, label = capacityLabels[name] ?? ''): TermField => ({
    name,
    label,
    value: values[name] ?? '',
  })
  const { now, scheduled } = scheduledChanges(plans, today, planRows)
  return {
    version,
    zone: zoneName(app.clock.now(), timeZone),
    first: today.add({ days: 1 }).toString(),
    week: weekdayNames.map((day, index) => ({
      day,
      opens: field(`opens-${index + 1}`, `${day} opens`),
      closes: field(`closes-${index + 1}`, `${day} closes`),
    })),
    times: timeChoices,
    lunch: [field('lunchFrom'), field('lunchTo')],
    numbers: [field('bays'), field('technicians'), field('dropOffs')],
    windows: dropOffWindowNames.map((name) => ({
      name,
      label: dropOffWindows[name].name,
      isOn: values[name] === 'on',
    })),
    rules: Object.entries(capacityChoices).map(([name, options]) => ({ ...field(name), options })),
    labels: { ...capacityLabels, from: 'Starting' },
    now: now && scheduled.length > 0 ? planRows(now) : null,
    scheduled,
    closures: closures.map(({ on, reason }) => ({ on, text: `${dateText(on)}, ${reason}` })),
    misfits: misfitRows(reader, hurt, timeZone),
  }
}

/** Reads the prices and service durations of a shop. */
export async function readShopPriceLists({ app }: Pick<Reader, 'app'>, { id: shopId, timeZone }: ShopRecord) {
  const { lists, version } = await readPrices(app, shopId)
  const today = app.clock.now().toZonedDateTimeISO(timeZone).toPlainDate()
  const latest = lists.at(-1)
  const values = latest ? pricesValues(latest) : {}
  const field = (name: string, label = priceLabels[name] ?? ''): TermField => ({
    name,
    label,
    value: values[name] ?? '',
  })
  const { scheduled } = scheduledChanges(lists, today, priceRows)
  return {
    version,
    first: today.add({ days: 1 }).toString(),
    jobs: pricedJobs.map(({ job, name, isRequired }) => ({
      id: job,
      name,
      isRequired,
      rows: rimBands.map((band) => ({
        rims: `${rimBandText(band)} in`,
        price: field(priceField(job, band[0])),
        minutes: field(minutesField(job, band[0])),
      })),
    })),
    services: serviceKinds.map(({ key, name, unit }) => {
      const fields = serviceFields(key)
      return { name, unit, price: field(fields.price), minutes: field(fields.minutes) }
    }),
    anyTire: [field('kit'), field('disposal')],
    extraMinutes: timeFields.map(({ name }) => field(name)),
    labels: { ...priceLabels, from: 'Starting' },
    scheduled,
  }
}

/** Reads the ZIP codes of a mobile installer; undefined for other shops. */
export async function readShopArea({ app }: Pick<Reader, 'app'>, { id, kind }: ShopRecord) {
  const zips = kind === 'van' ? await readVanZips(app.db, id) : undefined
  if (!zips) return undefined
  const codes = zips.map(({ zip }) => zip)
  return { seen: seenArea(codes), text: codes.join(' '), max: longestArea, towns: townsOf(zips) }
}

const notTaken = 'not taken'
const notOffered = 'not offered'

/** The values of a price list, the same number for each list. */
function priceRows(list: Parameters<typeof pricesValues>[0]): Rows {
  const values = pricesValues(list)
  const dollars = (name: string) => (values[name] === undefined ? notTaken : `$${values[name]}`)
  return [
    ...pricedJobs.flatMap(({ job, name }) =>
      rimBands.map((band): [string, string] => {
        const price = values[priceField(job, band[0])]
        const minutes = values[minutesField(job, band[0])]
        return [`${name}, ${rimBandText(band)} in`, price === undefined ? notTaken : `$${price}, ${minutes ?? ''} min`]
      }),
    ),
    ...['kit', 'disposal'].map((name): [string, string] => [priceLabels[name] ?? '', dollars(name)]),
    ...timeFields.map(({ name, label }): [string, string] => [label, `${values[name] ?? ''} min`]),
    ...serviceKinds.map(({ key, name }): [string, string] => {
      const fields = serviceFields(key)
      const price = values[fields.price]
      return [name, price === undefined ? notOffered : `$${price}, ${values[fields.minutes] ?? ''} min`]
    }),
  ]
}
