import type { ReactNode } from 'react'
import { Fold } from '#app/office/detail.tsx'
import { Avatar } from '#app/ui/office/avatar.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Unbroken } from '#app/ui/office/unbroken.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { KeyValues, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import type { ItemAmounts } from '#app/views/office/order-items.server.ts'
import type { LedgerRow } from '#app/views/office/order-ledger.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { countOf } from '#platform/count-text.ts'
import { CodeRows } from './order-codes.tsx'
import type { OrderPageView } from './order.tsx'

type Order = OrderPageView['order']

const itemColumns = [
  { key: 'item', label: 'Item', isRowHeader: true },
  { key: 'gross', label: 'Gross', isAmount: true },
  { key: 'discount', label: 'Discount', isAmount: true },
  { key: 'net', label: 'Net', isAmount: true },
  { key: 'tax', label: 'Tax, fee', isAmount: true },
  { key: 'total', label: 'Total', isAmount: true },
] as const

/** Renders each line item before and after discount, and with tax and fees. */
export function ItemsPanel({ order: { items, vehicle, fit } }: { order: Order }) {
  return (
    <Panel
      id="items"
      title="Items"
      note={vehicle}
      end={
        fit ? (
          <span className={fit.isSure ? 'office-fit tone-go' : 'office-fit'}>
            <Icon name={fit.isSure ? 'check-circle' : 'question'} size="s" /> {fit.text}
          </span>
        ) : null
      }
    >
      <div className="office-items">
        <DataTable
          caption="Items of this order"
          columns={itemColumns}
          rows={items.items.map(({ lineNo, picture, name, unit, cost, sources, programs, changed, ...amounts }) => ({
            id: String(lineNo),
            cells: {
              item: (
                <span className="office-item">
                  {picture ? <TirePicture picture={picture} alt="" size={64} /> : null}
                  <span>
                    {name}
                    {unit ? <small>{unit}</small> : null}
                    {cost ? <small>{cost}</small> : null}
                    {sources.map((source) => (
                      <small key={source}>{source}</small>
                    ))}
                    {changed ? <small>{changed}</small> : null}
                  </span>
                </span>
              ),
              ...amountCells(amounts, programs),
            },
          }))}
          footer={[{ item: 'Total', ...amountCells(items.sums, []) }]}
        />
      </div>
      <PanelBody>
        <p className="office-note">{items.taxNote}</p>
        {items.costNote ? <p className="office-note">{items.costNote}</p> : null}
      </PanelBody>
    </Panel>
  )
}

function amountCells({ gross, discount, net, taxAndFee, total, isPlain }: ItemAmounts, programs: readonly string[]) {
  return {
    gross: isPlain ? <span className="office-zero">{gross}</span> : gross,
    discount:
      discount === null ? (
        <span className="office-zero">None</span>
      ) : (
        <>
          <span className="tone-go">{discount}</span>
          {programs.map((program) => (
            <small key={program}>{program}</small>
          ))}
        </>
      ),
    net,
    tax: taxAndFee ?? <span className="office-zero">None</span>,
    total: <b>{total}</b>,
  }
}

/** Where the tires are and when they were promised; each row is a parcel. */
export function ParcelsPanel({ order: { delivery } }: { order: Order }) {
  const { parcels, shipTo, slipsPath } = delivery
  return (
    <Panel
      id="parcels"
      title="Parcels"
      note={parcels.length}
      end={
        slipsPath === null ? null : (
          <>
            <Icon name="print" size="s" /> <a href={slipsPath}>Packing slips</a>
          </>
        )
      }
    >
      {shipTo ? (
        <PanelBody>
          <KeyValues rows={[['Ship to', shipTo.map((line) => <div key={line}>{line}</div>)]]} />
        </PanelBody>
      ) : null}
      <DataTable
        caption="Packages in this order"
        columns={[
          { key: 'parcel', label: 'Parcel', isRowHeader: true },
          { key: 'tracking', label: 'Tracking' },
          { key: 'promised', label: 'Promised' },
          { key: 'now', label: 'Now' },
        ]}
        rows={parcels.map((parcel) => ({ id: parcel.id, cells: parcelCells(parcel) }))}
      />
    </Panel>
  )
}

function parcelCells(parcel: Order['delivery']['parcels'][number]): Record<string, ReactNode> {
  const { name, path, labelPath, next, from, purchase, tracking, trackingUrl, carrier, promised, tag, last } = parcel
  return {
    parcel: (
      <>
        {path === null ? name : <a href={path}>{name}</a>}
        <small>{from}</small>
        {purchase === null ? null : (
          <small>{purchase.path === null ? purchase.number : <a href={purchase.path}>{purchase.number}</a>}</small>
        )}
      </>
    ),
    tracking:
      tracking === null ? null : (
        <>
          {trackingUrl === null ? tracking : <a href={trackingUrl}>{tracking}</a>}
          {carrier === null ? null : <small>{carrier}</small>}
          {labelPath === null ? null : (
            <small>
              <a href={labelPath} aria-label={`Print label, parcel ${name}`}>
                Print label
              </a>
            </small>
          )}
        </>
      ),
    promised,
    now: (
      <>
        <Tag tone={tag.tone}>{tag.label}</Tag>
        {last === null ? null : (
          <small>
            <Unbroken>{last}</Unbroken>
          </small>
        )}
        {next === null || path === null ? null : (
          <small>
            <a href={path} aria-label={`${next}, parcel ${name}`}>
              {next}
            </a>
          </small>
        )}
      </>
    ),
  }
}

/** When and where the tires are installed, in the time zone of the shop, with the codes for those who may see them. */
export function AppointmentPanel({
  order,
  zone,
  codes,
  formKey,
}: Pick<OrderPageView, 'order' | 'zone' | 'formKey'> & {
  codes: { completion: string; dropOff: string | null } | null
}) {
  const { appointment } = order.delivery
  if (!appointment) return null
  const { tag, time, shop, hasCodes } = appointment
  return (
    <Panel id="appointment" title="Appointment" note={`Times in ${zone}`} end={<Tag tone={tag.tone}>{tag.label}</Tag>}>
      <PanelBody isPair>
        <KeyValues
          rows={[
            ...time,
            [
              'Shop',
              <a key="shop" href={officePaths.officeShop(shop.code)}>
                {shop.name}
              </a>,
            ],
            ...shop.rows,
          ]}
        />
        {hasCodes ? <CodeRows orderId={order.id} codes={codes} once={formKey} /> : null}
      </PanelBody>
    </Panel>
  )
}

/** What paid, what its bank checked, when money moved, and the ledger for those who may see it. */
export function PaymentPanel({ order: { payment, ledger } }: { order: Order }) {
  const { tag, method, checks, moves, left } = payment
  return (
    <Panel
      id="payment"
      title="Payment"
      note={<Tag tone={tag.tone}>{tag.label}</Tag>}
      end={left === null ? null : <span className="office-note">Can still be refunded: {left}</span>}
    >
      <PanelBody isPair>
        <KeyValues
          rows={[
            ...method,
            ...(checks
              ? [
                  [
                    'Checks',
                    <span key="checks" className={`tone-${checks.tone}`}>
                      {checks.text}
                    </span>,
                  ] as const,
                ]
              : []),
          ]}
        />
        <KeyValues rows={moves} />
      </PanelBody>
      {ledger && ledger.transfers.length > 0 ? (
        <Fold
          title="Ledger"
          note={
            ledger.isBalanced ? (
              `${countOf(ledger.transfers.length, 'entry', 'entries')}, in balance`
            ) : (
              <span className="tone-stop">{countOf(ledger.transfers.length, 'entry', 'entries')}, out of balance</span>
            )
          }
        >
          <LedgerTable caption="Ledger of this order" transfers={ledger.transfers} sum={ledger.sum} />
        </Fold>
      ) : null}
    </Panel>
  )
}

/** Who ordered, how to reach them, and what else they bought. */
export function CustomerPanel({ order: { customer } }: { order: Order }) {
  if (!customer) return null
  const { name, company, history, phone, phoneLink, texts, email, billTo, path } = customer
  return (
    <Panel id="customer" title="Customer" end={<a href={path}>Profile</a>}>
      <PanelBody>
        <p className="office-buyer">
          <Avatar who={name} />
          <span>
            <b>{name}</b>
            <br />
            <span className="office-note">{[company, history].filter(Boolean).join(' · ')}</span>
          </span>
        </p>
        <KeyValues
          rows={[
            [
              'Phone',
              <span key="phone">
                <a href={phoneLink}>{phone}</a>, {texts}
              </span>,
            ],
            [
              'Email',
              <a key="email" href={`mailto:${email}`}>
                {email}
              </a>,
            ],
            ['Bill to', billTo],
          ]}
        />
      </PanelBody>
    </Panel>
  )
}

/** Ledger entries by transfer, with debits and credits that come to the same sum. */
export function LedgerTable({
  caption,
  transfers,
  sum,
}: {
  caption: string
  transfers: readonly { transfer: string; rows: readonly LedgerRow[] }[]
  sum: string
}) {
  return (
    <DataTable
      caption={caption}
      columns={[
        { key: 'account', label: 'Account', isRowHeader: true },
        { key: 'debit', label: 'Debit', isAmount: true },
        { key: 'credit', label: 'Credit', isAmount: true },
      ]}
      rows={transfers.flatMap(({ transfer, rows }, of) =>
        rows.map((row, index) => ({
          id: `${of}-${index}`,
          cells: {
            ...row,
            account: index === 0 && transfer ? <Headed head={transfer} name={row.account} /> : row.account,
          },
        })),
      )}
      footer={[{ account: 'In balance', debit: sum, credit: sum }]}
    />
  )
}

/** The first entry of a transfer, below the name of the transfer. */
function Headed({ head, name }: { head: string; name: string }) {
  return (
    <>
      <b className="office-transfer">{head}</b>
      {name}
    </>
  )
}
