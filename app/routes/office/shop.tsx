import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Acts, Columns, KeyValues, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { findOfficeShop, listShopMembers, type OfficeShop } from '#domain/installers/installers.server.ts'
import { shopRoleNames } from '#domain/installers/installers.ts'
import { staffCan, type StaffRole } from '#domain/staff/staff.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { Route } from './+types/shop.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.title ?? 'Shop', officePaths.officeSearch())

/** A tire shop or van, read only: where it is, who works there, and the pages about it. */
export async function loader({ context, params: { shopCode } }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'office.open', officePaths.officeShop(shopCode))
  const found = await findOfficeShop(shop, shopCode)
  if (!found) throw new Response(null, { status: 404 })
  const members = staffCan(session.roles, 'shop-applications.read') ? await listShopMembers(shop, found.id) : null
  return {
    title: found.name,
    state: stateOf(found),
    rows: [
      ['Code', found.code],
      ['Kind', found.kind === 'van' ? 'Mobile installer' : 'Shop'],
      ['Address', `${found.street}, ${found.city}, ${found.state} ${found.zip}`],
      ['Phone', phoneText(found.phone)],
    ] as const,
    pages: pagesAbout(found, session.roles),
    members: members?.map(({ email, name, role }) => ({ email, name, role: shopRoleNames[role] })) ?? null,
  }
}

function stateOf({ isActive, isInSetUp }: OfficeShop) {
  if (isActive) return { tone: 'go', words: 'Open for booking' } as const
  return isInSetUp ? ({ tone: 'signal', words: 'In set-up' } as const) : ({ tone: 'plain', words: 'Closed' } as const)
}

function pagesAbout({ code, slug, isActive }: OfficeShop, roles: readonly StaffRole[]) {
  return [
    ...(staffCan(roles, 'pay.read') ? [{ label: 'Pay', path: officePaths.officeShopPay(code) }] : []),
    ...(isActive ? [{ label: 'Page in the store', path: paths.tireShop(slug, code) }] : []),
  ]
}

export default function ShopPage({ loaderData }: Route.ComponentProps) {
  const { title, state, rows, pages, members } = loaderData
  return (
    <OfficePage title={title} tags={<Tag tone={state.tone}>{state.words}</Tag>}>
      <Columns
        body={
          <Panel id="shop" title="Details">
            <PanelBody>
              <KeyValues rows={rows} />
            </PanelBody>
            {pages.length > 0 ? (
              <PanelBody>
                <Acts acts={pages} />
              </PanelBody>
            ) : null}
          </Panel>
        }
        last={
          members === null ? undefined : (
            <Panel id="members" title="Team members">
              {members.length === 0 ? (
                <PanelBody>
                  <p>None</p>
                </PanelBody>
              ) : (
                <DataTable
                  caption="Team members"
                  columns={[
                    { key: 'name', label: 'Name', isRowHeader: true },
                    { key: 'role', label: 'Role' },
                  ]}
                  rows={members.map(({ email, name, role }) => ({
                    id: email,
                    cells: {
                      name: (
                        <>
                          {name}
                          <small> {email}</small>
                        </>
                      ),
                      role,
                    },
                  }))}
                />
              )}
            </Panel>
          )
        }
      />
    </OfficePage>
  )
}
