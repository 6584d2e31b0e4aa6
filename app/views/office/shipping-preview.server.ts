/** Previews shipping charges with unsaved rates. */
import { z } from 'zod'
import type { FormEffect } from '#app/forms/form.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import type { DeliveryRegion } from '#domain/kernel/rates/rates.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { shippingRatesOf, shippingZones, termsForm } from '#domain/kernel/settings/settings.ts'
import { itemizeShipping } from '#domain/supply/delivery/delivery.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Application } from '#application'

type ShippingCharge = ReturnType<typeof itemizeShipping>[number]

const tireText = /^(?:(?<weight>\d{1,3}(?:\.\d)?) ?lb|(?<item>[1-9]\d{0,8}))$/i

/** The rates form with a ZIP code and a quantity of a tire, given by item number or weight. */
export const shippingPreviewForm = z.intersection(
  termsForm('shipping'),
  z.object({
    zip: z
      .string()
      .trim()
      .regex(/^\d{5}$/, 'Enter a five-digit ZIP code.'),
    tires: z
      .string()
      .trim()
      .regex(/^[1-9]\d?$/, 'Enter a number from 1 to 99.')
      .transform(Number),
    tire: z.string().trim().max(20).regex(tireText, 'Enter an item number, or a weight such as 66 lb.'),
  }),
)

/** The default preview. */
export const firstPreview = { zip: '99501', tires: '4', tire: '66 lb' }

/**
 * Returns the shipping charges under the entered rates, calculated like an order. Refuses an unknown ZIP code or item, and
 * a ZIP code outside the shipping area.
 */
export async function previewShipping(
  { db, catalog, businessTerms }: Pick<Application, 'db' | 'catalog' | 'businessTerms'>,
  { values, zip, tires, tire }: z.output<typeof shippingPreviewForm>,
): Promise<Outcome<FormEffect, Refused<'zip-unknown'> | Refused<'not-shipped'> | Refused<'item-unknown'>>> {
  const place = await findPlace(db, zip)
  if (!place) return refused('zip-unknown')
  const { region } = place
  if (region === 'MILITARY') return refused('not-shipped')
  const weightLb = await weightOf(catalog, tire)
  if (weightLb === undefined) return refused('item-unknown')
  const saved = businessTerms.current
  const [now, then] = [saved, { ...saved, ...values }].map((terms) =>
    itemizeShipping(shippingRatesOf(terms), region, [{ quantity: tires, weightLb }]),
  ) as [ShippingCharge[], ShippingCharge[]]
  const where = `${place.city}, ${place.state}: ${zoneLabel(region)}`
  const [before, after] = [sum(now), sum(then)]
  return ok({
    rows: then.map((charge) => ({
      label: rowText(charge),
      note: [
        charge.kind === 'shipping' ? where : '',
        charge.kind === 'oversize' ? charge.reason : '',
        wasText(charge, now),
      ]
        .filter(Boolean)
        .join('. '),
      value: formatCents(charge.totalCents),
    })),
    total: { label: 'Shopper pays', value: formatCents(after) },
    note: differenceText(after - before),
  })
}

async function weightOf(catalog: Application['catalog'], tire: string): Promise<number | undefined> {
  const { weight, item } = tireText.exec(tire)?.groups ?? {}
  if (weight !== undefined) return Number(weight)
  return item === undefined ? undefined : (await findItem(catalog, Number(item)))?.weightLb
}

function zoneLabel(region: DeliveryRegion): string {
  return Object.values(shippingZones).find((zone) => zone.region === region)?.label ?? region
}

const words = { shipping: 'Shipping', oversize: 'Oversize', handling: 'Handling' } as const

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
