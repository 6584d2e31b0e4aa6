/** Previews shipping charges with unsaved rates. */
import { z } from 'zod'
import type { FormEffect } from '#app/forms/form.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import type { DeliveryRegion } from '#domain/kernel/rates/rates.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { readRatesAt, readShippingPlan } from '#domain/kernel/settings/settings.server.ts'
import {
  exceptionForm,
  shippingRatesOf,
  shippingZones,
  termsForm,
  withException,
  withZone,
  zoneForm,
  type BusinessTerms,
  type PlanEditRefusal,
} from '#domain/kernel/settings/settings.ts'
import { freeFromCentsIn, freeFromText, itemizeShipping, shippingZoneOf } from '#domain/supply/delivery/delivery.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Application } from '#application'

type ShippingCharge = ReturnType<typeof itemizeShipping>[number]

const tireText = /^(?:(?<weight>\d{1,3}(?:\.\d)?) ?lb(?: at \$(?<price>\d{1,4}(?:\.\d\d)?))?|(?<item>[1-9]\d{0,8}))$/i

const tire = z
  .string()
  .trim()
  .max(20)
  .regex(tireText, 'Enter an item number, or a weight and price such as 66 lb at $320.')

/** A ZIP code and a quantity of two tires, each given by item number, or by weight and price. */
const previewed = z.object({
  zip: z
    .string()
    .trim()
    .regex(/^\d{5}$/, 'Enter a five-digit ZIP code.'),
  tires: z
    .string()
    .trim()
    .regex(/^[1-9]\d?$/, 'Enter a number from 1 to 99.')
    .transform(Number),
  light: tire,
  heavy: tire,
})

/** The forms of rates, zones, and exceptions, with the previewed tires. */
export const shippingPreviewForm = z.intersection(termsForm('shipping'), previewed)
export const zonePreviewForm = z.intersection(zoneForm, previewed)
export const exceptionPreviewForm = z.intersection(exceptionForm, previewed)

type Preview = z.output<typeof previewed>

/** The first preview, with a light and a heavy tire. */
export const firstPreview: Preview = { zip: '99501', tires: 4, light: '26 lb at $150', heavy: '66 lb at $320' }

type PreviewRefusal = Refused<'zip-unknown'> | Refused<'not-shipped'> | Refused<'item-unknown', 'light' | 'heavy'>

export const previewRefusals = {
  'zip-unknown': { field: 'zip', text: 'This ZIP code doesn’t exist.' },
  'not-shipped': { field: 'zip', text: 'The store doesn’t ship to APO, FPO, and DPO addresses.' },
  'item-unknown': (field: 'light' | 'heavy') => ({ field, text: 'No tire has this item number.' }),
} as const

type PreviewDeps = Pick<Application, 'db' | 'clock' | 'catalog' | 'businessTerms'>
type RulePreviewRefusal = PreviewRefusal | PlanEditRefusal

/**
 * Returns the shipping charges under the entered rates, calculated like an order. Refuses an unknown ZIP code or item, and
 * a ZIP code outside the shipping area.
 */
export async function previewShipping(
  { db, catalog, businessTerms }: Omit<PreviewDeps, 'clock'>,
  { zip, tires, light: lightText, heavy: heavyText }: Preview,
  values: Partial<BusinessTerms> = {},
): Promise<Outcome<FormEffect, PreviewRefusal>> {
  const place = await findPlace(db, zip)
  if (!place) return refused('zip-unknown')
  const { region, state } = place
  if (region === 'MILITARY') return refused('not-shipped')
  const saved = businessTerms.current
  const entered = { ...saved, ...values }
  const freeFromCents = freeFromCentsIn(shippingRatesOf(entered), place)
  const where = [
    `${place.city}, ${state}: ${shippingZoneOf(shippingRatesOf(entered), place).name ?? regionLabel(region)}`,
    freeFromCents === null ? '' : `Free ${freeFromText(freeFromCents)}`,
  ]
  const effectOf = (text: string, tire: { weightLb: number; unitCents: number }): FormEffect => {
    const [now, then] = [saved, entered].map((terms) =>
      itemizeShipping(shippingRatesOf(terms), place, [{ quantity: tires, ...tire }]),
    ) as [ShippingCharge[], ShippingCharge[]]
    const [before, after] = [sum(now), sum(then)]
    return {
      title: `${tires} × ${text}`,
      rows: then.map((charge) => ({
        label: rowText(charge),
        note: [
          ...(charge.kind === 'shipping' ? where : []),
          charge.kind === 'oversize' || charge.kind === 'exception' ? charge.reason : '',
          wasText(charge, now),
        ]
          .filter(Boolean)
          .join('. '),
        value: formatCents(charge.totalCents),
      })),
      total: { label: 'Shopper pays', value: formatCents(after) },
      note: differenceText(after - before),
    }
  }
  const [light, heavy] = [await readTire(catalog, lightText), await readTire(catalog, heavyText)]
  if (!light) return refused('item-unknown', 'light')
  if (!heavy) return refused('item-unknown', 'heavy')
  return ok({ ...effectOf(lightText, light), other: effectOf(heavyText, heavy) })
}

/** Previews the entered rates, with the zones and exceptions that are to be restored. */
export async function previewRates(
  app: PreviewDeps,
  { values, planFrom, zip, tires, light, heavy }: z.output<typeof shippingPreviewForm>,
): Promise<Outcome<FormEffect, PreviewRefusal>> {
  const restored = planFrom && { shippingPlan: (await readRatesAt(app, planFrom)).plan }
  return previewShipping(app, { zip, tires, light, heavy }, { ...values, ...restored })
}

/** Previews an unsaved zone. `id` is null for a new zone. */
export async function previewZone(
  app: PreviewDeps,
  { zip, tires, light, heavy, ...zone }: z.output<typeof zonePreviewForm>,
  id: number | null,
): Promise<Outcome<FormEffect, RulePreviewRefusal>> {
  const { plan } = await readShippingPlan(app)
  const edited = withZone(plan, { ...zone, id, nextId: 0 })
  return edited.ok ? previewShipping(app, { zip, tires, light, heavy }, { shippingPlan: edited.value.plan }) : edited
}

/** Previews an unsaved exception. `id` is null for a new exception. */
export async function previewException(
  app: PreviewDeps,
  { zip, tires, light, heavy, ...exception }: z.output<typeof exceptionPreviewForm>,
  id: number | null,
): Promise<Outcome<FormEffect, RulePreviewRefusal>> {
  const { plan } = await readShippingPlan(app)
  const edited = withException(plan, { ...exception, id, nextId: 0 }, storeDay(app.clock.now()))
  return edited.ok ? previewShipping(app, { zip, tires, light, heavy }, { shippingPlan: edited.value.plan }) : edited
}

/** Returns the previewed tire. A weight without a price never reaches a total for free shipping. */
async function readTire(
  catalog: Application['catalog'],
  text: string,
): Promise<{ weightLb: number; unitCents: number } | undefined> {
  const { weight, price = '0', item } = tireText.exec(text)?.groups ?? {}
  if (weight !== undefined) return { weightLb: Number(weight), unitCents: Math.round(Number(price) * 100) }
  const found = item === undefined ? undefined : await findItem(catalog, Number(item))
  return found && { weightLb: found.weightLb, unitCents: found.retailCents }
}

function regionLabel(region: DeliveryRegion): string {
  return Object.values(shippingZones).find((zone) => zone.region === region)?.label ?? region
}

const words = { shipping: 'Shipping', oversize: 'Oversize', exception: 'Exception', handling: 'Handling' } as const

function rowText({ kind, units, cents, unit }: ShippingCharge): string {
  return unit === 'order' ? words[kind] : `${words[kind]}, ${units} at ${formatCents(cents)}`
}

/** The saved rate, if it is different. */
function wasText({ kind, cents }: ShippingCharge, now: readonly ShippingCharge[]): string {
  const was = now.find((charge) => charge.kind === kind)?.cents
  if (was === cents) return ''
  return was === undefined ? 'Not charged now' : `Now ${formatCents(was)}`
}

const sum = (charges: readonly ShippingCharge[]) => charges.reduce((total, { totalCents }) => total + totalCents, 0)

function differenceText(cents: number): string {
  if (cents === 0) return 'The same as with the saved rates.'
  return `${formatCents(Math.abs(cents))} ${cents > 0 ? 'more' : 'less'} than with the saved rates.`
}
