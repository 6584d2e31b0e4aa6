/** The demo's draft of a promotion, which staff can test against a cart and schedule. Those that run are in promotions.ts. */
import type { PoolClient } from 'pg'
import { draftPromotion } from '#domain/catalog/promotions/promotions.server.ts'
import { promotionDraftForm } from '#domain/catalog/promotions/promotions.ts'
import { staffEmail } from './accounts.ts'
import type { CatalogCache } from './load-catalog.ts'
import { accepted, byStaff, depsAt } from './seed-transaction.ts'

/** Drafts the promotion as of `now`, on the last brand of the catalog. */
export async function loadPromotionDraft(
  client: PoolClient,
  { lines }: Pick<CatalogCache, 'lines'>,
  now: Temporal.Instant,
): Promise<void> {
  const brand = lines.at(-1)?.brand
  if (!brand) return
  const draft = promotionDraftForm.parse({
    formKey: '00000000-0000-4000-8000-000000000401',
    name: 'New Year',
    headline: `10% off every ${brand.name} tire`,
    kind: 'Percentage',
    amount: '10',
    subject: brand.slug,
    fundedBy: 'maker',
  })
  const deps = depsAt(client, now.subtract({ hours: 26 }))
  accepted('The promotion', await draftPromotion(deps, byStaff(staffEmail('sales')), draft))
}
