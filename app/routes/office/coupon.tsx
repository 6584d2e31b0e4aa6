import { approvalView } from '#app/office/claim.server.ts'
import { decide, doneNews, found, press, step } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import {
  discardCoupon,
  endCoupon,
  findCoupon,
  findCouponRequest,
  scheduleCoupon,
  testCoupon,
} from '#domain/catalog/coupons/coupons.server.ts'
import { couponStateAt } from '#domain/catalog/coupons/coupons.ts'
import { endForm, scheduleForm } from '#domain/catalog/promotions/promotions.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { couponRow, linksOfCoupon } from '#app/views/office-coupon.server.ts'
import { OfferPage } from './offer-page.tsx'
import { testView } from '#app/views/office-promotion.server.ts'
import { offerRefusals } from './scheduled-acts.server.ts'
import { scheduledNews } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/coupon.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Coupon ${loaderData.row.code}` : 'Coupon', officePaths.officeCoupons())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeCoupon(Number(params.id))
  const { shop, session } = await requireStaff(context, 'promotions.read', path)
  const coupon = found(await findCoupon(shop, params.id))
  const { stacks, personMost, minimumCents, advertised, by } = coupon
  return {
    row: couponRow(coupon),
    stacks,
    personMost,
    minimum: minimumCents === null ? 'None' : `Tires from ${formatCents(minimumCents)}`,
    advertised,
    by,
    state: couponStateAt(coupon, shop.clock.now()),
    mayEdit: staffCan(session.roles, 'promotions.edit'),
    approval: approvalView(await findCouponRequest(shop, coupon.id)),
    news: doneNews(url, scheduledNews),
    test: await testView(url.searchParams, (cart) => testCoupon(shop, coupon, cart)),
    links: linksOfCoupon(coupon),
  }
}

export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'coupon',
      permission: 'promotions.edit',
      path: (done) => officePaths.officeCoupon(Number(args.params.id), { done }),
    },
    async ({ shop, by }) => {
      const { id } = found(await findCoupon(shop, args.params.id))
      return {
        schedule: step(
          scheduleForm,
          (times) => scheduleCoupon(shop, by, { id, ...times }),
          ({ state }) => state,
        ),
        end: step(
          endForm,
          ({ reason }) => endCoupon(shop, by, { id, reason }),
          ({ isWithdrawn }) => (isWithdrawn ? 'withdrawn' : 'ended'),
        ),
        discard: press(() => discardCoupon(shop, by, id), officePaths.officeCoupons({ state: 'draft' })),
      }
    },
    {
      ...offerRefusals,
      'code-taken': { field: 'startsAt', text: 'Another coupon uses this code in that time. End that one first.' },
    },
  )

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
