import { approvalView } from '#app/office/claim.server.ts'
import { couponActions } from '#app/office/actions/coupons.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import {
  findCoupon,
  findCouponRequest,
  listReducedByCoupon,
  testCoupon,
} from '#domain/catalog/coupons/coupons.server.ts'
import { couponKindNames, couponStateAt } from '#domain/catalog/coupons/coupons.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { couponRow, linksOfCoupon } from '#app/views/office/coupon.server.ts'
import { couponValues } from '#app/views/offer-form.ts'
import { OfferPage } from './offer-page.tsx'
import { offerOptions, reducedRows, testView } from '#app/views/office/promotion.server.ts'
import { scheduledNews } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/coupon.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Coupon ${loaderData.row.code}` : 'Coupon', officePaths.officeCoupons())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeCoupon(Number(params.id))
  const { app, session } = await requireStaff(context, 'promotions.read', path)
  const coupon = found(await findCoupon(app, params.id))
  const { stacks, personMost, minimumCents, advertised, by, version } = coupon
  const mayEdit = staffCan(session.roles, 'promotions.edit')
  const reduced = await listReducedByCoupon(app, coupon)
  return {
    version,
    reduced: coupon.service === null ? { count: reduced.count, rows: reducedRows(reduced.tires) } : null,
    draft:
      mayEdit && coupon.startsAt === null
        ? { values: couponValues(coupon), options: await offerOptions(app, couponKindNames) }
        : null,
    row: couponRow(coupon),
    stacks,
    personMost,
    minimum: minimumCents === null ? 'None' : `Tires from ${formatCents(minimumCents)}`,
    advertised,
    by,
    state: couponStateAt(coupon, app.clock.now()),
    mayEdit,
    approval: approvalView(await findCouponRequest(app, coupon.id)),
    news: doneNews(url, scheduledNews),
    test: await testView(url.searchParams, (cart) => testCoupon(app, coupon, cart)),
    links: linksOfCoupon(coupon),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id: async (_, { app }) => String(found(await findCoupon(app, id)).id),
      path: (done) => officePaths.officeCoupon(Number(id), { done }),
      done: {
        change: 'changed',
        schedule: (_, { state }) => state,
        end: (_, { isWithdrawn }) => (isWithdrawn ? 'withdrawn' : 'ended'),
        discard: officePaths.officeCoupons({ state: 'draft' }),
      },
    },
    couponActions,
  )
}

export default function CouponPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { row, stacks, personMost, minimum, advertised, by, state, links: around, ...page } = loaderData
  return (
    <OfferPage
      {...page}
      what="coupon"
      title={row.code}
      list={{ label: 'Coupons', path: officePaths.officeCoupons({ state }) }}
      state={state}
      hasEnd={state === 'running' || state === 'scheduled'}
      links={{ ...around, change: state === 'running' || state === 'ended' ? around.change : null }}
      reply={reply}
      terms={[
        ['Name', row.name],
        ['Discount', row.takes],
        ['Applies to', row.subject],
        ['With promotions', stacks ? 'Combines with promotions' : 'Excludes tires on promotion'],
        ['Minimum', minimum],
        ['Suggested to customers', advertised ? 'When another code doesn’t work' : 'No'],
        ['Used', row.uses],
        ['Per customer', String(personMost)],
        ['Paid by', row.funder],
        ['Starts', row.starts || 'Not scheduled'],
        ['Ends', row.ends || 'Not scheduled'],
        ['Created by', by],
      ]}
    />
  )
}
