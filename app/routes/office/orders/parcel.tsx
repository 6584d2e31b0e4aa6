import { parcelActions } from '#app/office/actions/parcels.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { parcelView, type ParcelPageView } from '#app/views/office/parcel.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { findParcel, selectManifestOf } from '#domain/ordering/parcels/parcels.server.ts'
import { carrierNames } from '#domain/supply/delivery/delivery.ts'
import { isId } from '#platform/ids.ts'
import type { Route } from './+types/parcel.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Parcel of ${loaderData.parcel.order}` : 'Parcel', officePaths.officeParcels())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'parcels.read', officePaths.officeParcel(id))
  const parcel = found(isId(id) ? await findParcel(app, id) : undefined)
  const order = found(await readOrder(app.db, parcel.orderId))
  return {
    parcel: parcelView(order, parcel, {
      roles: session.roles,
      now: app.clock.now(),
      manifestId: await selectManifestOf(app.db, parcel.id),
    }),
    news: doneNews(url, news),
  }
}

const news = {
  buy: 'Label bought. Print it, and put it on the parcel.',
  ship: 'Marked shipped. We emailed the customer.',
  'ship-own': 'Marked shipped. We emailed the customer.',
  deliver: 'Marked delivered. We emailed the customer.',
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: args.params.id,
      path: (done) => officePaths.officeParcel(args.params.id, done),
      done: { buy: 'buy', ship: 'ship', 'ship-own': 'ship-own', deliver: 'deliver' },
    },
    parcelActions,
  )

export default function ParcelPage({ loaderData: { parcel, news: said }, actionData: reply }: Route.ComponentProps) {
  const { order, state, timer, why } = parcel
  return (
    <DetailPage
      title={`Parcel of ${order}`}
      crumbs={[{ label: 'Parcels to pack', path: officePaths.officeParcels() }]}
      state={state}
      timer={timer}
      news={said}
      reply={reply}
      body={
        <>
          {why === null ? null : (
            <Notice tone="signal" title="Don’t ship this parcel yet">
              <p>{why}</p>
            </Notice>
          )}
          <Contents parcel={parcel} />
          <Shipment parcel={parcel} />
        </>
      }
      side={<Acts parcel={parcel} reply={reply} />}
    />
  )
}

type Props = { parcel: ParcelPageView }

function Contents({ parcel: { items, warehouse } }: Props) {
  return (
    <TablePanel
      id="items"
      title="Items"
      note={`From ${warehouse}`}
      empty="This package is empty because all of its items were canceled."
      columns={{ tire: 'Tire', sku: 'SKU', size: 'Size', bin: 'Bin', quantity: 'Quantity' }}
      amounts={['quantity']}
      rows={items.map(({ itemId, sku, name, size, bin, quantity }) => ({
        id: `${itemId}`,
        cells: {
          tire: name,
          sku: <a href={officePaths.officeStockItem(itemId)}>{sku}</a>,
          size,
          bin: bin ?? 'Not recorded',
          quantity,
        },
      }))}
    />
  )
}

function Shipment({ parcel }: Props) {
  const { order, orderId, warehouse, shipTo, carrier, tracking, trackingUrl, label, manifest } = parcel
  const cost = label && (label.voided ? `${label.cost}, voided ${label.voided}` : label.cost)
  return (
    <FactsPanel
      id="shipment"
      title="Shipment"
      rows={[
        [
          'Order',
          <a key="order" href={officePaths.officeOrder(orderId)}>
            {order}
          </a>,
        ],
        ['Ships from', warehouse],
        ['Ship to', shipTo ? shipTo.map((line) => <div key={line}>{line}</div>) : 'Hidden for your role'],
        ...(carrier === null ? [] : [['Carrier', carrier] as const]),
        ...(tracking
          ? [
              [
                'Tracking',
                trackingUrl ? (
                  <a key="track" href={trackingUrl}>
                    {tracking}
                  </a>
                ) : (
                  tracking
                ),
              ] as const,
            ]
          : []),
        ...(cost === null ? [] : [['Label', cost] as const]),
        ...(manifest
          ? [
              [
                'Manifest',
                <a key="manifest" href={manifest.path}>
                  {manifest.number}
                </a>,
              ] as const,
            ]
          : []),
      ]}
    />
  )
}

function Acts({ parcel, reply }: Props & { reply: FormReply | undefined }) {
  const { id, prints, acts, carriers } = parcel
  return (
    <>
      {prints.slip || prints.label ? (
        <Panel id="print" title="Print">
          <PanelBody>
            <ul className="office-acts">
              {prints.slip ? (
                <Print path={officePaths.officeParcelFile(id, 'packing-slip.pdf')} label="Packing slip" />
              ) : null}
              {prints.label ? (
                <Print path={officePaths.officeParcelFile(id, 'label.pdf')} label="Label, 4 × 6 PDF" />
              ) : null}
              {prints.label ? (
                <Print path={officePaths.officeParcelFile(id, 'label.zpl')} label="Label, 4 × 6 ZPL" />
              ) : null}
            </ul>
          </PanelBody>
        </Panel>
      ) : null}
      {acts.buy ? (
        <FormPanel
          id="buy"
          title="Label"
          isOpen
          reply={reply}
          text={`${
            carriers.length > 1
              ? 'We buy it from the warehouse’s first carrier that takes the parcel.'
              : 'The carrier’s cheapest rate is charged to the store.'
          } A label that isn’t used is refunded.`}
          buttons={[button('buy', 'Buy label', 'primary')]}
        />
      ) : null}
      {acts.ship ? (
        <FormPanel
          id="ship"
          title="Handed to the carrier"
          isOpen
          reply={reply}
          text="The customer gets an email with the tracking number."
          buttons={[button('ship', 'Mark shipped', 'primary')]}
        />
      ) : null}
      {acts.own ? <OwnTracking parcel={parcel} reply={reply} /> : null}
      {acts.deliver ? (
        <FormPanel
          id="deliver"
          title="Delivery"
          isOpen
          reply={reply}
          text="This carrier doesn’t report to the store. Check its tracking page first."
          buttons={[button('deliver', 'Mark delivered', 'primary')]}
        />
      ) : null}
    </>
  )
}

function Print({ path, label }: { path: string; label: string }) {
  return (
    <li>
      <Icon name="print" size="s" /> <a href={path}>{label}</a>
    </li>
  )
}

function OwnTracking({ parcel: { acts, label, carriers }, reply }: Props & { reply: FormReply | undefined }) {
  const names = carriers.length > 0 ? carriers : carrierNames
  const isAny = carriers.length === 0
  return (
    <FormPanel
      id="own"
      title="Ship with another carrier"
      isOpen={!acts.buy && !acts.ship}
      reply={reply}
      text={label && !label.voided ? 'We then refund the purchased label.' : undefined}
      fields={{
        carrier: {
          label: 'Carrier',
          kind: 'choice',
          options: [
            ['', 'Choose'],
            ...names.map((name): [string, string] => [name, name]),
            ...(isAny ? [['other', 'Other'] as const] : []),
          ],
        },
        ...(isAny && { carrierName: { label: 'Name of the other carrier', max: 40, isOptional: true } }),
        tracking: { label: 'Tracking number', max: 60 },
      }}
      buttons={[button('ship-own', 'Mark shipped', acts.buy || acts.ship ? undefined : 'primary')]}
    />
  )
}
