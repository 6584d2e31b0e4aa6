/** The panels and forms of a purchase order for stock. */
import type { FormReply } from '#app/forms/form.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import type { FormField } from '#app/office/form-fields.tsx'
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/stock-order.ts'

type Loaded = Route.ComponentProps['loaderData']
export type Order = NonNullable<Loaded['order']>
type Reply = { reply: FormReply | undefined }

function namesById(rows: readonly { id: number; name: string }[]): FieldOptions {
  return [['', 'Choose'], ...rows.map(({ id, name }): [string, string] => [String(id), name])]
}

const addField: FormField = {
  label: 'Add tires',
  kind: 'area',
  rows: 5,
  max: 10_000,
  isOptional: true,
  hint: 'One per line: SKU, quantity, and the unit cost if it differs from the supplier’s price. For example: KEST-100001 8 84.50',
}
const noteField = (value: string | null): FormField => ({
  label: 'Note for the supplier',
  kind: 'area',
  rows: 2,
  max: 400,
  isOptional: true,
  value,
})

/** The form of a new draft. */
export function NewForm({ choices, reply }: Reply & { choices: NonNullable<Loaded['choices']> }) {
  return (
    <FormPanel
      id="order"
      title="Order"
      reply={reply}
      hidden={{ key: choices.key }}
      fields={{
        supplier: { label: 'Supplier', kind: 'choice', options: namesById(choices.suppliers) },
        warehouse: { label: 'Warehouse', kind: 'choice', options: namesById(choices.warehouses) },
        expectedOn: {
          label: 'Expected on',
          kind: 'day',
          isOptional: true,
          hint: 'Leave empty to use the supplier’s lead time.',
        },
        add: addField,
        note: noteField(null),
      }}
      buttons={[button('add', 'Create draft', 'primary')]}
    />
  )
}

/** Renders an order's tires, its deliveries, and the form that edits a draft. */
export function OrderPanels({ order, mayOrder, reply }: Reply & { order: Order; mayOrder: boolean }) {
  const isDraft = order.state === 'draft'
  const isAnswered = order.lines.some(({ answer }) => answer !== '')
  const isEdited = isDraft && mayOrder
  return (
    <>
      <TablePanel
        id="lines"
        title="Tires"
        note={order.freight === null ? `Cost ${order.total}` : `Cost ${order.total}, freight so far ${order.freight}`}
        empty="No tires yet."
        columns={{
          sku: 'SKU',
          name: 'Tire',
          quantity: 'Ordered',
          ...(isDraft ? {} : { received: 'Received' }),
          ...(order.lines.some(({ damaged }) => damaged > 0) ? { damaged: 'Damaged' } : {}),
          ...(order.lines.some(({ short }) => short > 0) ? { short: 'Missing' } : {}),
          ...(isDraft ? {} : { outstanding: 'Expected' }),
          ...(isAnswered ? { answer: 'Supplier’s answer' } : {}),
          unitCost: 'Unit cost',
          cost: 'Cost',
        }}
        amounts={['quantity', 'received', 'damaged', 'short', 'outstanding', 'unitCost', 'cost']}
        rows={order.lines.map(({ itemId, sku, typedCost: _typed, ...cells }) => ({
          id: String(itemId),
          cells: { ...cells, sku: <a href={officePaths.officeStockItem(itemId)}>{sku}</a> },
        }))}
      />
      {isDraft ? null : (
        <TablePanel
          id="receipts"
          title="Received"
          note="newest first, Eastern Time"
          empty="No units received yet."
          columns={{
            at: 'When',
            sku: 'SKU',
            units: 'Units',
            ...(order.freight === null ? {} : { freight: 'Freight' }),
            weeks: 'DOT weeks',
            faults: 'Differences',
            by: 'By',
          }}
          amounts={['units', 'freight']}
          rows={order.receipts}
        />
      )}
      {order.messages.length > 0 ? (
        <TablePanel
          id="messages"
          title="From the supplier"
          note="newest first, Eastern Time"
          columns={{ at: 'When', summary: 'Message' }}
          rows={order.messages}
        />
      ) : null}
      {isEdited ? (
        <FormPanel
          id="draft"
          title="Edit draft"
          isOpen
          isPair
          reply={reply}
          hidden={{ version: order.version }}
          fields={draftFields(order)}
          buttons={[button('change', 'Save draft', 'primary')]}
        />
      ) : null}
    </>
  )
}

function draftFields({ lines, expectedOn, note }: Order): FormFields {
  const typed = lines.flatMap(({ itemId, sku, quantity, typedCost }): [string, FormField][] => [
    [`quantity-${itemId}`, { label: `${sku}, quantity`, kind: 'number', max: 5, value: String(quantity) }],
    [`cost-${itemId}`, { label: `${sku}, unit cost in dollars`, kind: 'money', value: typedCost }],
  ])
  return {
    ...Object.fromEntries<FormField>(typed),
    add: addField,
    expectedOn: { label: 'Expected on', kind: 'day', value: expectedOn },
    note: noteField(note),
  }
}

/** The facts of an order, and the forms that send and cancel it. */
export function SidePanels({ id, order, mayOrder, reply }: Reply & { id: string; order: Order; mayOrder: boolean }) {
  const { state, version, lines } = order
  const isOpen = state !== 'received' && state !== 'canceled'
  return (
    <>
      <FactsPanel id="facts" title="Order" note="Eastern Time" rows={order.facts}>
        {lines.length > 0 ? (
          <p>
            <a href={officePaths.officeStockOrderFile(id)}>Download as CSV</a>
          </p>
        ) : null}
      </FactsPanel>
      {(state === 'draft' || state === 'sending') && mayOrder ? <SendForm order={order} reply={reply} /> : null}
      {isOpen && mayOrder ? (
        <FormPanel
          id="cancel"
          title="Cancel"
          reply={reply}
          past={['send', 'mark-sent']}
          hidden={{ version }}
          text={state === 'partly-received' ? 'Received units stay in stock.' : undefined}
          fields={{ reason: { label: 'Reason', max: 400 } }}
          buttons={[button('cancel', 'Cancel the order', 'stop')]}
        />
      ) : null}
    </>
  )
}

/** Sends a draft to a supplier that is reached electronically. Other orders are placed by staff and marked as sent. */
function SendForm({ order: { state, version, isElectronic, refusal, supplierName }, reply }: Reply & { order: Order }) {
  const isSendable = state === 'draft' && isElectronic
  const isByHand = !isSendable || refusal !== null
  return (
    <FormPanel
      id="send"
      title="Send"
      isOpen={state === 'draft'}
      reply={reply}
      hidden={{ version }}
      text={[
        ...(isSendable ? [`We send the order to the system of ${supplierName}.`] : []),
        ...(isByHand
          ? [
              `${isSendable ? 'Or download' : 'Download'} the CSV file and send it to the supplier, or place the order on their site. Then mark it as sent.`,
            ]
          : []),
        'A sent order can’t be edited.',
      ].join(' ')}
      buttons={[
        ...(isSendable ? [button('send', refusal === null ? 'Send to the supplier' : 'Send again', 'primary')] : []),
        ...(isByHand ? [button('mark-sent', 'Mark as sent', isSendable ? undefined : 'primary')] : []),
      ]}
    />
  )
}
