/** Certifying shops for repairs, revoking it, and listing who is certified. */
import { sql } from 'kysely'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { certificationMonths, type CertificationForm } from './certifications.ts'

type Deps = { db: Database; clock: Clock }

/** A certification as staff see it; `until` is its last day. */
export type Certification = {
  id: number
  shopCode: string
  shopName: string
  city: string
  state: string
  from: string
  until: string
  warrantyMonths: number
  warrantyMiles: number
  evidence: string
  grantedBy: string
  revoked: { by: string; for: string } | null
}

/**
 * Certifies a shop from today (on the store's calendar) for a year. Refuses a shop that is not offered to shoppers, and
 * one that is certified already.
 */
export async function certifyShop(
  { db, clock }: Deps,
  form: CertificationForm,
  by: Actor,
): Promise<Outcome<{ id: number }, Refused<'not-allowed'> | Refused<'shop-not-found'> | Refused<'certified-already'>>> {
  const at = clock.now()
  const from = storeDay(at)
  const end = from.add({ months: certificationMonths })
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'certifications.decide', at)
      if (!permitted.ok) return permitted
      const shop = await tx
        .selectFrom('shop')
        .select('id')
        .where('code', '=', form.shop)
        .where('active', '=', true)
        .forShare()
        .executeTakeFirst()
      if (!shop) return refused('shop-not-found')
      const { id } = await tx
        .insertInto('shop_certification')
        .values({
          shop_id: shop.id,
          during: sql`daterange(${from.toString()}::date, ${end.toString()}::date)`,
          warranty_months: form.warrantyMonths,
          warranty_miles: form.warrantyMiles,
          evidence: form.evidence,
          granted_by: by.name,
          granted_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const after = { warrantyMonths: form.warrantyMonths, warrantyMiles: form.warrantyMiles }
      await recordAct(tx, { by, act: 'shop.certified', subject: form.shop, after, reason: form.evidence, at })
      return ok({ id })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'shop_certified_once') return refused('certified-already')
    throw error
  }
}

/** Revokes a certification, once, with a reason for the audit log. */
export async function revokeCertification(
  { db, clock }: Deps,
  { id, reason, by }: { id: number; reason: string; by: Actor },
): Promise<Outcome<void, Refused<'not-allowed'> | Refused<'not-certified'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'certifications.decide', at)
    if (!permitted.ok) return permitted
    const revoked = await tx
      .updateTable('shop_certification')
      .from('shop')
      .set({ revoked_at: at, revoked_by: by.name, revoked_for: reason })
      .whereRef('shop.id', '=', 'shop_certification.shop_id')
      .where('shop_certification.id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('shop.code')
      .executeTakeFirst()
    if (!revoked) return refused('not-certified')
    await recordAct(tx, { by, act: 'shop.certification-revoked', subject: revoked.code, reason, at })
    return ok(undefined)
  })
}

const certificationsPerPage = 50

/** Lists a page of certifications, newest first; `next` is the cursor of the following page. */
export async function listCertifications(
  { db }: Pick<Deps, 'db'>,
  before: number | null,
): Promise<{ certifications: Certification[]; next: number | null }> {
  const { rows } = await sql<Certification>`
    select certification.id, shop.code as "shopCode", shop.name as "shopName", shop.city, shop.state,
      lower(during)::text as "from", (upper(during) - 1)::text as until, warranty_months as "warrantyMonths", warranty_miles as "warrantyMiles",
      evidence, granted_by as "grantedBy",
      case when revoked_at is null then null else json_build_object('by', revoked_by, 'for', revoked_for) end as revoked
    from shop_certification certification join shop on shop.id = certification.shop_id
    where ${before === null ? sql`true` : sql`certification.id < ${before}::int`}
    order by certification.id desc limit ${certificationsPerPage + 1}`.execute(db)
  const certifications = rows.slice(0, certificationsPerPage)
  return { certifications, next: rows.length > certifications.length ? (certifications.at(-1)?.id ?? null) : null }
}

/** A certified shop as shoppers see it. */
export type CertifiedShop = {
  code: string
  slug: string
  name: string
  city: string
  state: string
  until: string
  warrantyMonths: number
  warrantyMiles: number
}

/** The shops certified today, by state, city and name: at most `limit`. */
export async function listCertifiedShops({ db, clock }: Deps, limit = 500): Promise<CertifiedShop[]> {
  const today = storeDay(clock.now()).toString()
  const { rows } = await sql<CertifiedShop>`
    select shop.code, shop.slug, shop.name, shop.city, shop.state, (upper(during) - 1)::text as until,
      warranty_months as "warrantyMonths", warranty_miles as "warrantyMiles"
    from shop_certification certification join shop on shop.id = certification.shop_id
    where revoked_at is null and during @> ${today}::date and shop.active
    order by shop.state, shop.city, shop.name, shop.id limit ${limit}`.execute(db)
  return rows
}
