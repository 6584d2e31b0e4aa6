import { stockOrderId, stockReceiptActions } from '#app/office/actions/stock-orders.server.ts'
import { decideActions, found } from '#app/office/decision.server.ts'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormPanel, type FormFields } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findStockOrder } from '#domain/supply/stock/stock.server.ts'
import { outstandingUnits, stockOrderNumber } from '#domain/supply/stock/stock.ts'
import { newId } from '#platform/ids.ts'
import type { Route } from './+types/stock-order-receive.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Receive SPO-${params.id}`, officePaths.officeStockOrders())

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'stock.adjust', officePaths.officeStockOrderReceive(id))
  const { order, lines } = found(await findStockOrder(app, stockOrderId(id)))
  return {
    key: newId(),
    number: stockOrderNumber(order.id),
    path: officePaths.officeStockOrder(id),
    from: `${order.supplier.name}, to ${order.warehouse.code} ${order.warehouse.name}`,
    isOpen: order.state === 'sent' || order.state === 'partly-received',
    lines: lines.map((line) => ({
      itemId: line.itemId,
      sku: line.sku,
      name: line.name,
      ordered: line.quantity,
      outstanding: outstandingUnits(line),
    })),
  }
}

/** Posts a delivery (`receiveStockOrder`). */
export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: () => officePaths.officeStockOrderReceive(id),
      done: { receive: officePaths.officeStockOrder(id, 'receive') },
    },
    stockReceiptActions,
  )
}

type Line = Route.ComponentProps['loaderData']['lines'][number]

export default function ReceivePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { key, number, path, from, isOpen, lines } = loaderData
  return (
    <OfficePage
      title={`Receive ${number}`}
      crumbs={[
        { label: 'Stock orders', path: officePaths.officeStockOrders() },
        { label: number, path },
      ]}
      reply={reply}
    >
      {isOpen ? (
        <FormPanel
          id="receive"
          title="Delivery"
          lead={from}
          isPair
          reply={reply}
          hidden={{ key }}
          text="Enter what arrived. You can receive the rest later. Damaged and missing units are no longer expected, so order replacements."
          fields={{
            ...Object.fromEntries<FormFields[string]>(lines.flatMap((line) => Object.entries(fieldsOf(line)))),
            'whole-delivery': <h3>Whole delivery</h3>,
            freight: {
              label: 'Freight',
              kind: 'money',
              isOptional: true,
              hint: 'The freight for this delivery. We split it by unit and add it to the cost of the tires.',
            },
            overReason: {
              label: 'Over-delivery reason',
              max: 400,
              isOptional: true,
              hint: 'Only if you keep more units than were ordered.',
            },
          }}
          buttons={[button('receive', 'Receive', 'primary')]}
        />
      ) : (
        <p>
          Nothing is expected of <a href={path}>{number}</a>.
        </p>
      )}
    </OfficePage>
  )
}

function fieldsOf({ itemId, sku, name, ordered, outstanding }: Line): FormFields {
  const count = (label: string): FormField => ({ label: `${label}, ${sku}`, kind: 'number', max: 5, isOptional: true })
  return {
    [`tire-${itemId}`]: (
      <h3>
        {name}: {outstanding} of {ordered} expected
      </h3>
    ),
    [`units-${itemId}`]: count('Received in good condition'),
    [`weeks-${itemId}`]: {
      label: `DOT week, ${sku}`,
      max: 400,
      isOptional: true,
      hint: 'Such as 2326. For several weeks, add the units of each: 2326 8, 2426 4.',
    },
    [`damaged-${itemId}`]: count('Damaged'),
    [`short-${itemId}`]: count('Missing'),
    [`reason-${itemId}`]: { label: `Reason if damaged or missing, ${sku}`, max: 400, isOptional: true },
  }
}
