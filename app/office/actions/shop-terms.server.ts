/**
 * The capacity, prices, and service area of a shop, and its requested profile changes. Staff change them in the portal in
 * the name of the shop. A record's ID is the shop's code.
 */
import { z } from 'zod'
import { defineActions, formAction, type ActionCall, type RecordValue } from '#app/office/define-actions.server.ts'
import { vanAreaMessages } from '#content/messages/van-area.ts'
import {
  changeCapacity,
  planPrices,
  readCapacity,
  readPrices,
  saveVanArea,
  seenArea,
  withdrawPrices,
  type CapacityChange,
  type HurtJob,
} from '#domain/installer-portal/portal/portal.server.ts'
import {
  blackoutForm,
  capacityDayForm,
  capacityForm,
  capacityValues,
  longestArea,
  minutesField,
  parseArea,
  priceField,
  pricedJobs,
  pricesForm,
  rateFor,
  rimBands,
  serviceFields,
  timeFields,
} from '#domain/installer-portal/portal/portal.ts'
import {
  decideProfileRequest,
  findShopRecord,
  readProfileRequest,
  seenRequest,
} from '#domain/installer-portal/shops/shops.server.ts'
import { profileDecisionForm } from '#domain/installer-portal/shops/shops.ts'
import type { CapacityPlan } from '#domain/scheduling/booking/booking.server.ts'
import { dropOffWindowNames } from '#domain/scheduling/booking/booking.ts'
import { readVanZips, type PriceList } from '#domain/scheduling/installers/installers.server.ts'
import { countOf } from '#platform/count-text.ts'
import { refused } from '#platform/outcome.ts'
import type { Application } from '#application'
import { shopRefusals } from './shops.server.ts'

/** The longest code that is looked up. */
const maxCode = 40
const shopOf = (app: Application, id: string) => findShopRecord(app, id.slice(0, maxCode))

const shared = { resource: 'shops', permission: 'shops.edit' } as const
const inSetUp = 'The shop isn’t open yet. Its owner enters this during onboarding.'
const dayRefusals = {
  'in-set-up': inSetUp,
  past: { text: 'This day has already started. Choose a later day.' },
  'too-far': { text: 'Choose a day within a year.' },
  'too-many': 'No more changes can be scheduled. Remove one first.',
  'no-plan': 'This change was already removed.',
}

/** `basedOn` is the version that was read; null for changes that don't replace anything that was read. */
async function change(
  { app, by, id }: ActionCall,
  { seen, basedOn = null, ...asked }: { change: CapacityChange; seen: string | null; basedOn?: string | null },
) {
  const shop = await shopOf(app, id)
  if (!shop) return refused('not-found')
  const made = await changeCapacity(
    app,
    { staff: by, shopId: shop.id },
    { ...asked, seen, timeZone: shop.timeZone, ...(basedOn !== null && { basedOn }) },
  )
  return !made.ok && made.reason === 'changed-meanwhile' ? refused('changed-meanwhile') : made
}

function appointmentsOf(hurt: readonly HurtJob[]) {
  return hurt.map(({ bookingId, start, end, reason, job }) => ({
    id: bookingId,
    start: start.toString(),
    end: end.toString(),
    reason,
    orderId: job?.orderId ?? null,
  }))
}

const seenField = {
  seen: z
    .string()
    .max(100)
    .nullish()
    .transform((text) => text || null),
}
const basedOnField = z.string('Send the version that you read.').max(60)

export const shopCapacityActions = defineActions({
  ...shared,
  part: 'capacity',
  noun: 'shop capacity',
  actions: {
    change: formAction(
      {
        summary: 'Change the hours, bays, and booking rules of a shop',
        description:
          'From the day `from` on. Weekday 1 is Monday, times are in minutes after midnight, and a weekday that is left out is closed. If appointments don’t fit, the change is refused with these appointments and `seen`. Send it again with `seen` to make the change. Appointments aren’t moved.',
        form: capacityForm.and(z.object({ basedOn: basedOnField })),
      },
      (call, { seen, basedOn, ...version }) => change(call, { change: { kind: 'version', ...version }, seen, basedOn }),
    ),
    withdraw: formAction(
      { summary: 'Remove a scheduled capacity change', form: capacityDayForm },
      (call, { day, seen }) => change(call, { change: { kind: 'withdraw', day }, seen }),
    ),
    close: formAction(
      { summary: 'Close a shop on a day', form: blackoutForm.extend(seenField) },
      (call, { seen, ...closure }) => change(call, { change: { kind: 'close', closure }, seen }),
    ),
    open: formAction(
      { summary: 'Open a shop on a day that it was closed', form: capacityDayForm },
      (call, { day, seen }) => change(call, { change: { kind: 'open', day }, seen }),
    ),
  },
  refusals: {
    ...dayRefusals,
    hurts: ({ hurt, seen }) => ({
      text: `${countOf(hurt.length, 'appointment does', 'appointments do')} not fit this change. Send it again with \`seen\` to make it.`,
      data: { seen, appointments: appointmentsOf(hurt) },
    }),
  },
  async read(app, id) {
    const shop = await shopOf(app, id)
    if (!shop) return undefined
    const { plans, version, closures, hurt } = await readCapacity(app, { shopId: shop.id, timeZone: shop.timeZone })
    const latest = plans.at(-1)
    return {
      basedOn: version,
      ...(latest && capacityFieldsOf(latest)),
      versions: plans.map(({ from, until, bays, dropOffs, madeBy }) => ({ from, until, bays, dropOffs, madeBy })),
      closures: closures.map(({ on, reason }) => ({ on, reason })),
      appointments: appointmentsOf(hurt),
    }
  },
  facts: z.object({
    versions: z
      .array(
        z.object({
          from: z.string().nullable(),
          until: z.string().nullable(),
          bays: z.int(),
          dropOffs: z.int(),
          madeBy: z.string().nullable(),
        }),
      )
      .meta({ description: 'Sorted by start date. The other fields describe the last version' }),
    closures: z.array(z.object({ on: z.iso.date(), reason: z.string() })),
    appointments: z
      .array(
        z.object({
          id: z.string(),
          start: z.string(),
          end: z.string(),
          reason: z.string(),
          orderId: z.int().nullable(),
        }),
      )
      .meta({ description: 'Those that don’t fit the capacity' }),
  }),
})

const capacityNumbers = [
  'lunchFrom',
  'lunchTo',
  'bays',
  'technicians',
  'dropOffs',
  'buffer',
  'lead',
  'notice',
  'walkIn',
  'slot',
] as const

/** A version's fields in the API. */
function capacityFieldsOf(plan: CapacityPlan): Record<string, RecordValue> {
  const values = capacityValues(plan)
  return {
    hours: plan.hours.map(({ weekday, opens, closes }) => ({ weekday: String(weekday), opens, closes })),
    ...Object.fromEntries(capacityNumbers.map((name) => [name, values[name] ? Number(values[name]) : null])),
    ...Object.fromEntries(dropOffWindowNames.map((name) => [name, plan.dropOffWindows.includes(name)])),
  }
}

export const shopPriceActions = defineActions({
  ...shared,
  part: 'prices',
  noun: 'shop price list',
  actions: {
    change: formAction(
      {
        summary: 'Change the prices of a shop',
        description:
          'From the day `from` on. `basedOn` is the version that you read. The prices of quotes, reservations, and orders don’t change.',
        form: pricesForm.refine(({ basedOn }) => basedOn !== null, {
          path: ['basedOn'],
          message: 'Send the version that you read.',
        }),
      },
      async ({ app, by, id }, list) => {
        const shop = await shopOf(app, id)
        if (!shop) return refused('not-found')
        return planPrices(app, { staff: by, shopId: shop.id }, { timeZone: shop.timeZone, list })
      },
    ),
    withdraw: formAction(
      { summary: 'Remove a scheduled price list', form: capacityDayForm.pick({ day: true }) },
      async ({ app, by, id }, { day: from }) => {
        const shop = await shopOf(app, id)
        if (!shop) return refused('not-found')
        return withdrawPrices(app, { staff: by, shopId: shop.id }, { timeZone: shop.timeZone, from })
      },
    ),
  },
  refusals: dayRefusals,
  async read(app, id) {
    const shop = await shopOf(app, id)
    if (!shop) return undefined
    const { lists, version } = await readPrices(app, shop.id)
    const latest = lists.at(-1)
    return {
      basedOn: version,
      ...(latest && fieldsOf(latest)),
      versions: lists.map(({ from, until, madeBy }) => ({ from, until, madeBy })),
    }
  },
  facts: z.object({
    versions: z
      .array(z.object({ from: z.string().nullable(), until: z.string().nullable(), madeBy: z.string().nullable() }))
      .meta({ description: 'Sorted by start date. The other fields describe the last version' }),
  }),
})

/** A list's fields in the API. */
function fieldsOf({ rates, times, services }: PriceList): Record<string, number> {
  const [first] = rates
  return {
    ...(first && { kit: first.serviceKitCents, disposal: first.disposalCents }),
    ...Object.fromEntries(
      pricedJobs.flatMap(({ job }) =>
        rimBands.flatMap(([rimFromIn]) => {
          const rate = rateFor(rates, job, rimFromIn)
          if (!rate) return []
          return [
            [priceField(job, rimFromIn), rate.installCents],
            [minutesField(job, rimFromIn), rate.minutesPerTire],
          ]
        }),
      ),
    ),
    ...Object.fromEntries(timeFields.map(({ name }) => [name, times[name]])),
    ...Object.fromEntries(
      services.flatMap(({ service, priceCents, minutes }) => {
        const fields = serviceFields(service)
        return [
          [fields.price, priceCents],
          [fields.minutes, minutes],
        ]
      }),
    ),
  }
}

const areaForm = z.object({
  zips: z.string('Enter at least one ZIP code.').max(longestArea).describe('Separated by spaces or commas'),
  seen: z.string('Send the version that you read.').max(60),
})

export const vanAreaActions = defineActions({
  ...shared,
  part: 'area',
  noun: 'service area',
  actions: {
    change: formAction(
      {
        summary: 'Change the service area of a mobile installer',
        description: '`seen` is the version that you read. Booked appointments don’t change.',
        form: areaForm,
      },
      async ({ app, by, id }, { zips, seen }) => {
        const shop = await shopOf(app, id)
        if (!shop) return refused('not-found')
        const read = parseArea(zips)
        if (!read.ok)
          return refused('odd', read.why === 'odd' ? vanAreaMessages.odd(read.odd) : vanAreaMessages[read.why])
        const saved = await saveVanArea(app, { staff: by, shopId: shop.id }, { zips: read.zips, seen })
        return !saved.ok && saved.reason === 'stale' ? refused('changed-meanwhile') : saved
      },
    ),
  },
  refusals: {
    odd: (text) => ({ fields: { zips: text } }),
    'bad-zips': (zips) => ({ fields: { zips: vanAreaMessages.bad(zips) } }),
    'no-van': vanAreaMessages['no-van'],
  },
  async read(app, id) {
    const shop = await shopOf(app, id)
    const zips = shop && (await readVanZips(app.db, shop.id))
    if (!zips) return undefined
    const codes = zips.map(({ zip }) => zip)
    return { zips: codes.join(' '), seen: seenArea(codes) }
  },
})

async function decide({ app, by, id }: ActionCall, isApproved: boolean, asked: z.output<typeof profileDecisionForm>) {
  const shop = await shopOf(app, id)
  return shop ? decideProfileRequest(app, by, { code: shop.code, isApproved, ...asked }) : refused('gone')
}

/** A name or address that the owner requested. */
export const profileRequestActions = defineActions({
  ...shared,
  part: 'profile-request',
  noun: 'profile request',
  actions: {
    approve: formAction(
      {
        summary: 'Approve the profile change of a shop',
        description: '`seen` is that of the request that you read.',
        form: profileDecisionForm,
      },
      (call, asked) => decide(call, true, asked),
    ),
    decline: formAction(
      {
        summary: 'Decline the profile change of a shop',
        description: 'The owner sees the `reason`.',
        form: profileDecisionForm,
      },
      (call, asked) => decide(call, false, asked),
    ),
  },
  refusals: {
    ...shopRefusals,
    'no-reason': { field: 'reason', text: 'Enter the reason. The owner sees it.' },
  },
  async read(app, id) {
    const shop = await shopOf(app, id)
    const request = shop && (await readProfileRequest(app, shop.id))
    if (!request) return undefined
    const { name, street, city, zip, requestedAt, requestedBy } = request
    return { seen: seenRequest(request), name, street, city, zip, requestedBy, requestedAt: requestedAt.toString() }
  },
  facts: z.object({
    name: z.string(),
    street: z.string(),
    city: z.string(),
    zip: z.string(),
    requestedBy: z.string().nullable(),
    requestedAt: z.string().meta({ format: 'date-time' }),
  }),
})
