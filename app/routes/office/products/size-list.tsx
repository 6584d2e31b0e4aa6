import { sizeListActions } from '#app/office/actions/size-lists.server.ts'
import { decideActions, found, shownRows } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listSizeLists } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { countOf, countText } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import type { Route } from './+types/size-list.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.name ?? 'Size lists', officePaths.officeSizeLists())

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'catalog.read', officePaths.officeSizeList(slug))
  const lists = await listSizeLists(app)
  const list = found(lists.find((each) => each.slug === slug))
  const { name, license, listedOn, vehicles, sizes } = list
  return {
    name,
    listedOn,
    sizes: countOf(sizes, 'size'),
    mayRemove: listedOn !== null && staffCan(session.roles, 'catalog.publish'),
    facts: shownRows([
      ['License', license],
      ['Date', listedOn && dateText(listedOn)],
      ['Precedence', `${lists.indexOf(list) + 1} of ${lists.length}`],
      ['Vehicles', countText(vehicles)],
      ['Sizes', countText(sizes)],
    ]),
  }
}

/** `remove`. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: args.params.slug,
      path: () => officePaths.officeSizeList(args.params.slug),
      done: { remove: officePaths.officeSizeLists('removed') },
    },
    sizeListActions,
  )

export default function SizeListPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, listedOn, sizes, mayRemove, facts } = loaderData
  return (
    <DetailPage
      title={name}
      crumbs={[{ label: 'Size lists', path: officePaths.officeSizeLists() }]}
      reply={reply}
      body={<FactsPanel id="list" title="List" rows={facts} />}
      side={
        mayRemove ? (
          <FormPanel
            id="remove"
            title="Remove this list"
            reply={reply}
            text="Fitment results no longer use its sizes. Vehicles that have no other sizes are removed, too. To add the list again, import its file."
            hidden={{ listedOn: listedOn ?? '' }}
            fields={{ reason: { label: 'Reason, for the audit log', kind: 'area', rows: 2, max: 500 } }}
            buttons={[
              button('remove', 'Remove list', 'stop', {
                ask: {
                  title: `Remove ${name}?`,
                  text: `This removes ${sizes}, and rolling back an import doesn’t restore them.`,
                  answer: 'Remove list',
                  isStop: true,
                },
              }),
            ]}
          />
        ) : undefined
      }
    />
  )
}
