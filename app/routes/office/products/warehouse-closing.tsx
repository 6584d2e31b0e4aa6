import type { FormReply } from '#app/forms/form.ts'
import { warehouseClosingActions, warehouseId } from '#app/office/actions/warehouses.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel, OfficeForm } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { PanelBody } from '#app/ui/office/office-parts.tsx'
import { warehouseState } from '#app/views/warehouse-state.ts'
import { officePaths } from '#content/office-paths.ts'
import { findWarehouse, listWarehouses, readOpenWork } from '#domain/supply/delivery/delivery.server.ts'
import { openWorkKinds, warehouseStateOf, type OpenWork } from '#domain/supply/delivery/delivery.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { previewReallocation } from '#domain/ordering/orders/orders.server.ts'
import { maxReallocated, type NotMoved, type PlannedParcel } from '#domain/ordering/orders/orders.ts'
import { maxEmptied } from '#domain/supply/stock/stock.ts'
import { countOf } from '#platform/count-text.ts'
import { dayText } from '#platform/day-text.ts'
import type { Route } from './+types/warehouse-closing.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, `Close ${loaderData?.name ?? 'warehouse'}`, officePaths.officeWarehouses())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'warehouses.manage', officePaths.officeWarehouseClosing(id))
  const warehouse = found(await findWarehouse(app, warehouseId(id)))
  const state = warehouseStateOf(warehouse)
  if (state === 'retired') found(null)
  const isMoving = state === 'scheduled' || state === 'closing'
  const canTransfer = state === 'closing' && staffCan(session.roles, 'stock.adjust')
  const [work, planned, targets] = await Promise.all([
    readOpenWork(app, warehouse.id),
    isMoving ? previewReallocation(app, warehouse.id) : [],
    canTransfer ? listWarehouses(app) : [],
  ])
  const moving = planned.filter(({ to }) => to).slice(0, maxReallocated)
  const staying = planned.filter(({ to }) => !to).slice(0, maxReallocated)
  const { name, code, version } = warehouse
  return {
    id,
    name,
    code,
    version,
    state,
    tag: warehouseState(warehouse),
    isOpen: Object.values(work).some((count) => count > 0),
    work: workRows(work, code),
    units: work.units,
    targets: targets
      .filter((one) => one.id !== warehouse.id && one.supplierId === null && !one.isRetired && one.closedAt === null)
      .map((one) => [String(one.id), `${one.code} ${one.name}`] as const),
    parcels: [...moving, ...staying].map(parcelRow),
    moves: moving.flatMap(({ id: shipmentId, to }) => (to ? [`${shipmentId}:${to.id}`] : [])),
    unlisted: Math.max(0, (isMoving ? work.parcels : 0) - moving.length - staying.length),
    news: doneNews(url, news),
  }
}

const news = {
  close: 'Saved. The open work is listed below.',
  finish: 'Warehouse closed.',
  reopen: 'Warehouse open. Its stock is for sale again.',
  moved: 'Packages moved. Customers keep their promised day.',
  emptied: 'Tires transferred.',
}

const work: Readonly<Record<keyof OpenWork, { label: string; next: string; path: (code: string) => string | null }>> = {
  parcels: {
    label: 'Packages not shipped',
    next: 'Ship them, or move them to another warehouse.',
    path: (code) => officePaths.officeParcels({ warehouse: code }),
  },
  pickups: {
    label: 'Pickups not collected',
    next: 'Release them to the customer, or cancel the orders.',
    path: (code) => officePaths.officePickups({ warehouse: code }),
  },
  holds: { label: 'Carts holding stock', next: 'Holds end when the closing starts.', path: () => null },
  'stock-orders': {
    label: 'Stock orders to receive',
    next: 'Receive or cancel them.',
    path: (code) => officePaths.officeStockOrders({ warehouse: code }),
  },
  units: {
    label: 'Tires in stock',
    next: 'Transfer them to another warehouse, or adjust the count.',
    path: (code) => officePaths.officeStock({ warehouse: code }),
  },
}

function workRows(open: OpenWork, code: string) {
  return openWorkKinds.map((kind) => {
    const { label, next, path } = work[kind]
    return { kind, label, next, count: open[kind], path: path(code) }
  })
}

function parcelRow({ id, orderId, items, promisedOn, to, notMoved }: PlannedParcel) {
  const day = (text: string) => dayText(Temporal.PlainDate.from(text))
  return {
    id,
    orderId,
    tires: items.map(({ quantity, sku }) => `${quantity} × ${sku}`).join(', '),
    promised: day(promisedOn),
    to: to ? `${to.code} ${to.name}` : notMoved && whyText(notMoved, day),
    expected: to && day(to.arrivesOn),
  }
}

function whyText(notMoved: NotMoved, day: (text: string) => string): string {
  switch (notMoved.why) {
    case 'labeled':
      return 'Stays here. Its shipping label was bought.'
    case 'nowhere':
      return `No other warehouse has this tire: ${notMoved.sku}.`
    case 'split':
      return 'No other warehouse has all of these tires.'
    case 'late':
      return `No other warehouse has this tire in time. From ${notMoved.code}, it arrives ${day(notMoved.arrivesOn)}.`
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeWarehouseClosing(id, done),
      done: { close: 'close', finish: 'finish', reopen: 'reopen', move: 'moved', empty: 'emptied' },
    },
    warehouseClosingActions,
  )
}

type Loaded = Route.ComponentProps['loaderData']

export default function WarehouseClosingPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { id, name, code, tag, state, work: rows, isOpen, news: done } = loaderData
  return (
    <DetailPage
      title={`Close ${code} ${name}`}
      crumbs={[
        { label: 'Warehouses', path: officePaths.officeWarehouses() },
        { label: name, path: officePaths.officeWarehouse(id) },
      ]}
      state={tag}
      news={done}
      reply={reply}
      body={
        <>
          <TablePanel
            id="open-work"
            title="Open work"
            note={isOpen ? 'must be completed before it closes' : 'nothing left'}
            columns={{ label: 'What', count: 'Open', next: 'What to do' }}
            amounts={['count']}
            rows={rows.map(({ kind, label, count, next, path }) => ({
              id: kind,
              isMuted: count === 0,
              cells: {
                label: path && count > 0 ? <a href={path}>{label}</a> : label,
                count: count.toLocaleString('en-US'),
                next: count > 0 ? next : 'Done',
              },
            }))}
          />
          {state === 'scheduled' || state === 'closing' ? <ParcelsPanel loaded={loaderData} reply={reply} /> : null}
        </>
      }
      side={<StatePanels loaded={loaderData} reply={reply} />}
    />
  )
}

function ParcelsPanel({ loaded, reply }: { loaded: Loaded; reply: FormReply | undefined }) {
  const { parcels, moves, unlisted } = loaded
  return (
    <TablePanel
      id="parcels"
      title="Move packages"
      note="to warehouses that keep the promised day"
      empty="No packages to move."
      columns={{ order: 'Order', tires: 'Tires', promised: 'Promised', to: 'Ships from', expected: 'New expected day' }}
      rows={parcels.map(({ id, orderId, ...cells }) => ({
        id,
        isMuted: cells.expected === null,
        cells: { ...cells, order: <a href={officePaths.officeOrder(orderId)}>{orderNumber(orderId)}</a> },
      }))}
    >
      {moves.length > 0 ? (
        <PanelBody>
          <OfficeForm
            reply={reply}
            hidden={{ moves: moves.join(' ') }}
            buttons={[button('move', `Move ${countOf(moves.length, 'package')}`, 'primary')]}
            {...(unlisted > 0 && { note: `${countOf(unlisted, 'more package')} will be listed after these.` })}
          />
        </PanelBody>
      ) : null}
    </TablePanel>
  )
}

function StatePanels({ loaded, reply }: { loaded: Loaded; reply: FormReply | undefined }) {
  const { state, version, isOpen, units, targets } = loaded
  return (
    <>
      {state === 'open' || state === 'scheduled' ? (
        <FormPanel
          id="close"
          title={state === 'open' ? 'Close this warehouse' : 'Change the day'}
          reply={reply}
          past={['reopen']}
          hidden={{ version }}
          text="New orders and holds won’t use this warehouse after that."
          fields={{
            when: {
              label: 'Closes',
              kind: 'choice',
              options: Object.entries({ now: 'Now', day: 'On a day' }),
              value: state === 'open' ? 'now' : 'day',
            },
            day: { label: 'Day', kind: 'day', isOptional: true, hint: 'At midnight in its time zone.' },
          }}
          buttons={[button('close', state === 'open' ? 'Start closing' : 'Save', 'stop')]}
        />
      ) : null}
      {targets.length > 0 && units > 0 ? (
        <FormPanel
          id="empty"
          title="Transfer all tires"
          reply={reply}
          text={`${countOf(units, 'free tire')} can move, up to ${maxEmptied.toLocaleString('en-US')} SKUs at a time. Tires of open packages stay until the packages ship or move.`}
          fields={{
            emptyTo: {
              label: 'To',
              kind: 'choice',
              options: [['', 'Choose a warehouse'], ...targets],
            },
          }}
          buttons={[button('empty', 'Transfer all tires')]}
        />
      ) : null}
      {state === 'closing' ? (
        <FormPanel
          id="finish"
          title="Complete"
          reply={reply}
          hidden={{ version }}
          text={isOpen ? 'Finish the open work first.' : 'All work is done.'}
          buttons={[button('finish', 'Complete closing', isOpen ? undefined : 'primary')]}
        />
      ) : null}
      {state === 'open' ? null : (
        <FormPanel
          id="reopen"
          title={state === 'scheduled' ? 'Keep open' : 'Reopen'}
          reply={reply}
          past={['close', 'finish']}
          hidden={{ version }}
          text="New orders use this warehouse again. Packages that were moved stay with their new warehouse."
          buttons={[button('reopen', state === 'scheduled' ? 'Cancel the closing' : 'Reopen the warehouse')]}
        />
      )}
    </>
  )
}
