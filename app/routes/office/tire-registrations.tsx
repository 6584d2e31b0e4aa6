import { ListPage } from '#app/office/list-page.tsx'
import { tireRegistrations } from '#app/office/lists/tire-registrations.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireFresh, requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { concessionMessages } from '#content/messages/concessions.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { exportWithinDays } from '#domain/work-orders/work-orders.ts'
import {
  exportTireRegistrations,
  listRegistrationExports,
  listWaitingMakers,
} from '#domain/work-orders/work-orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/tire-registrations.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Tire registrations', officePaths.officeTireRegistrations())

/** In characters. */
const longestMaker = 100

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, tireRegistrations)
  const path = officePaths.officeTireRegistrations()
  const { shop, session } = await requireStaff(args.context, 'tire-registrations.read', path)
  const [makers, exports] = await Promise.all([listWaitingMakers(shop), listRegistrationExports(shop)])
  const done = args.url.searchParams.get('done') ?? ''
  return {
    data,
    mayExport: staffCan(session.roles, 'tire-registrations.export'),
    news: /^\d{1,9}$/.test(done) ? done : null,
    makers: makers.map(({ brand, tires, since }) => ({
      brand,
      tires,
      since: timeText(since, storeZone),
      due: timeText(since.add({ hours: 24 * exportWithinDays }), storeZone),
    })),
    exports: exports.map(({ no, brand, tires, exportedAt, exportedBy }) => ({
      no,
      brand,
      tires,
      at: timeText(exportedAt, storeZone),
      by: exportedBy,
    })),
  }
}

/** Puts what waits for a maker into an export; personal data leaves the store, so the sign-in must be fresh. */
export async function action({ request, context }: Route.ActionArgs) {
  const path = officePaths.officeTireRegistrations()
  const staff = await requireStaff(context, 'tire-registrations.export', path)
  requireFresh(staff, path)
  const fields = await readForm(request)
  const brand = (fields.get('maker') ?? '').slice(0, longestMaker)
  const made = await exportTireRegistrations(staff.shop, staff.actor, { brand })
  if (made.ok) return seeOther(officePaths.officeTireRegistrations({ done: made.value.no }))
  return refuseForm(formRefusal(fields, refusals[made.reason]), made.reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  'not-fresh': concessionMessages['not-fresh'],
  'nothing-waits': 'Nothing waits for this maker: it was exported in the meantime.',
} as const

export default function TireRegistrationsPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { data, mayExport, news, makers, exports } = loaderData
  return (
    <ListPage
      data={data}
      before={
        <>
          {news && !reply ? (
            <Notice tone="go" title={`Export ${news} created.`} isNews>
              <p>
                <a href={officePaths.officeTireRegistrationExport(news)}>Download export {news}</a>
              </p>
            </Notice>
          ) : null}
          <ErrorSummary reply={reply} />
          <Makers makers={makers} mayExport={mayExport} />
        </>
      }
      after={<Exports exports={exports} mayExport={mayExport} />}
    />
  )
}

type Data = Route.ComponentProps['loaderData']

function Makers({ makers, mayExport }: Pick<Data, 'makers' | 'mayExport'>) {
  return (
    <Panel id="makers" title="Makers to hand over to">
      {makers.length === 0 ? (
        <p className="office-panel-body">Nothing waits.</p>
      ) : (
        <DataTable
          caption="Makers with registrations that wait"
          columns={[
            { key: 'maker', label: 'Maker', isRowHeader: true },
            { key: 'tires', label: 'Tires' },
            { key: 'since', label: 'Oldest' },
            { key: 'due', label: 'Due' },
            ...(mayExport ? [{ key: 'act', label: 'Export' }] : []),
          ]}
          rows={makers.map(({ brand, tires, since, due }) => ({
            id: brand,
            cells: {
              maker: brand,
              tires,
              since,
              due,
              act: (
                <form method="post">
                  <button className="btn" name="maker" value={brand} aria-label={`Export for ${brand}`}>
                    Export
                  </button>
                </form>
              ),
            },
          }))}
        />
      )}
    </Panel>
  )
}

function Exports({ exports, mayExport }: Pick<Data, 'exports' | 'mayExport'>) {
  if (exports.length === 0) return null
  return (
    <Panel id="exports" title="Exports">
      <PanelBody>
        <ul>
          {exports.map(({ no, brand, tires, at, by }) => (
            <li key={no}>
              {mayExport ? (
                <a href={officePaths.officeTireRegistrationExport(String(no))}>Export {no}</a>
              ) : (
                `Export ${no}`
              )}
              : {brand}, {countOf(tires, 'tire')}, {at}, by {by}
            </li>
          ))}
        </ul>
      </PanelBody>
    </Panel>
  )
}
