import { csvPages, csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listPromotions, type OfficePromotion } from '#domain/promotions/promotions.server.ts'
import { promotionStates } from '#domain/promotions/promotions.ts'
import { promotionRow } from './promotion-view.server.ts'
import type { Route } from './+types/promotions-csv.ts'

/** The promotions of a state as a CSV file. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { shop } = await requireStaff(context, 'promotions.read', officePaths.officePromotionsCsv())
  const state = promotionStates.find((each) => each === url.searchParams.get('state')) ?? 'running'
  const read = async (after: { at: Temporal.Instant; id: number } | null) => {
    const { promotions, next } = await listPromotions(shop, { state, after })
    return { items: promotions, next }
  }
  const header = ['Promotion', 'Headline', 'Takes off', 'On', 'Paid by', 'Starts', 'Ends']
  return csvResponse('promotions', header, csvPages(read, cellsOf))
}

function cellsOf(promotion: OfficePromotion) {
  const { name, takes, subject, funder } = promotionRow(promotion)
  const { headline, startsAt, endsAt } = promotion
  return [name, headline, takes, subject, funder, startsAt?.toString() ?? '', endsAt?.toString() ?? '']
}
