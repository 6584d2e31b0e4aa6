import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listCoupons } from '#domain/coupons/coupons.server.ts'
import { couponStates } from '#domain/coupons/coupons.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { couponRow } from './coupon-view.server.ts'
import { placeText, readRowPlace } from './list-place.ts'
import { OfferList } from './offer-list.tsx'
import { OfferTabs } from './offer-tabs.tsx'
import type { Route } from './+types/coupons.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Coupons', officePaths.officeCoupons())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'promotions.read', officePaths.officeCoupons())
  const state = couponStates.find((each) => each === url.searchParams.get('state')) ?? 'running'
  const { coupons, next } = await listCoupons(shop, { state, after: readRowPlace(url.searchParams.get('after')) })
  return {
    state,
    mayEdit: staffCan(session.roles, 'promotions.edit'),
    rows: coupons.map(couponRow),
    next: next && officePaths.officeCoupons({ state, after: placeText(next.at, next.id) }),
  }
}

const columns = [
  { key: 'code', label: 'Code', isRowHeader: true },
  { key: 'name', label: 'Name' },
  { key: 'takes', label: 'Takes off' },
  { key: 'subject', label: 'On' },
  { key: 'uses', label: 'Used', isAmount: true },
  { key: 'starts', label: 'Starts' },
  { key: 'ends', label: 'Ends' },
]

export default function CouponsPage({ loaderData }: Route.ComponentProps) {
  const { state, mayEdit, rows, next } = loaderData
  return (
    <OfficePage
      title="Coupons"
      end={
        mayEdit ? (
          <a className="btn primary" href={officePaths.officeNewCoupon()}>
            New coupon
          </a>
        ) : undefined
      }
    >
      <OfferTabs on="coupons" />
      <OfferList
        offers="coupons"
        states={couponStates}
        state={state}
        pathOf={(each) => officePaths.officeCoupons({ state: each })}
        columns={columns}
        rows={rows.map(({ id, code, ...cells }) => ({
          id,
          cells: { ...cells, code: <a href={officePaths.officeCoupon(Number(id))}>{code}</a> },
        }))}
        next={next}
        file={officePaths.officeCouponsCsv({ state })}
      />
    </OfficePage>
  )
}
