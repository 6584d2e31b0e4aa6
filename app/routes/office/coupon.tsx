import { readForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { approvalView } from '#app/office/claim.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findCoupon, findCouponRequest, testCoupon } from '#domain/coupons/coupons.server.ts'
import { couponStateAt } from '#domain/coupons/coupons.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { couponRow, linksOfCoupon } from '#app/views/office-coupon.server.ts'
import { OfferPage } from './offer-page.tsx'
import { testView } from '#app/views/office-promotion.server.ts'
import { actOnCoupon } from './scheduled-acts.server.ts'
import { scheduledNews } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/coupon.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Coupon ${loaderData.row.code}` : 'Coupon', officePaths.officeCoupons())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeCoupon(Number(params.id))
  const { shop, session } = await requireStaff(context, 'promotions.read', path)
  const found = await findCoupon(shop, params.id)
  if (!found) throw new Response(null, { status: 404 })
  const { stacks, personMost, minimumCents, advertised, by } = found
  return {
    row: couponRow(found),
    stacks,
    personMost,
    minimum: minimumCents === null ? 'None' : `Tires from ${formatCents(minimumCents)}`,
    advertised,
    by,
    state: couponStateAt(found, shop.clock.now()),
    mayEdit: staffCan(session.roles, 'promotions.edit'),
    approval: approvalView(await findCouponRequest(shop, found.id)),
    done: scheduledNews(url.searchParams.get('done')),
    test: await testView(url.searchParams, (cart) => testCoupon(shop.catalog, found, cart)),
    links: linksOfCoupon(found),
  }
}

/** Schedules, ends or discards what the page shows. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const path = officePaths.officeCoupon(Number(params.id))
  const { shop, actor } = await requireStaff(context, 'promotions.edit', path)
  const found = await findCoupon(shop, params.id)
  if (!found) throw new Response(null, { status: 404 })
  return actOnCoupon(shop, { coupon: found, fields: await readForm(request), by: actor })
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
        ['Takes off', row.takes],
        ['On', row.subject],
        ['With promotions', stacks ? 'Also on tires on promotion' : 'Not on tires on promotion'],
        ['Minimum', minimum],
        ['Told to shoppers', advertised ? 'When another code does not work' : 'No'],
        ['Used', row.uses],
        ['Per person', String(personMost)],
        ['Paid by', row.funder],
        ['Starts', row.starts || 'Not scheduled'],
        ['Ends', row.ends || 'Not scheduled'],
        ['Made by', by],
      ]}
    />
  )
}
