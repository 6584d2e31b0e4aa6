import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireFresh, requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { exportWithinDays, tinText } from '#domain/work-orders/work-orders.ts'
import {
  exportTireRegistrations,
  listRegistrationExports,
  listTireRegistrations,
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

/** What the address asks for: those that wait for their maker, or all; of one maker. */
function askedOf(query: URLSearchParams): { isWaiting: boolean; brand: string | null; before: number | null } {
  const before = query.get('before') ?? ''
  return {
    isWaiting: query.get('show') !== 'all',
    brand: (query.get('maker') ?? '').replaceAll('\0', '').slice(0, longestMaker) || null,
    before: /^[1-9]\d{0,11}$/.test(before) ? Number(before) : null,
  }
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const path = officePaths.officeTireRegistrations() + url.search
  const staff = await requireStaff(context, 'tire-registrations.read', path)
  const asked = askedOf(url.searchParams)
  const [{ registrations, next }, makers, exports, views] = await Promise.all([
    listTireRegistrations(staff.shop, asked),
    listWaitingMakers(staff.shop),
    listRegistrationExports(staff.shop),
    readViewTabs(staff, 'tire-registrations', url.searchParams),
  ])
  const mayExport = staffCan(staff.session.roles, 'tire-registrations.export')
  const show = asked.isWaiting ? undefined : 'all'
  return {
    isWaiting: asked.isWaiting,
    views,
    mayExport,
    news: /^\d{1,9}$/.test(url.searchParams.get('done') ?? '') ? (url.searchParams.get('done') ?? null) : null,
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
    rows: registrations.map(({ id, tin, brand, line, size, orderId, shop, buyerName, city, state, installedAt }) => ({
      id,
      tin: tinText(tin),
      tire: `${brand} ${line} ${size}`,
      buyer: `${buyerName}, ${city}, ${state}`,
      shop,
      order: orderNumber(orderId),
      installed: timeText(installedAt, storeZone),
    })),
    next:
      next === null
        ? null
        : officePaths.officeTireRegistrations({ show, maker: asked.brand ?? undefined, before: next }),
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
  const { isWaiting, views, mayExport, news, makers, exports, rows, next } = loaderData
  return (
    <OfficePage title="Tire registrations">
      {news && !reply ? (
        <Notice tone="go" title={`Export ${news} is made.`} isNews>
          <p>
            <a href={officePaths.officeTireRegistrationExport(news)}>Download export {news}</a>
          </p>
        </Notice>
      ) : null}
      <ErrorSummary reply={reply} />
      <ListTabs
        label="Registrations"
        tabs={[
          { label: 'Waiting', path: officePaths.officeTireRegistrations(), isOn: isWaiting },
          { label: 'All', path: officePaths.officeTireRegistrations({ show: 'all' }), isOn: !isWaiting },
        ]}
        views={views}
      />
      <Makers makers={makers} mayExport={mayExport} />
      <Panel id="registrations" title={isWaiting ? 'Waiting' : 'All'}>
        {rows.length === 0 ? (
          <p className="office-panel-body">No registrations here.</p>
        ) : (
          <DataTable
            caption="Registrations of tires"
            columns={[
              { key: 'tin', label: 'TIN', isRowHeader: true },
              { key: 'tire', label: 'Tire' },
              { key: 'buyer', label: 'Buyer' },
              { key: 'shop', label: 'Shop' },
              { key: 'order', label: 'Order' },
              { key: 'installed', label: 'Installed' },
            ]}
            rows={rows.map(({ id, ...cells }) => ({ id: String(id), cells }))}
          />
        )}
      </Panel>
      <Exports exports={exports} mayExport={mayExport} />
      <ListFoot label="Pages of registrations" older={next} file={views.file} />
    </OfficePage>
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
