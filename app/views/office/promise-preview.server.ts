/** Previews delivery dates with unsaved warehouse settings. */
import { z } from 'zod'
import type { FormEffect } from '#app/forms/form.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { earliestTimes } from '#domain/scheduling/booking/booking.server.ts'
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { usualSet } from '#domain/scheduling/installers/installers.ts'
import { findWarehouse, listTransit } from '#domain/supply/delivery/delivery.server.ts'
import {
  promiseDelivery,
  releaseAfterSeconds,
  shipsTo,
  warehouseForm,
  type Warehouse,
  type WarehouseDraft,
} from '#domain/supply/delivery/delivery.ts'
import { countOf } from '#platform/count-text.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { dayText } from '#platform/day-text.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

/** The warehouse form with a destination. */
export const promisePreviewForm = z.intersection(
  warehouseForm,
  z.object({
    shopperZip: z
      .string()
      .trim()
      .regex(/^\d{5}$/, 'Enter a five-digit ZIP code.'),
  }),
)

type Input = Settings & Pick<WarehouseDraft, 'name' | 'zip' | 'timeZone'> & { shopperZip: string }
type PreviewRefusal = 'zip-unknown' | 'destination-unknown' | 'not-shipped' | 'zone-off'

/**
 * Returns the steps of an order placed now until its installation, calculated like the delivery date of an order, with
 * the dates under the saved settings of warehouse `id` (null for a new one). Refuses ZIP codes without coordinates,
 * military ones, and those in a zone that is off.
 */
export async function previewPromise(
  app: Pick<Application, 'db' | 'clock' | 'calendars'>,
  id: number | null,
  { shopperZip, ...draft }: Input,
): Promise<Outcome<FormEffect, { [Reason in PreviewRefusal]: Refused<Reason> }[PreviewRefusal]>> {
  const { db, clock } = app
  const [from, to] = [await findOrigin(db, draft), await findPlace(db, shopperZip)]
  if (!from) return refused('zip-unknown')
  if (to?.region === 'MILITARY') return refused('not-shipped')
  if (to?.latitude == null || to.longitude == null) return refused('destination-unknown')
  const destination = { latitude: to.latitude, longitude: to.longitude, region: to.region, zip: shopperZip }
  const transitByZip = await readTransitByZip(db, id)
  if (!shipsTo({ ...draft, ...from }, destination)) return refused('zone-off')
  const now = clock.now()
  const promise = (settings: Settings, origin: Origin) =>
    promiseDelivery({
      now,
      releaseAfterSeconds,
      warehouse: { ...settings, ...origin, transitByZip, id: 0, code: '' },
      destination,
    })
  const then = promise(draft, from)
  const saved = id === null ? undefined : await findWarehouse({ db }, id)
  const savedOrigin = saved && (await findOrigin(db, saved))
  const before =
    saved && savedOrigin && shipsTo({ ...saved, ...savedOrigin }, destination) ? promise(saved, savedOrigin) : undefined
  const was = (day: 'shipsOn' | 'arrivesOn') =>
    before && !before[day].equals(then[day]) ? `Was ${dayText(before[day])}` : ''
  return ok({
    isSteps: true,
    rows: [
      { label: 'Ordered now', value: timeText(now, from.timeZone) },
      {
        label: 'Released',
        note: 'After the cancellation window',
        value: timeText(now.add({ seconds: releaseAfterSeconds }), from.timeZone),
      },
      { label: `Leaves ${draft.name}`, note: was('shipsOn'), value: dayText(then.shipsOn) },
      {
        label: `Arrives in ${to.city}, ${to.state}`,
        note: [`${countOf(then.transitDays, 'business day')} in transit`, was('arrivesOn')].filter(Boolean).join('. '),
        value: dayText(then.arrivesOn),
      },
      await firstAppointment(app, shopperZip, then.arrivesOn),
    ],
    note: before && !before.arrivesOn.equals(then.arrivesOn) ? 'Orders already placed don’t change.' : '',
  })
}

/** The maximum number of shops checked for a free time. */
const shopsConsidered = 5

/** Returns the first free time for four common tires at the nearest shop that has one. */
async function firstAppointment(
  app: Pick<Application, 'db' | 'clock' | 'calendars'>,
  zip: string,
  arrivesOn: Temporal.PlainDate,
): Promise<FormEffect['rows'][number]> {
  const label = 'First appointment'
  const near = await findShopsNear(app, { near: { zip }, tires: usualSet, limit: shopsConsidered })
  const shops = near.ok ? near.value : []
  const asks = shops.map(({ id }) => ({ shopId: id, tires: usualSet, arrivesOn }))
  const times = await earliestTimes(app, { asks, limit: 1 })
  const place = times.findIndex(([first]) => first !== undefined)
  const [shop, first] = [shops[place], times[place]?.[0]]
  return shop && first
    ? { label, note: `At ${shop.name}`, value: timeText(first.start, shop.timeZone) }
    : { label, value: 'No shop near this ZIP code has a free time.' }
}

type Settings = Pick<
  Warehouse,
  'cutoff' | 'dayCutoffs' | 'handlingDays' | 'transit' | 'unservedZones' | 'shipDays' | 'closedDays'
>
type Origin = Pick<Warehouse, 'latitude' | 'longitude' | 'timeZone'>

/** Returns a warehouse's imported transit days by ZIP prefix. */
async function readTransitByZip(db: Application['db'], id: number | null): Promise<Record<string, number>> {
  const rows = id === null ? [] : await listTransit(db, id)
  return Object.fromEntries(rows.map(({ prefix, days }) => [prefix, days]))
}

/** Returns where a warehouse is, in the chosen time zone or the ZIP code’s. */
async function findOrigin(
  db: Application['db'],
  { zip, timeZone: chosen }: Pick<WarehouseDraft, 'zip' | 'timeZone'>,
): Promise<Origin | undefined> {
  const place = await findPlace(db, zip)
  if (place?.latitude == null || place.longitude == null || place.timeZone === null) return undefined
  const { latitude, longitude, timeZone } = place
  return { latitude, longitude, timeZone: chosen ?? timeZone }
}
