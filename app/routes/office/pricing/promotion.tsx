import { approvalView } from '#app/office/claim.server.ts'
import { promotionActions } from '#app/office/actions/promotions.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import {
  findPromotion,
  findPromotionRequest,
  listLeftOut,
  listPromoted,
  testPromotion,
} from '#domain/catalog/promotions/promotions.server.ts'
import { formatCents } from '#platform/money.ts'
import { TablePanel } from '#app/office/table.tsx'
import { promotionKindNames, stateAt } from '#domain/catalog/promotions/promotions.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { OfferPage } from './offer-page.tsx'
import { promotionValues } from '#app/views/offer-form.ts'
import { offerOptions, linksOf, promotionRow, reducedRows, testView } from '#app/views/office/promotion.server.ts'
import { scheduledNews } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/promotion.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.row.name ?? 'Promotion', officePaths.officePromotions())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'promotions.read', officePaths.officePromotion(params.key))
  const promotion = found(await findPromotion(app, params.key))
  const { startsAt, endsAt, planId, headline, by, daily, linkToCoverage, version } = promotion
  const mayEdit = staffCan(session.roles, 'promotions.edit')
  const leftOut = await listLeftOut(app, promotion)
  const reduced = await listPromoted(app, promotion, leftOut)
  return {
    daily,
    linkToCoverage,
    version,
    reduced: { count: reduced.count, rows: reducedRows(reduced.tires) },
    draft:
      mayEdit && !startsAt
        ? { values: promotionValues(promotion), options: await offerOptions(app, promotionKindNames) }
        : null,
    row: promotionRow(promotion),
    headline,
    by,
    isFromOffice: planId !== null,
    state: startsAt && endsAt ? stateAt({ startsAt, endsAt }, app.clock.now()) : ('draft' as const),
    mayEdit,
    approval: approvalView(planId === null ? null : await findPromotionRequest(app, planId)),
    news: doneNews(url, scheduledNews),
    leftOut: leftOut.map(({ sku, priceCents, mapCents }) => ({
      id: sku,
      cells: { sku, price: formatCents(priceCents), map: formatCents(mapCents) },
    })),
    test: await testView(url.searchParams, (cart) => testPromotion(app, promotion, cart)),
    links: linksOf(promotion),
  }
}

export const action = (args: Route.ActionArgs) => {
  const path = (key: string) => (done?: string) => officePaths.officePromotion(key, { done })
  const { key } = args.params
  return decideActions(
    args,
    {
      id: async (_, { app }) => {
        found(await findPromotion(app, key))
        return key
      },
      path: path(key),
      done: {
        change: 'changed',
        schedule: (_, scheduled) =>
          scheduled.state === 'scheduled' ? path(`p${scheduled.promotionId}`)('scheduled') : 'requested',
        end: (_, { draftId }) => (draftId === null ? 'ended' : path(`d${draftId}`)('withdrawn')),
        discard: officePaths.officePromotions({ state: 'draft' }),
      },
    },
    promotionActions,
  )
}

export default function PromotionPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { row, headline, by, daily, linkToCoverage, isFromOffice, state, links: around, leftOut, ...page } = loaderData
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
        ['Discount', row.takes],
        ['Applies to', row.subject],
        ...(daily ? [['Daily deal', 'Yes'] as const] : []),
        ...(linkToCoverage ? [['Suggests replacement coverage', 'Yes'] as const] : []),
        ['Paid by', row.funder],
        ['Starts', row.starts || 'Not scheduled'],
        ['Ends', row.ends || 'Not scheduled'],
        ['Created by', by ?? 'Imported with the catalog'],
      ]}
      after={
        leftOut.length > 0 ? (
          <TablePanel
            id="left-out"
            title="Left out"
            note="At this discount these tires would cost less than their minimum advertised price."
            caption="Tires that the promotion leaves out"
            columns={{ sku: 'SKU', price: 'Would cost', map: 'Minimum' }}
            amounts={['price', 'map']}
            rows={leftOut}
          />
        ) : null
      }
    />
  )
}
