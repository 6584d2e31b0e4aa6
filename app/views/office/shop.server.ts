/** The office's shop page, with details, hours, prices, team and history. */
import type { Staff } from '#app/server/office.server.ts'
import type { ListTab } from '#app/ui/office/list-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { countOnTime } from '#domain/installer-portal/appointments/appointments.server.ts'
import { selectApplicationOfShop } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import { statusNames } from '#domain/installer-portal/shops/shops.ts'
import { countAppointmentsAhead, countBays, offerTimes } from '#domain/scheduling/booking/booking.server.ts'
import { openingWeekText } from '#app/views/opening-week-text.ts'
import { readShopPrices } from '#app/views/office/shop-price-rows.server.ts'
import {
  listShopMembers,
  listShopRecipients,
  readShopOwnership,
  readShopTerms,
  readVanZips,
  selectShopEvents,
  type ShopRecord,
} from '#domain/scheduling/installers/installers.server.ts'
import { shopRoleNames, usualSet } from '#domain/scheduling/installers/installers.ts'
import { readPayOverview, selectAccount } from '#domain/installer-portal/payouts/payouts.server.ts'
import { readProfileRequest, seenRequest } from '#domain/installer-portal/shops/shops.server.ts'
import { actLabel, staffCan } from '#domain/kernel/staff/staff.ts'
import { changeText, listAudit } from '#domain/kernel/staff/staff.server.ts'
import { countOf, countOrNone, countText } from '#platform/count-text.ts'
import { dateText, dayText, monthText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText, zoneName } from '#platform/time-text.ts'

type Fact = { label: string; value: string; meta?: string }
type Reader = Pick<Staff, 'app' | 'session'>

const freeDays = 7
const onTimeDays = 30

/** Appointments ahead, on time, rating, free times of a week, and pay due for who may see it. */
export async function readShopFacts(
  { app, session }: Reader,
  record: ShopRecord,
): Promise<{ facts: Fact[]; ahead: number }> {
  const now = app.clock.now()
  const { id, timeZone, ratingTenths, ratingCount } = record
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const [ahead, offered, { rated, onTime }, pay] = await Promise.all([
    countAppointmentsAhead(app.db, [id], now),
    offerTimes(app, { shopId: id, tires: usualSet, arrivesOn: today, zip: record.zip }),
    countOnTime(app.db, { shopId: id, from: now.subtract({ hours: 24 * onTimeDays }) }),
    staffCan(session.roles, 'pay.read') ? readPayOverview(app, { shopId: id, timeZone }) : null,
  ])
  const week = offered.ok ? offered.value.days.slice(0, freeDays) : []
  const free = week.reduce((sum, day) => sum + day.freeTimes, 0)
  const all = week.reduce((sum, day) => sum + day.times.length, 0)
  const { count = 0, next } = ahead.get(id) ?? {}
  const facts = [
    {
      label: 'Appointments ahead',
      value: countText(count),
      ...(next && { meta: `next: ${timeText(next, timeZone)}` }),
    },
    {
      label: `On time, ${countOf(onTimeDays, 'day')}`,
      value: rated === 0 ? 'Not rated' : `${(Math.round((onTime * 1000) / rated) / 10).toString()}%`,
      ...(rated > 0 && { meta: `${countText(onTime)} of ${countText(rated)}` }),
    },
    {
      label: 'Rating',
      value: ratingTenths === null ? 'None' : (ratingTenths / 10).toFixed(1),
      ...(ratingCount > 0 && { meta: countOf(ratingCount, 'rating') }),
    },
    {
      label: `Free times, ${countOf(freeDays, 'day')}`,
      value: countText(free),
      ...(all > 0 && { meta: `of ${countText(all)}` }),
    },
    ...(pay ? [{ label: 'Pay due', value: formatCents(pay.owedCents), ...dueMeta(pay.next, timeZone) }] : []),
  ]
  return { facts, ahead: count }
}

function dueMeta(next: Awaited<ReturnType<typeof readPayOverview>>['next'], timeZone: string): { meta?: string } {
  if (!next) return {}
  return { meta: `${dayText(next.dueAt.toZonedDateTimeISO(timeZone))} · ${countOf(next.jobs, 'job')}` }
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
      ['Bays', `${bays.bays}${kind === 'van' ? '' : `, with ${countOf(bays.dropOffs, 'drop-off place')}`}`],
      ...(next ? [['Next closed', `${dayText(Temporal.PlainDate.from(next.on))}, ${next.reason}`]] : []),
      ...(zips ? [['Service area', countOf(zips.length, 'ZIP code')]] : []),
    ] as [string, string][],
    prices: await readShopPrices({ app, session }, record, terms ?? { rates: [], servicePrices: [] }),
    portal: mayWork
      ? [
          isInSetUp
            ? { label: 'Open onboarding', path: portalPaths.setUp(code) }
            : { label: 'Edit hours and bays', path: officePaths.officeShopHours(code) },
          ...(kind === 'van' ? [{ label: 'Edit service area', path: officePaths.officeShopArea(code) }] : []),
        ]
      : [],
    pricesPath: mayWork && !isInSetUp ? officePaths.officeShopPrices(code) : null,
  }
}

export type ShopPeopleView = {
  owner: { name: string; email: string } | null
  others: { email: string; name: string; role: string }[]
  count: number
  /** Who is notified of new bookings. */
  notified: string
}

/** The people of a shop with their emails, for who may see them; null otherwise. */
export async function readShopPeople({ app, session }: Reader, { id }: ShopRecord): Promise<ShopPeopleView | null> {
  if (!staffCan(session.roles, 'shop-applications.read')) return null
  const [members, told] = await Promise.all([listShopMembers(app, id), listShopRecipients(app.db, id, 'booked')])
  const owner = members.find(({ role }) => role === 'owner') ?? null
  const technicians = members.filter(({ role }) => role === 'technician').length
  const [emails, phones] = [told.filter(({ isEmailed }) => isEmailed), told.filter(({ phone }) => phone !== null)]
  const ways = [
    ...(emails.length > 0 ? [`${countOf(emails.length, 'person', 'people')} by email`] : []),
    ...(phones.length > 0 ? [`${countOf(phones.length, 'person', 'people')} by text`] : []),
  ]
  return {
    owner: owner && { name: owner.name, email: owner.email },
    others: members.filter((each) => each !== owner).map((each) => ({ ...each, role: shopRoleNames[each.role] })),
    count: members.length,
    notified: [
      `${countOrNone(technicians, 'technician')}.`,
      ways.length > 0 ? `New bookings go to ${ways.join(' and ')}.` : 'New bookings notify no team members.',
    ].join(' '),
  }
}

export type ShopAgreementView = { isComplete: boolean; rows: [label: string, value: string][] }

/** When the owner accepted the agreement, and the bank account for staff who may see pay. */
export async function readShopAgreement(
  { app, session }: Reader,
  { id }: ShopRecord,
): Promise<ShopAgreementView | null> {
  if (!staffCan(session.roles, 'shop-applications.read')) return null
  const seesPay = staffCan(session.roles, 'pay.read')
  const [application, account] = await Promise.all([
    selectApplicationOfShop(app.db, id),
    seesPay ? selectAccount(app.db, { shopId: id }) : undefined,
  ])
  const isReady = account?.state === 'ready'
  return {
    isComplete: application !== undefined && (isReady || !seesPay),
    rows: [
      [
        'Signed',
        application
          ? dateText(application.submittedAt.toZonedDateTimeISO(storeZone).toPlainDate().toString())
          : 'No application. Staff added the shop.',
      ],
      ...(application ? [['Version', application.agreementVersion] as [string, string]] : []),
      ...(seesPay ? [['Bank', bankText(account)] as [string, string]] : []),
    ],
  }
}

function bankText(account: Awaited<ReturnType<typeof selectAccount>>): string {
  if (!account) return 'Not connected'
  const ending = account.bankLast4 === null ? '' : `, ending ${account.bankLast4}`
  return `${account.state === 'ready' ? 'Verified' : 'Not verified'}${ending}`
}

export type ShopVanView = {
  name: string
  path: string
  state: string
  isOpen: boolean
  meta: string
  area: string | null
}

/** When the shop joined, and its owners' vans. `area` is the portal page for staff who may edit it. */
export async function readShopVans({ app, session }: Reader, { id }: ShopRecord) {
  const { since, vans } = await readShopOwnership(app, id)
  const ahead = await countAppointmentsAhead(
    app.db,
    vans.map((van) => van.id),
    app.clock.now(),
  )
  const mayEdit = staffCan(session.roles, 'shops.edit')
  return {
    since: since && monthText(since.toZonedDateTimeISO(storeZone).toPlainDate().toPlainYearMonth()),
    vans: vans.map(({ id: vanId, code, name, status, isInSetUp, zips }): ShopVanView => ({
      name,
      path: officePaths.officeShop(code),
      state: isInSetUp && status === 'open' ? 'Onboarding' : statusNames[status],
      isOpen: status === 'open' && !isInSetUp,
      meta: `${countOf(zips, 'ZIP code')} · ${countOf(ahead.get(vanId)?.count ?? 0, 'appointment')} ahead`,
      area: mayEdit ? officePaths.officeShopArea(code) : null,
    })),
    addVan: mayEdit ? officePaths.officeNewShop() : null,
  }
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

export type ShopHistoryEntry = { at: string; day: string; who: string; text: string }

/** The latest changes by staff and by the shop's people, newest first. */
export async function readShopHistory({ app, session }: Reader, { id, code }: ShopRecord): Promise<ShopHistoryEntry[]> {
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
    .map(({ at, who, text }) => ({
      at: timeText(at, storeZone),
      day: dateText(at.toZonedDateTimeISO(storeZone).toPlainDate().toString()),
      who,
      text,
    }))
}

/** The tabs of a shop's pages. `ahead` is the number of appointments, and `people` the number of team members. */
export function shopTabs(
  reader: Pick<Reader, 'session'>,
  record: ShopRecord,
  { at, ahead = 0, people = 0 }: { at: 'profile' | 'hours' | 'area' | 'prices'; ahead?: number; people?: number },
): ListTab[] {
  const { code, kind, isInSetUp } = record
  const home = officePaths.officeShop(code)
  const maySetArea = kind === 'van' && staffCan(reader.session.roles, 'shops.edit')
  const mayEdit = staffCan(reader.session.roles, 'shops.edit') && !isInSetUp
  const tab = (label: string, path: string, isOn = false) => ({ label, path, isOn })
  return [
    tab('Profile', home, at === 'profile'),
    tab(
      kind === 'van' && !maySetArea ? 'Hours and area' : 'Hours and bays',
      mayEdit ? officePaths.officeShopHours(code) : `${home}#hours`,
      at === 'hours',
    ),
    ...(maySetArea ? [tab('Service area', officePaths.officeShopArea(code), at === 'area')] : []),
    tab('Prices', mayEdit ? officePaths.officeShopPrices(code) : `${home}#prices`, at === 'prices'),
    ...pagesAbout(reader, record, ahead).map((page) => ({ ...page, isOn: false })),
    ...(staffCan(reader.session.roles, 'shop-applications.read')
      ? [{ ...tab('People', `${home}#members`), ...(people > 0 && { count: people }) }]
      : []),
    tab('History', `${home}#history`),
  ]
}

/** Other pages about the shop that the reader may open. */
function pagesAbout({ session }: Pick<Reader, 'session'>, { code, name }: ShopRecord, ahead: number) {
  const can = (permission: Parameters<typeof staffCan>[1]) => staffCan(session.roles, permission)
  return [
    ...(can('orders.read')
      ? [
          {
            label: 'Appointments',
            path: officePaths.officeAppointments({ shop: name }),
            ...(ahead > 0 && { count: ahead }),
          },
        ]
      : []),
    ...(can('pay.read') ? [{ label: 'Pay', path: officePaths.officeShopPay(code) }] : []),
    ...(can('certifications.read') ? [{ label: 'Certification', path: officePaths.officeCertifiedShops() }] : []),
  ]
}
