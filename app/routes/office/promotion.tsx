import { requireStaff } from '#app/server/office.server.ts'
import { readForm } from '#app/forms/form.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { approvalView } from '#app/office/claim.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findPromotion, findPromotionRequest, testPromotion } from '#domain/promotions/promotions.server.ts'
import { stateAt } from '#domain/promotions/promotions.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { OfferPage } from './offer-page.tsx'
import { linksOf, promotionRow, testView } from '#app/views/office-promotion.server.ts'
import { actOnPromotion } from './scheduled-acts.server.ts'
import { scheduledNews } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/promotion.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.row.name ?? 'Promotion', officePaths.officePromotions())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'promotions.read', officePaths.officePromotion(params.key))
  const found = await findPromotion(shop, params.key)
  if (!found) throw new Response(null, { status: 404 })
  const { startsAt, endsAt } = found
  return {
    row: promotionRow(found),
    headline: found.headline,
    by: found.by,
    isFromOffice: found.planId !== null,
    state: startsAt && endsAt ? stateAt({ startsAt, endsAt }, shop.clock.now()) : ('draft' as const),
    mayEdit: staffCan(session.roles, 'promotions.edit'),
    approval: approvalView(found.planId === null ? null : await findPromotionRequest(shop, found.planId)),
    done: scheduledNews(url.searchParams.get('done')),
    test: await testView(url.searchParams, (cart) => testPromotion(shop.catalog, found, cart)),
    links: linksOf(found),
  }
}

/** Schedules, ends or discards what the page shows. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'promotions.edit', officePaths.officePromotion(params.key))
  const found = await findPromotion(shop, params.key)
  if (!found) throw new Response(null, { status: 404 })
  return actOnPromotion(shop, { promotion: found, fields: await readForm(request), by: actor })
}

export default function PromotionPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { row, headline, by, isFromOffice, state, links: around, ...page } = loaderData
  return (
    <OfferPage
      {...page}
      what="promotion"
      title={row.name}
      list={{ label: 'Promotions', path: officePaths.officePromotions({ state }) }}
      state={state}
      hasEnd={state === 'running' || (state === 'scheduled' && isFromOffice)}
      links={{ ...around, change: state === 'scheduled' ? null : around.change }}
      reply={reply}
      terms={[
        ['Headline', headline],
        ['Takes off', row.takes],
        ['On', row.subject],
        ['Paid by', row.funder],
        ['Starts', row.starts || 'Not scheduled'],
        ['Ends', row.ends || 'Not scheduled'],
        ['Made by', by ?? 'Imported with the catalog'],
      ]}
    />
  )
}
