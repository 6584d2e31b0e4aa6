import { DataTable } from '#app/ui/office/data-table.tsx'
import { KeyValues, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import type { LedgerRow } from '#app/views/office-order-ledger.server.ts'
import type { OrderPageView } from './order.tsx'

type Order = OrderPageView['order']

const amountColumns = [
  { key: 'net', label: 'Net', isAmount: true },
  { key: 'tax', label: 'Tax', isAmount: true },
  { key: 'fee', label: 'Fees', isAmount: true },
] as const

/** What was bought, with what was paid for each line. */
export function LinesPanel({ order: { lines, sums, vehicle, taxNote } }: { order: Order }) {
  return (
    <Panel id="lines" title="Lines" note={vehicle}>
      <DataTable
        caption="Lines of this order"
        columns={[
          { key: 'line', label: 'Line', isRowHeader: true },
          { key: 'where', label: 'Refunded' },
          ...amountColumns,
          { key: 'total', label: 'Paid', isAmount: true },
        ]}
        rows={lines.map(({ lineNo, name, detail, ...cells }) => ({
          id: String(lineNo),
          cells: { ...cells, line: <Named name={name} detail={detail} /> },
        }))}
        footer={[{ line: <Named name="Total" detail={taxNote} />, ...sums }]}
      />
    </Panel>
  )
}

/** A name with a smaller line below it. */
export function Named({ name, detail }: { name: string; detail: string }) {
  return (
    <>
      {name}
      <small className="office-detail">{detail}</small>
    </>
  )
}

/** The parcels of the order, each with where it is. */
export function ParcelsPanel({ order: { parcels } }: { order: Order }) {
  return (
    <Panel id="parcels" title="Parcels" note={parcels.length}>
      {parcels.map(({ title, tag, rows }) => (
        <PanelBody key={title}>
          <h3 className="office-line">
            {title} <Tag tone={tag.tone}>{tag.label}</Tag>
          </h3>
          <KeyValues rows={rows} />
        </PanelBody>
      ))}
    </Panel>
  )
}

/** When and where the tires are installed, in the time zone of the shop. */
export function AppointmentPanel({
  appointment: { tag, rows },
  zone,
}: {
  appointment: NonNullable<Order['appointment']>
  zone: string
}) {
  return (
    <Panel id="appointment" title="Appointment at the shop" note={`Times in ${zone}`} end={<Tag>{tag}</Tag>}>
      <PanelBody>
        <KeyValues rows={rows} />
      </PanelBody>
    </Panel>
  )
}

/** How the order is paid, and its entries in the ledger for those who may see them. */
export function LedgerPanel({ order: { money, ledger, ledgerSum } }: { order: Order }) {
  return (
    <Panel id="money" title="Payment and ledger" end={<Tag tone={money.tag.tone}>{money.tag.label}</Tag>}>
      <PanelBody>
        <KeyValues rows={money.rows} />
      </PanelBody>
      {ledger ? <LedgerTable caption="Ledger of this order" transfers={ledger} sum={ledgerSum} /> : null}
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
