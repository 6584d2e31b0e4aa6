/** A shop's prices of today for the office, with the shop's pay for who may see it. */
import type { Staff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { readShopRates } from '#domain/installer-portal/payouts/payouts.server.ts'
import { pricedJobs, rimBands } from '#domain/installer-portal/portal/portal.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import type { ShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { offeredServices, type ServicePrice, type ShopRate } from '#domain/scheduling/installers/installers.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'

type Reader = Pick<Staff, 'app' | 'session'>

export type ShopPricesView = {
  /** `paid` is null without the permission, and without an amount in the pay matrix. */
  rows: { id: string; name: string; note: string; price: string | null; paid: string | null }[]
  hasPaid: boolean
  /** Null without the permission to change it. */
  matrix: string | null
}

/** Today's prices per tire, with the shop's pay for staff who may see it. Adjacent rims at one price share a row. */
export async function readShopPrices(
  { app, session }: Reader,
  { id: shopId, timeZone }: ShopRecord,
  { rates, servicePrices }: { rates: readonly ShopRate[]; servicePrices: readonly ServicePrice[] },
): Promise<ShopPricesView> {
  const hasPaid = staffCan(session.roles, 'pay.read')
  const paid = hasPaid ? await readShopRates(app, { shopId, timeZone }) : []
  const rows = pricedJobs.flatMap(({ job, name }) =>
    merged(
      rimBands.map(([from, to], index): Band => {
        const rate = rates.find((each) => each.job === job && each.rimFromIn <= from && from <= each.rimToIn)
        const cents = paid[index]?.cents.find((each) => each.job === job)?.cents ?? null
        return {
          from,
          to: Math.floor(to),
          cents: rate?.installCents ?? null,
          paid: rate && cents !== null ? [cents] : [],
        }
      }),
    ).map(({ from, to, cents, paid: all }) => ({
      id: `${job} ${from}`,
      name: job === 'standard' ? 'Installation' : name,
      note: `per tire, ${from} to ${to} in`,
      price: cents === null ? null : formatCents(cents),
      paid: rangeText(all),
    })),
  )
  return {
    rows: [...rows, ...extras(rates), ...services(servicePrices)],
    hasPaid,
    matrix: staffCan(session.roles, 'pay.matrix') ? officePaths.officePayMatrix() : null,
  }
}

type Band = { from: number; to: number; cents: number | null; paid: number[] }

function merged(bands: readonly Band[]): Band[] {
  const all: Band[] = []
  for (const band of bands) {
    const last = all.at(-1)
    if (last?.cents === band.cents) Object.assign(last, { to: band.to, paid: [...last.paid, ...band.paid] })
    else all.push(band)
  }
  return all
}

/** "$15.00 to $22.00" */
function rangeText(cents: readonly number[]): string | null {
  if (cents.length === 0) return null
  return [...new Set([Math.min(...cents), Math.max(...cents)])].map(formatCents).join(' to ')
}

function extras([rate]: readonly ShopRate[]) {
  if (!rate) return []
  return [
    { id: 'kit', name: 'Sensor service kit', note: 'per tire', price: formatCents(rate.serviceKitCents), paid: null },
    { id: 'disposal', name: 'Old tire disposal', note: 'per tire', price: formatCents(rate.disposalCents), paid: null },
  ]
}

/** Services without new tires, of which the shop gets the full price. */
function services(prices: readonly ServicePrice[]) {
  return offeredServices(prices).map(({ key, name, unit, priceCents, minutes }) => ({
    id: key,
    name,
    note: `per ${unit}, ${countOf(minutes, 'minute')}`,
    price: formatCents(priceCents),
    paid: formatCents(priceCents),
  }))
}
