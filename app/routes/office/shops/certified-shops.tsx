import { certificationActions } from '#app/office/actions/shop-marks.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormPanel, RowForm } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { certifiedShops } from '#app/office/lists/certified-shops.server.ts'
import { openList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { certificationRequirements, leastWarranty } from '#domain/scheduling/installers/installers.ts'
import type { Route } from './+types/certified-shops.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Certified shops', officePaths.officeCertifiedShops())

export async function loader(args: Route.LoaderArgs) {
  const { data, reader } = await openList(args, certifiedShops)
  return { data, mayDecide: reader.can('certifications.decide') }
}

/** Certifies a shop, or revokes a certification. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: (fields) => fields.get('certification') ?? '',
      path: (done) => officePaths.officeCertifiedShops(done === undefined ? {} : { done }),
      done: { add: 'certified', revoke: 'revoked' },
    },
    certificationActions,
  )

export default function CertifiedShopsPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { data, mayDecide } = loaderData
  return (
    <ListPage
      data={data}
      reply={reply}
      render={{
        act: ({ id, label, cells }) =>
          cells['act'] ? (
            <RowForm
              about={{ certification: id }}
              reply={reply}
              fields={{ reason: { label: `Why ${label} loses its mark`, max: 500 } }}
              buttons={[button('revoke', 'Revoke', 'stop')]}
            />
          ) : null,
      }}
      after={
        mayDecide ? (
          <FormPanel
            id="certify"
            title="Certify a shop"
            isOpen
            reply={reply}
            fields={{
              shop: { label: 'Shop code', max: 8, hint: 'Shown at the end of the shop’s URL, such as SW-00001.' },
              ...requirements,
              warrantyMonths: {
                label: 'Warranty in months',
                kind: 'number',
                value: String(leastWarranty.months),
                max: 3,
              },
              warrantyMiles: { label: 'Warranty in miles', kind: 'number', value: String(leastWarranty.miles), max: 6 },
              evidence: {
                label: 'Evidence',
                kind: 'area',
                max: 500,
                hint: 'What you saw, for next year’s review. Customers don’t see it.',
              },
            }}
            buttons={[button('add', 'Certify for a year', 'primary')]}
          />
        ) : null
      }
    />
  )
}

const requirements = Object.fromEntries(
  Object.entries(certificationRequirements).map(([name, { seen }]): [string, FormField] => [
    name,
    { label: seen, kind: 'tick' },
  ]),
)
