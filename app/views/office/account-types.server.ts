/** A customer's account types, each with its basis, expiration, and the page where staff set it. */
import { officePaths } from '#content/office-paths.ts'
import { findVerification } from '#domain/pricing/military/military.server.ts'
import { findGrant } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import type { AccountType, Grant } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Application } from '#application'

export type AccountTypeView = { key: string; name: string; note: string; link: { label: string; path: string } | null }

const typeNames: Readonly<Partial<Record<AccountType, string>>> = {
  none: 'Retail',
  EPP: 'Employee',
  'Retail Member': 'Member',
  WholeSale: 'Wholesale',
}

/** Returns the name of an account type, such as "Employee". */
export function typeName(type: AccountType): string {
  return typeNames[type] ?? type
}

/** Types that an employer or a partner program brings; staff keep both on one page. */
const partnerTypes: ReadonlySet<AccountType> = new Set(['EPP', 'Partner Program'])
/** Types that a company brings to its members. */
const companyTypes: ReadonlySet<AccountType> = new Set(['Fleet', 'Special Order', 'Sales Tool', 'WholeSale'])

/** Reads the type of each account, and whether its owner is verified as serving or having served. */
export async function readAccountTypes(
  app: Application,
  accountIds: readonly string[],
  {
    memberships,
    can,
  }: {
    memberships: readonly { accountId: string; company: { id: string } }[]
    can: (permission: Permission) => boolean
  },
): Promise<AccountTypeView[]> {
  const now = app.clock.now()
  const each = await Promise.all(
    accountIds.map(async (id) => {
      const [grant, military] = await Promise.all([findGrant(app.db, id, now), findVerification(app, id)])
      const company = memberships.find(({ accountId }) => accountId === id)?.company
      return [
        grantView(id, grant, { companyId: company?.id, can }),
        ...(military
          ? [
              {
                key: `${id} military`,
                name: 'Military',
                note: `Verified until ${storeDateText(military.endsAt)}`,
                link: null,
              },
            ]
          : []),
      ]
    }),
  )
  return each.flat()
}

function grantView(
  id: string,
  grant: Grant | undefined,
  { companyId, can }: { companyId: string | undefined; can: (permission: Permission) => boolean },
): AccountTypeView {
  if (!grant) return { key: id, name: 'Retail', note: 'Pays the store’s prices', link: null }
  const { type, by, until } = grant
  const link =
    partnerTypes.has(type) && can('partners.read')
      ? { label: 'Employers and partners', path: officePaths.officePartners() }
      : companyTypes.has(type) && companyId !== undefined && can('companies.read')
        ? { label: 'Company', path: officePaths.officeCompany(companyId) }
        : null
  const ends = until ? `until ${storeDateText(until)}` : 'no end date'
  return { key: id, name: typeName(type), note: `From ${by}, ${ends}`, link }
}
