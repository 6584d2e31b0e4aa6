import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listPromotions } from '#domain/promotions/promotions.server.ts'
import { promotionStates } from '#domain/promotions/promotions.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { placeText, readRowPlace } from './list-place.ts'
import { OfferList } from './offer-list.tsx'
import { OfferTabs } from './offer-tabs.tsx'
import { promotionRow } from './promotion-view.server.ts'
import type { Route } from './+types/promotions.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Promotions', officePaths.officePromotions())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'promotions.read', officePaths.officePromotions())
  const state = promotionStates.find((each) => each === url.searchParams.get('state')) ?? 'running'
  const { promotions, next } = await listPromotions(shop, { state, after: readRowPlace(url.searchParams.get('after')) })
  return {
    state,
    mayEdit: staffCan(session.roles, 'promotions.edit'),
    rows: promotions.map(promotionRow),
    next: next && officePaths.officePromotions({ state, after: placeText(next.at, next.id) }),
  }
}

const columns = [
  { key: 'name', label: 'Promotion', isRowHeader: true },
  { key: 'takes', label: 'Takes off' },
  { key: 'subject', label: 'On' },
  { key: 'funder', label: 'Paid by' },
  { key: 'starts', label: 'Starts' },
  { key: 'ends', label: 'Ends' },
]

export default function PromotionsPage({ loaderData }: Route.ComponentProps) {
  const { state, mayEdit, rows, next } = loaderData
  return (
    <OfficePage
      title="Promotions"
      end={
        mayEdit ? (
          <a className="btn primary" href={officePaths.officeNewPromotion()}>
            New promotion
          </a>
        ) : undefined
      }
    >
      <OfferTabs on="promotions" />
      <OfferList
        offers="promotions"
        states={promotionStates}
        state={state}
        pathOf={(each) => officePaths.officePromotions({ state: each })}
        columns={columns}
        rows={rows.map(({ id, name, ...cells }) => ({
          id,
          cells: { ...cells, name: <a href={officePaths.officePromotion(id)}>{name}</a> },
        }))}
        next={next}
        file={officePaths.officePromotionsCsv({ state })}
      />
    </OfficePage>
  )
}
