import type { FormReply } from '#app/forms/form.ts'
import { supplierReturnActions, supplierReturnId } from '#app/office/actions/supplier-returns.server.ts'
import { decideActions, doneNews, found, shownRows } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { findSupplierReturn, listSuppliers } from '#domain/supply/stock/stock.server.ts'
import {
  expectedCredit,
  supplierReturnNumber,
  supplierReturnStateNames,
  type SupplierReturnState,
} from '#domain/supply/stock/stock.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import type { Route } from './+types/supplier-return.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(
    matches,
    params.id === 'new' ? 'New supplier return' : `SR-${params.id}`,
    officePaths.officeSupplierReturns(),
  )

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const isNew = id === 'new'
  const path = officePaths.officeSupplierReturn(id)
  const { app, session } = await requireStaff(context, isNew ? 'stock.order' : 'suppliers.read', path)
  return {
    news: doneNews(url, {
      created: 'Draft created.',
      send: 'Sent. Its units left the stock.',
      credit: 'Credit recorded.',
      cancel: 'Canceled.',
    }),
    mayChange: staffCan(session.roles, 'stock.order'),
    choices: isNew ? await readChoices(app) : null,
    returned: isNew ? null : await readReturn(app, supplierReturnId(id)),
  }
}

async function readChoices(app: Application) {
  const [suppliers, warehouses] = await Promise.all([listSuppliers(app), listWarehouses(app)])
  return {
    key: newId(),
    suppliers: optionsOf(suppliers.filter(({ retiredAt }) => retiredAt === null)),
    warehouses: optionsOf(
      warehouses
        .filter(({ supplierId, isRetired }) => supplierId === null && !isRetired)
        .map(({ id, code, name }) => ({ id, name: `${code} ${name}` })),
    ),
  }
}

function optionsOf(rows: readonly { id: number; name: string }[]): [string, string][] {
  return [['', 'Choose'], ...rows.map(({ id, name }): [string, string] => [String(id), name])]
}

async function readReturn(app: Application, id: number) {
  const { returned, lines } = found(await findSupplierReturn(app, id))
  const at = (instant: Temporal.Instant | null, by: string | null) =>
    instant && `${timeText(instant, storeZone)} by ${by ?? ''}`
  return {
    number: supplierReturnNumber(id),
    state: returned.state,
    version: returned.version,
    expected: formatCents(expectedCredit(lines)),
    lines: lines.map(({ itemId, sku, name, quantity, unitCreditCents }) => ({
      itemId,
      sku,
      name,
      quantity,
      unit: formatCents(unitCreditCents),
      credit: formatCents(unitCreditCents * quantity),
    })),
    facts: shownRows([
      ['Supplier', returned.supplier],
      ['From', returned.warehouse],
      ['RMA number', returned.rma],
      ['Credit', returned.creditCents === null ? null : formatCents(returned.creditCents)],
      ['Credit memo', returned.creditReference],
      ['Note', returned.note],
      ['Created', at(returned.createdAt, returned.createdBy)],
      ['Sent', at(returned.sentAt, returned.sentBy)],
      ['Credited', at(returned.creditedAt, returned.creditedBy)],
      ['Canceled', at(returned.canceledAt, returned.canceledBy)],
    ]),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeSupplierReturn(id, done),
      longest: 10_000,
      done: {
        add: (created) => officePaths.officeSupplierReturn(created, 'created'),
        send: 'send',
        credit: 'credit',
        cancel: 'cancel',
      },
    },
    supplierReturnActions,
  )
}

const tones: Readonly<Record<SupplierReturnState, Tone>> = {
  draft: 'plain',
  sent: 'signal',
  credited: 'go',
  canceled: 'plain',
}

type Loaded = Route.ComponentProps['loaderData']
type Reply = { reply: FormReply | undefined }

export default function SupplierReturnPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { returned, choices, mayChange, news } = loaderData
  return (
    <DetailPage
      title={returned?.number ?? 'New supplier return'}
      crumbs={[
        { label: 'Stock', path: officePaths.officeStock() },
        { label: 'Supplier returns', path: officePaths.officeSupplierReturns() },
      ]}
      {...(returned && { state: { label: supplierReturnStateNames[returned.state], tone: tones[returned.state] } })}
      news={news}
      reply={reply}
      body={
        returned ? (
          <TablePanel
            id="lines"
            title="Tires"
            note={`Expected credit ${returned.expected}`}
            columns={{ sku: 'SKU', name: 'Tire', quantity: 'Units', unit: 'Unit credit', credit: 'Credit' }}
            amounts={['quantity', 'unit', 'credit']}
            rows={returned.lines.map(({ itemId, sku, ...cells }) => ({
              id: String(itemId),
              cells: { ...cells, sku: <a href={officePaths.officeStockItem(itemId)}>{sku}</a> },
            }))}
          />
        ) : choices ? (
          <NewForm choices={choices} reply={reply} />
        ) : null
      }
      side={
        returned ? (
          <>
            <FactsPanel id="facts" title="Return" note="Eastern Time" rows={returned.facts} />
            {mayChange ? <NextForms returned={returned} reply={reply} /> : null}
          </>
        ) : undefined
      }
    />
  )
}

function NewForm({ choices, reply }: Reply & { choices: NonNullable<Loaded['choices']> }) {
  return (
    <FormPanel
      id="return"
      title="Return"
      reply={reply}
      hidden={{ key: choices.key }}
      fields={{
        supplier: { label: 'Supplier', kind: 'choice', options: choices.suppliers },
        warehouse: { label: 'Warehouse', kind: 'choice', options: choices.warehouses },
        add: {
          label: 'Tires',
          kind: 'area',
          rows: 5,
          max: 10_000,
          hint: 'One per line: SKU, quantity, and the unit credit if it differs from the supplier’s price. For example: KEST-100001 4 84.50',
        },
        note: { label: 'Note', kind: 'area', rows: 2, max: 400, isOptional: true },
      }}
      buttons={[button('add', 'Create draft', 'primary')]}
    />
  )
}

/** The forms of the next steps. */
function NextForms({ returned: { state, version }, reply }: Reply & { returned: NonNullable<Loaded['returned']> }) {
  if (state === 'sent')
    return (
      <FormPanel
        id="credit"
        title="Credit"
        isOpen
        reply={reply}
        past={['send']}
        hidden={{ version }}
        fields={{
          credit: { label: 'Credit in dollars', kind: 'money' },
          reference: { label: 'Credit memo number', max: 60, isOptional: true },
        }}
        buttons={[button('credit', 'Record credit', 'primary')]}
      />
    )
  if (state !== 'draft') return null
  return (
    <>
      <FormPanel
        id="send"
        title="Send"
        isOpen
        reply={reply}
        hidden={{ version }}
        text="Ask the supplier for an RMA number first. The units leave the stock."
        fields={{ rma: { label: 'RMA number', max: 60 } }}
        buttons={[button('send', 'Mark as sent', 'primary')]}
      />
      <FormPanel
        id="cancel"
        title="Cancel"
        reply={reply}
        hidden={{ version }}
        buttons={[button('cancel', 'Cancel the return', 'stop')]}
      />
    </>
  )
}
