/** Previews delivery dates with unsaved warehouse settings. */
import { z } from 'zod'
import type { FormEffect } from '#app/forms/form.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import type { Place } from '#domain/kernel/places/places.ts'
import { findWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import {
  promiseDelivery,
  releaseAfterSeconds,
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

/**
 * Returns the steps of an order placed now until it arrives, calculated like the delivery date of an order, with the dates
 * under the saved settings of warehouse `id` (null for a new one). Refuses ZIP codes without coordinates and military
 * ones.
 */
export async function previewPromise(
  { db, clock }: Pick<Application, 'db' | 'clock'>,
  id: number | null,
  { shopperZip, ...draft }: WarehouseDraft & { shopperZip: string },
): Promise<Outcome<FormEffect, Refused<'zip-unknown'> | Refused<'destination-unknown'> | Refused<'not-shipped'>>> {
  const [from, to] = [originOf(await findPlace(db, draft.zip)), await findPlace(db, shopperZip)]
  if (!from) return refused('zip-unknown')
  if (to?.region === 'MILITARY') return refused('not-shipped')
  if (to?.latitude == null || to.longitude == null) return refused('destination-unknown')
  const destination = { latitude: to.latitude, longitude: to.longitude, region: to.region }
  const now = clock.now()
  const promise = (settings: Settings, origin: Origin) =>
    promiseDelivery({ now, releaseAfterSeconds, warehouse: { ...settings, ...origin, id: 0, code: '' }, destination })
  const then = promise(draft, from)
  const saved = id === null ? undefined : await findWarehouse({ db }, id)
  const savedOrigin = saved && originOf(await findPlace(db, saved.zip))
  const before = saved && savedOrigin && promise(saved, savedOrigin)
  const was = (day: 'shipsOn' | 'arrivesOn') =>
    before && !before[day].equals(then[day]) ? `Was ${dayText(before[day])}` : ''
  return ok({
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
    ],
    note: before && !before.arrivesOn.equals(then.arrivesOn) ? 'Orders already placed don’t change.' : '',
  })
}

type Settings = Pick<Warehouse, 'cutoff' | 'dayCutoffs' | 'handlingDays' | 'transit' | 'shipDays' | 'closedDays'>
type Origin = Pick<Warehouse, 'latitude' | 'longitude' | 'timeZone'>

function originOf(place: Place | undefined): Origin | undefined {
  if (place?.latitude == null || place.longitude == null || place.timeZone === null) return undefined
  const { latitude, longitude, timeZone } = place
  return { latitude, longitude, timeZone }
}
