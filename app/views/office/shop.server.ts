/** The office's shop page, with details, hours, prices, team and history. */
import type { Staff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { countAppointmentsAhead, countBays, offerTimes } from '#domain/scheduling/booking/booking.server.ts'
import { openingWeekText } from '#app/views/opening-week-text.ts'
import {
  listShopMembers,
  readShopTerms,
  readVanZips,
  selectShopEvents,
  type ShopRecord,
} from '#domain/scheduling/installers/installers.server.ts'
import { shopRoleNames, usualSet, type ShopRate } from '#domain/scheduling/installers/installers.ts'
import { readShopRates, selectBalances } from '#domain/installer-portal/payouts/payouts.server.ts'
import { pricedJobs, rimBands, rimBandText } from '#domain/installer-portal/portal/portal.ts'
import { readProfileRequest, seenRequest } from '#domain/installer-portal/shops/shops.server.ts'
import { actLabel, staffCan } from '#domain/kernel/staff/staff.ts'
import { changeText, listAudit } from '#domain/kernel/staff/staff.server.ts'
import { countOf } from '#platform/count-text.ts'
import { dateText, dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText, zoneName } from '#platform/time-text.ts'

type Fact = { label: string; value: string; meta?: string }
type Reader = Pick<Staff, 'app' | 'session'>

const freeDays = 7

/** Appointments ahead, on time, rating, free times of a week, and pay due for who may see it. */
export async function readShopFacts({ app, session }: Reader, record: ShopRecord): Promise<Fact[]> {
  const now = app.clock.now()
  const { id, timeZone, ratingTenths, ratingCount, onTimePercent } = record
  const ahead = (await countAppointmentsAhead(app.db, [id], now)).get(id)
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const offered = await offerTimes(app, { shopId: id, tires: usualSet, arrivesOn: today, zip: record.zip })
  const week = offered.ok ? offered.value.days.slice(0, freeDays) : []
  const free = week.reduce((sum, day) => sum + day.freeTimes, 0)
  const all = week.reduce((sum, day) => sum + day.times.length, 0)
  const seesPay = staffCan(session.roles, 'pay.read')
  const owed = seesPay ? ((await selectBalances(app.db, [id])).get(id)?.owedCents ?? 0) : 0
  return [
    {
      label: 'Appointments ahead',
      value: String(ahead?.count ?? 0),
      ...(ahead?.next && { meta: `Next: ${timeText(ahead.next, timeZone)}` }),
    },
    { label: 'On time', value: onTimePercent === null ? 'Not rated' : `${onTimePercent}%` },
    {
      label: 'Rating',
      value: ratingTenths === null ? 'None' : (ratingTenths / 10).toFixed(1),
      ...(ratingCount > 0 && { meta: countOf(ratingCount, 'rating') }),
    },
    { label: `Free times, ${countOf(freeDays, 'day')}`, value: String(free), ...(all > 0 && { meta: `of ${all}` }) },
    ...(seesPay ? [{ label: 'Pay due', value: formatCents(owed) }] : []),
  ]
}

export type ShopPricesView = {
  bands: { key: string; label: string }[]
  rows: { id: string; name: string; cells: { band: string; price: string; paid: string | null }[] }[]
  extras: [string, string][]
}

/** Today's prices per tire, with what the shop is paid for who may see it. */
async function readPrices(
  { app, session }: Reader,
  { id: shopId, timeZone }: ShopRecord,
  rates: readonly ShopRate[],
): Promise<ShopPricesView> {
  const paid = staffCan(session.roles, 'pay.read') ? await readShopRates(app, { shopId, timeZone }) : []
  return {
    bands: rimBands.map((band) => ({ key: String(band[0]), label: `${rimBandText(band)} in` })),
    rows: pricedJobs
      .filter(({ job }) => rates.some((rate) => rate.job === job))
      .map(({ job, name }) => ({
        id: job,
        name,
        cells: rimBands.map((band, index) => {
          const rate = rates.find((each) => each.job === job && each.rimFromIn <= band[0] && band[0] <= each.rimToIn)
          const cents = paid[index]?.cents.find((each) => each.job === job)?.cents ?? null
          return {
            band: String(band[0]),
            price: rate ? formatCents(rate.installCents) : 'Not taken',
            paid: cents === null ? null : formatCents(cents),
          }
        }),
      })),
    extras: rates[0]
      ? [
          ['Sensor service kit', formatCents(rates[0].serviceKitCents)],
          ['Old tire disposal', formatCents(rates[0].disposalCents)],
        ]
      : [],
  }
}

/** Hours, bays, closed days and prices of today. What the shop is paid is left out for who may not see it. */
export async function readShopTermsView({ app, session }: Reader, record: ShopRecord) {
  const { db, clock } = app
  const { id: shopId, timeZone, code, isInSetUp, kind } = record
  const today = clock.now().toZonedDateTimeISO(timeZone).toPlainDate()
  const [terms, bays, zips] = await Promise.all([
    readShopTerms(db, shopId, today),
    countBays(db, shopId),
    kind === 'van' ? readVanZips(db, shopId) : null,
  ])
  const next = terms?.closures[0]
  const mayWork = staffCan(session.roles, 'shops.edit')
  return {
    zone: zoneName(clock.now(), timeZone),
    hours: [
      ...openingWeekText(terms?.hours ?? []),
      ['Bays', `${bays.bays}${kind === 'van' ? '' : `, ${countOf(bays.dropOffs, 'drop-off place')}`}`],
      ...(next ? [['Next closed', `${dayText(Temporal.PlainDate.from(next.on))}, ${next.reason}`]] : []),
      ...(zips ? [['Service area', countOf(zips.length, 'ZIP code')]] : []),
    ] as [string, string][],
    prices: await readPrices({ app, session }, record, terms?.rates ?? []),
    portal: mayWork
      ? [
          isInSetUp
            ? { label: 'Open onboarding', path: portalPaths.setUp(code) }
            : { label: 'Open hours and bays', path: portalPaths.capacity(code) },
          ...(isInSetUp ? [] : [{ label: 'Open prices', path: portalPaths.prices(code) }]),
          ...(kind === 'van' ? [{ label: 'Open service area', path: portalPaths.area(code) }] : []),
        ]
      : [],
  }
}

/** The people of a shop with their emails, for who may see them; null otherwise. */
export async function readShopPeople({ app, session }: Reader, { id }: ShopRecord) {
  if (!staffCan(session.roles, 'shop-applications.read')) return null
  return (await listShopMembers(app, id)).map(({ email, name, role }) => ({ email, name, role: shopRoleNames[role] }))
}

/** Returns the owner's requested name and address, with the current ones; null without a request. */
export async function readRequestView({ app }: Reader, record: ShopRecord) {
  const request = await readProfileRequest(app, record.id)
  if (!request) return null
  const place = ({ street, city, zip }: Pick<ShopRecord, 'street' | 'city' | 'zip'>) => `${street}, ${city} ${zip}`
  return {
    seen: seenRequest(request),
    by: request.requestedBy ?? 'The shop',
    on: dateText(request.requestedAt.toZonedDateTimeISO(storeZone).toPlainDate().toString()),
    rows: [
      ['Name', request.name === record.name ? record.name : `${record.name} → ${request.name}`],
      ['Address', place(request) === place(record) ? place(record) : `${place(record)} → ${place(request)}`],
    ] as [string, string][],
  }
}

const shownEvents = 12

const eventLabels: Readonly<Record<string, string>> = {
  capacity: 'Changed hours and bays from',
  'capacity-withdrawn': 'Withdrew hours and bays from',
  'closed-day': 'Closed on',
  'opened-day': 'Opened on',
  prices: 'Changed prices from',
  'prices-withdrawn': 'Withdrew prices from',
  area: 'Changed the service area:',
  profile: 'Changed the profile:',
  'profile-requested': 'Requested a new name or address:',
  'profile-approved': 'New name or address approved:',
  'profile-declined': 'New name or address declined:',
}

/** The latest changes by staff and by the shop's people, newest first. */
export async function readShopHistory({ app, session }: Reader, { id, code }: ShopRecord): Promise<[string, string][]> {
  if (!staffCan(session.roles, 'shop-applications.read')) return []
  const query = { actor: null, act: null, subject: code, from: null, until: null, before: null }
  const { entries } = await listAudit(app, query)
  const kinds = Object.keys(eventLabels).filter((kind) => !kind.startsWith('profile-')) as never[]
  const events = await selectShopEvents(app.db, { shopId: id, acts: kinds, limit: shownEvents })
  return [
    ...entries.map((entry) => ({
      at: entry.at,
      who: entry.actor,
      text: [actLabel(entry.act), changeText(entry), entry.reason].filter(Boolean).join('. '),
    })),
    ...events.map(({ at, who, act, note }) => ({
      at,
      who: who ?? 'The shop',
      text: `${eventLabels[act] ?? act} ${note.replace(/^\d{4}-\d{2}-\d{2}/, dateText)}`,
    })),
  ]
    .toSorted((one, other) => Temporal.Instant.compare(other.at, one.at))
    .slice(0, shownEvents)
    .map(({ at, who, text }) => [`${timeText(at, storeZone)}, ${who}`, text])
}

/** Other pages about the shop that the reader may open. */
export function pagesAbout({ session }: Pick<Reader, 'session'>, { code, name }: ShopRecord) {
  const can = (permission: Parameters<typeof staffCan>[1]) => staffCan(session.roles, permission)
  return [
    ...(can('orders.read') ? [{ label: 'Appointments', path: officePaths.officeAppointments({ shop: name }) }] : []),
    ...(can('pay.read') ? [{ label: 'Pay', path: officePaths.officeShopPay(code) }] : []),
    ...(can('certifications.read') ? [{ label: 'Certification', path: officePaths.officeCertifiedShops() }] : []),
  ]
}
