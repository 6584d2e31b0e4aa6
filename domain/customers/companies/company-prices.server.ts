/** The price list of a single company, which wins over the list of its members' account type. */
import { lockCompany } from './members.sql.server.ts'
import { selectListOf, updateList } from './companies.sql.server.ts'
import { findPriceListId, findPriceListSlug } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** Returns the URL slug of a company's custom price list; null if it uses its account type's list. */
export async function findCompanyPriceList({ db }: { db: Database }, companyId: string): Promise<string | null> {
  const id = await selectListOf(db, companyId)
  return id === null ? null : ((await findPriceListSlug(db, id)) ?? null)
}

/**
 * Assigns a custom price list to an approved company, or removes it (null). Takes the same company lock as its members'
 * orders. An order at the old prices is either placed first, or its buyer must confirm the new price.
 */
export async function setCompanyPriceList(
  { db, clock }: { db: Database; clock: Clock },
  { id, slug, by }: { id: string; slug: string | null; by: Actor },
): Promise<
  Outcome<
    null,
    Refused<'not-allowed'> | Refused<'company-not-found'> | Refused<'has-no-list'> | Refused<'no-such-list'>
  >
> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'price-lists.edit', at)
    if (!permitted.ok) return permitted
    const company = await lockCompany(tx, id)
    if (!company) return refused('company-not-found')
    if (company.state !== 'approved') return refused('has-no-list')
    const listId = slug === null ? null : await findPriceListId(tx, slug)
    if (listId === undefined) return refused('no-such-list')
    const before = await findCompanyPriceList({ db: tx }, id)
    if (before === slug) return ok(null)
    await updateList(tx, id, listId)
    await recordAct(tx, {
      by,
      act: 'company.price-list-set',
      subject: company.name,
      before: { list: before },
      after: { list: slug },
      at,
    })
    return ok(null)
  })
}
