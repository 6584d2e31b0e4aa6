import { csvPages, csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listCoupons, type OfficeCoupon } from '#domain/coupons/coupons.server.ts'
import { couponStates } from '#domain/coupons/coupons.ts'
import { couponRow } from './coupon-view.server.ts'
import type { Route } from './+types/coupons-csv.ts'

/** The coupons of a state as a CSV file. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { shop } = await requireStaff(context, 'promotions.read', officePaths.officeCouponsCsv())
  const state = couponStates.find((each) => each === url.searchParams.get('state')) ?? 'running'
  const read = async (after: { at: Temporal.Instant; id: number } | null) => {
    const { coupons, next } = await listCoupons(shop, { state, after })
    return { items: coupons, next }
  }
  const header = [
    'Code',
    'Name',
    'Takes off',
    'On',
    'Paid by',
    'Uses',
    'Most uses',
    'Most per person',
    'Starts',
    'Ends',
  ]
  return csvResponse('coupons', header, csvPages(read, cellsOf))
}

function cellsOf(coupon: OfficeCoupon) {
  const { code, name, takes, subject, funder } = couponRow(coupon)
  const { uses, usesMost, personMost, startsAt, endsAt } = coupon
  const times = [startsAt?.toString() ?? '', endsAt?.toString() ?? '']
  return [code, name, takes, subject, funder, uses, usesMost, personMost, ...times]
}
