import { approvalView } from '#app/office/claim.server.ts'
import { decide, doneNews, found, press, step } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import {
  discardDraft,
  endPromotion,
  findPromotion,
  findPromotionRequest,
  listLeftOut,
  schedulePromotion,
  testPromotion,
} from '#domain/catalog/promotions/promotions.server.ts'
import { formatCents } from '#platform/money.ts'
import { TablePanel } from '#app/office/table.tsx'
import { endForm, scheduleForm, stateAt } from '#domain/catalog/promotions/promotions.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { OfferPage } from './offer-page.tsx'
import { linksOf, promotionRow, testView } from '#app/views/office-promotion.server.ts'
import { offerRefusals } from './scheduled-acts.server.ts'
import { scheduledNews } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/promotion.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.row.name ?? 'Promotion', officePaths.officePromotions())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'promotions.read', officePaths.officePromotion(params.key))
  const promotion = found(await findPromotion(shop, params.key))
  const { startsAt, endsAt, planId, headline, by } = promotion
  return {
    row: promotionRow(promotion),
    headline,
    by,
    isFromOffice: planId !== null,
    state: startsAt && endsAt ? stateAt({ startsAt, endsAt }, shop.clock.now()) : ('draft' as const),
    mayEdit: staffCan(session.roles, 'promotions.edit'),
    approval: approvalView(planId === null ? null : await findPromotionRequest(shop, planId)),
    news: doneNews(url, scheduledNews),
    leftOut: (await listLeftOut(shop, promotion)).map(({ sku, priceCents, mapCents }) => ({
      id: sku,
      cells: { sku, price: formatCents(priceCents), map: formatCents(mapCents) },
    })),
    test: await testView(url.searchParams, (cart) => testPromotion(shop, promotion, cart)),
    links: linksOf(promotion),
  }
}

export const action = (args: Route.ActionArgs) => {
  const path = (key: string) => (done?: string) => officePaths.officePromotion(key, { done })
  return decide(
    args,
    { noun: 'promotion', permission: 'promotions.edit', path: path(args.params.key) },
    async ({ shop, by }) => {
      const { planId, promotionId } = found(await findPromotion(shop, args.params.key))
      return {
        schedule: step(
          scheduleForm,
          (times) => schedulePromotion(shop, by, { planId: planId ?? 0, ...times }),
          (scheduled) =>
            scheduled.state === 'scheduled' ? path(`p${scheduled.promotionId}`)('scheduled') : 'requested',
        ),
        end: step(
          endForm,
          ({ reason }) => endPromotion(shop, by, { promotionId: promotionId ?? 0, reason }),
          ({ draftId }) => (draftId === null ? 'ended' : path(`d${draftId}`)('withdrawn')),
        ),
        discard: press(() => discardDraft(shop, by, planId ?? 0), officePaths.officePromotions({ state: 'draft' })),
      }
    },
    offerRefusals,
  )
}

export default function PromotionPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { row, headline, by, isFromOffice, state, links: around, leftOut, ...page } = loaderData
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
