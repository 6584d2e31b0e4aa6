/** Which purchasing systems companies have, and what they prove themselves with. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { accountTypeOf } from '#domain/customers/companies/companies.ts'
import { lockCompany } from '#domain/customers/companies/companies.server.ts'
import { createCompanyBuyer, type PriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { secretOverlapDays, type PurchasingTerms } from './purchasing.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { seal } from '#platform/sealing.ts'
import {
  endSecrets,
  insertSecret,
  lockSystem,
  selectSecretHashes,
  selectSecretOwner,
  selectSecrets,
  selectSystem,
  selectSystemFrom,
  upsertSystem,
  type PurchasingSystem,
  type SecretTerm,
} from './systems.sql.server.ts'
import type { Secrets } from '#platform/secrets.ts'

type Deps = { db: Database; clock: Clock }
type Sealing = { config: { session: { secret: Secrets } } }

/** What the secret is sealed for that the store sends to a purchasing system. */
export const documentSecretPurpose = 'purchasing-document'

/**
 * Sets an approved company's purchasing system. The previous secret remains if no new one is given. Refuses an identity
 * used by another company, and a document URL without a secret.
 */
export async function setPurchasingSystem(
  { db, clock, config }: Deps & Sealing,
  { companyId, terms, by }: { companyId: string; terms: PurchasingTerms; by: Actor },
): Promise<
  Outcome<
    null,
    | Refused<'not-allowed'>
    | Refused<'company-not-found'>
    | Refused<'not-approved'>
    | Refused<'identity-taken'>
    | Refused<'secret-missing'>
  >
> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'companies.decide', at)
      if (!permitted.ok) return permitted
      // Also serializes two requests that add the company's first system.
      const company = isId(companyId) ? await lockCompany(tx, companyId) : undefined
      if (!company) return refused('company-not-found')
      if (company.state !== 'approved') return refused('not-approved')
      const before = await selectSystem(tx, companyId)
      const { url, secret } = terms
      const kept = before?.secret ? Buffer.from(before.secret) : null
      const sealed = secret === null ? kept : seal(config.session.secret, documentSecretPurpose, secret)
      if (url !== null && sealed === null) return refused('secret-missing')
      await upsertSystem(tx, companyId, terms, { secret: url === null ? null : sealed, at, by: by.name })
      await recordAct(tx, {
        by,
        act: 'company.purchasing-set',
        subject: company.name,
        before: before && { from: `${before.domain} ${before.identity}`, channel: before.channel, url: before.url },
        after: { from: `${terms.domain} ${terms.identity}`, channel: terms.channel, url },
        at,
      })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'purchasing_system_from') return refused('identity-taken')
    throw error
  }
}

/**
 * Issues a secret. Returns it only this once and stores a hash. The previous one stays valid for a week, or ends
 * immediately with `endsOthers`.
 */
export async function issuePurchasingSecret(
  { db, clock }: Deps,
  { companyId, endsOthers, by }: { companyId: string; endsOthers: boolean; by: Actor },
): Promise<Outcome<{ secret: string }, Refused<'not-allowed'> | Refused<'no-system'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'companies.decide', at)
    if (!permitted.ok) return permitted
    if (!isId(companyId) || !(await lockSystem(tx, companyId))) return refused('no-system')
    const system = await selectSystem(tx, companyId)
    if (!system) return refused('no-system')
    const secret = randomBytes(32).toString('base64url')
    await endSecrets(tx, companyId, endsOthers ? at : at.add({ hours: 24 * secretOverlapDays }))
    await insertSecret(tx, { id: newId(), companyId, hash: hashOf(secret), at, by: by.name })
    await recordAct(tx, {
      by,
      act: 'company.purchasing-secret-issued',
      subject: system.companyName,
      after: { endsOthers },
      at,
    })
    return ok({ secret })
  })
}

/** Returns a company's purchasing system with its secrets, newest first; undefined if it has no system. */
export async function findPurchasingSystem(
  { db }: Pick<Deps, 'db'>,
  companyId: string,
): Promise<{ system: PurchasingSystem; secrets: SecretTerm[] } | undefined> {
  const [system, secrets] = await Promise.all([selectSystem(db, companyId), selectSecrets(db, companyId)])
  return system && { system, secrets }
}

/**
 * Authenticates a document's sender; undefined if the system doesn't exist, its company is not approved, or the secret
 * is invalid. Takes constant time, since a hash is compared in every case.
 */
export async function knowPurchasingSystem(
  { db, clock }: Deps,
  { domain, identity, secret }: { domain: string; identity: string; secret: string },
): Promise<PurchasingSystem | undefined> {
  const system = await selectSystemFrom(db, { domain, identity })
  const hashes = await selectSecretHashes(db, system?.companyId ?? nobody, clock.now())
  const given = hashOf(secret)
  // All of them, so that the time does not say which it was.
  const matches = [...hashes, unknownHash].filter((hash) => timingSafeEqual(given, hash))
  return system?.isActive && hashes.length > 0 && matches.length > 0 ? system : undefined
}

/** Returns the military exchange with this secret, for API calls; undefined if invalid. */
export async function findExchange({ db, clock }: Deps, secret: string): Promise<PurchasingSystem | undefined> {
  const given = hashOf(secret)
  const found = await selectSecretOwner(db, given, clock.now())
  const isSame = timingSafeEqual(given, found?.hash ?? unknownHash)
  const system = found && isSame ? await selectSystem(db, found.companyId) : undefined
  return system?.isActive && system.channel === 'military-exchange' ? system : undefined
}

const nobody = '00000000-0000-0000-0000-000000000000'
const unknownHash = randomBytes(32)

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Returns the buyer for a purchasing system, the company itself. */
export function buyerOf(
  deps: Deps & { priceLists: PriceLists },
  { companyId, kind, channel }: PurchasingSystem,
): Buyer {
  return createCompanyBuyer(deps, {
    id: companyId,
    accountType: accountTypeOf[kind],
    channel: channel === 'military-exchange' ? channel : null,
  })
}
