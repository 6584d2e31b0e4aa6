import { pageParts } from '#app/office/page-parts.ts'
import { ListPage } from '#app/office/list-page.tsx'
import { tireRegistrations } from '#app/office/lists/tire-registrations.server.ts'
import { openList } from '#app/office/read-list.server.ts'
import { fresh, press, submit } from '#app/office/decision.server.ts'
import { TablePanel } from '#app/office/table.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { exportWithinDays } from '#domain/installer-portal/work-orders/work-orders.ts'
import {
  exportTireRegistrations,
  listRegistrationExports,
  listWaitingMakers,
} from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/tire-registrations.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Tire registrations', officePaths.officeTireRegistrations())

/** In characters. */
const longestMaker = 100

export async function loader(args: Route.LoaderArgs) {
  const {
    data,
    reader: { app, can },
  } = await openList(args, tireRegistrations)
  const [makers, exports] = await Promise.all([listWaitingMakers(app), listRegistrationExports(app)])
  const done = args.url.searchParams.get('done') ?? ''
  return {
    data,
    mayExport: can(pageParts.registrations.permission),
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

/** Exports a manufacturer's registrations. Requires a recent sign-in because personal data leaves the store. */
export const action = (args: Route.ActionArgs) =>
  submit(
    args,
    {
      noun: 'export',
      permission: pageParts.registrations.permission,
      path: (done) => officePaths.officeTireRegistrations({ done }),
    },
    ({ app, by, fields }) => {
      const brand = (fields.get('maker') ?? '').slice(0, longestMaker)
      return fresh(
        press(
          () => exportTireRegistrations(app, by, { brand }),
          ({ no }) => String(no),
        ),
      )
    },
    { 'nothing-waits': 'No registrations are waiting for this manufacturer.' },
  )

export default function TireRegistrationsPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { data, mayExport, news, makers, exports } = loaderData
  return (
    <ListPage
      data={data}
      reply={reply}
      before={
        <>
          {news && !reply ? (
            <Notice tone="go" title={`Export ${news} created.`} isNews>
              <p>
                <a href={officePaths.officeTireRegistrationExport(news)}>Download export {news}</a>
              </p>
            </Notice>
          ) : null}
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
    <TablePanel
      id="makers"
      title="To send to manufacturers"
      caption="Manufacturers with waiting registrations"
      empty="No registrations are waiting."
      columns={{
        maker: 'Manufacturer',
        tires: 'Tires',
        since: 'Oldest',
        due: 'Due',
        ...(mayExport && { act: 'Export' }),
      }}
      rows={makers.map(({ brand, ...cells }) => ({
        id: brand,
        cells: {
          ...cells,
          maker: brand,
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
