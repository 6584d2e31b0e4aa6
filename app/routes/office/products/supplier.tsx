import type { FormReply } from '#app/forms/form.ts'
import { supplierActions, supplierId } from '#app/office/actions/suppliers.server.ts'
import { decideActions, doneNews, found, shownRows } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormInputs, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { availabilityState, ediState } from '#app/views/supplier-feed-words.ts'
import { officePaths } from '#content/office-paths.ts'
import { findSupplier, readAnswered } from '#domain/supply/stock/stock.server.ts'
import { typedDollars } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/supplier.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.supplier?.name ?? 'New supplier', officePaths.officeSuppliers())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'suppliers.manage', officePaths.officeSupplier(id))
  const supplier = id === 'new' ? null : found(await findSupplier(app, supplierId(id)))
  const answered = supplier?.availabilityUrl == null ? null : await readAnswered(app.db, supplier.id)
  return {
    availability: answered && supplier && availabilityRows(supplier, answered),
    edi: supplier?.ediUrl == null ? [] : ediRows(supplier),
    supplier: supplier && {
      ...supplier,
      discount: supplier.discountPpm === 0 ? '' : String(supplier.discountPpm / 10_000),
      freight: supplier.freightCents === 0 ? null : typedDollars(supplier.freightCents),
      minimumOrder: supplier.minimumOrderCents === null ? null : typedDollars(supplier.minimumOrderCents),
      isRetired: supplier.retiredAt !== null,
    },
    callback: `${app.config.web.origin}/webhooks/suppliers`,
    news: doneNews(url, {
      change: 'Supplier saved.',
      retire: 'Supplier retired. Its warehouses no longer have stock.',
      restore: 'Supplier reactivated. Import its stock to sell it again.',
    }),
  }
}

function availabilityRows(
  { availabilityFault: fault, availabilityFailedAt: failedAt }: NonNullable<Awaited<ReturnType<typeof findSupplier>>>,
  { tires, lastAt }: Awaited<ReturnType<typeof readAnswered>>,
): [string, string][] {
  const rows: [string, string | null][] = [
    ['Status', availabilityState({ fault, isAnswered: lastAt !== null })],
    ['Since', failedAt && timeText(failedAt, storeZone)],
    ['Last answer', lastAt && timeText(lastAt, storeZone)],
    ['Tires', tires === 0 ? null : String(tires)],
  ]
  return rows.flatMap(([label, value]): [string, string][] => (value === null ? [] : [[label, value]]))
}

function ediRows({ ediFault, ediFailedAt, ediReadAt }: NonNullable<Awaited<ReturnType<typeof findSupplier>>>) {
  return shownRows([
    ['Status', ediState({ fault: ediFault, isRead: ediReadAt !== null })],
    ['Since', ediFailedAt && timeText(ediFailedAt, storeZone)],
    ['Last read', ediReadAt && timeText(ediReadAt, storeZone)],
  ])
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeSupplier(id, done),
      secrets: ['cxmlSecret', 'ediPassword', 'ediPrivateKey', 'availabilityKey'],
      done: { add: officePaths.officeSuppliers('added'), change: 'change', retire: 'retire', restore: 'restore' },
    },
    supplierActions,
  )
}

type Supplier = Route.ComponentProps['loaderData']['supplier']

export default function SupplierPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { supplier, availability, edi, callback, news } = loaderData
  return (
    <DetailPage
      title={supplier?.name ?? 'New supplier'}
      crumbs={[{ label: 'Suppliers', path: officePaths.officeSuppliers() }]}
      tags={supplier?.isRetired ? <Tag tone="plain">Retired</Tag> : null}
      news={news}
      reply={reply}
      body={<SupplierForm supplier={supplier} callback={callback} reply={reply} />}
      side={
        supplier ? (
          <>
            <TablePanel
              id="warehouses"
              title="Warehouses"
              empty="No warehouses yet."
              columns={{ code: 'Code', name: 'Name' }}
              rows={supplier.warehouses.map(({ id, code, name }) => ({
                id: String(id),
                cells: { code: <a href={officePaths.officeWarehouse(String(id))}>{code}</a>, name },
              }))}
            >
              <PanelBody>
                <p>
                  <a href={officePaths.officeWarehouse('new')}>Add a warehouse</a>
                </p>
              </PanelBody>
            </TablePanel>
            <FactsPanel id="edi" title="EDI files" rows={edi} />
            <FactsPanel id="availability" title="Availability service" rows={availability ?? []} />
            <StateForm supplier={supplier} reply={reply} />
          </>
        ) : undefined
      }
    />
  )
}

/** What the form of a new supplier begins with. */
const blank = {
  name: '',
  accountNumber: null,
  leadDays: 3,
  discount: '',
  freight: null,
  minimumOrder: null,
  paymentDays: 30,
  networkId: null,
  cxmlUrl: null,
  cxmlIdentity: null,
  ediUrl: null,
  ediIdentity: null,
  ediUsername: null,
  ediHostKey: null,
  availabilityUrl: null,
}

function SupplierForm({
  supplier,
  callback,
  reply,
}: {
  supplier: Supplier
  callback: string
  reply: FormReply | undefined
}) {
  const code: Fields = {
    code: { label: 'Code', max: 10, hint: 'Short, such as BROADMOOR. It can’t be changed later.' },
  }
  const terms = supplier ?? blank
  const groups: [string, Fields][] = [
    ['Terms', { ...(supplier ? {} : code), ...termFields(terms) }],
    ['Orders in cXML', cxmlFields(terms)],
    ['Orders as EDI files', ediFields(terms)],
    ['Availability', availabilityFields(terms)],
  ]
  return (
    <FormPanel
      id="supplier"
      title="Supplier"
      reply={reply}
      hidden={{ version: supplier?.version ?? 0, ...(supplier && { code: supplier.code }) }}
      labels={Object.fromEntries(
        groups.flatMap(([, fields]) => Object.entries(fields).map(([name, { label }]) => [name, label])),
      )}
      layout={(shown) =>
        groups.map(([title, fields]) => (
          <section key={title} className="stack" aria-labelledby={idOf(title)}>
            <h3 id={idOf(title)}>{title}</h3>
            <div className="office-pair">
              <FormInputs fields={fields} reply={shown} />
            </div>
          </section>
        ))
      }
      buttons={[supplier ? button('change', 'Save', 'primary') : button('add', 'Add the supplier', 'primary')]}
      note={`The supplier sends its answers to ${callback}, with the same secret.`}
    />
  )
}

type Terms = Pick<NonNullable<Supplier>, keyof typeof blank>
type Fields = Readonly<Record<string, FormField>>

const idOf = (title: string) => `supplier-${title.toLowerCase().replaceAll(' ', '-')}`

function termFields(terms: Terms): Fields {
  return {
    name: { label: 'Name', value: terms.name, max: 80 },
    accountNumber: {
      label: 'Account number',
      value: terms.accountNumber,
      max: 40,
      isOptional: true,
      hint: 'Your account at the supplier.',
    },
    leadDays: {
      label: 'Lead time in days',
      kind: 'number',
      value: String(terms.leadDays),
      max: 3,
      hint: 'From a purchase order for stock to its delivery.',
    },
    discount: {
      label: 'Discount in percent',
      value: terms.discount,
      max: 7,
      isOptional: true,
      hint: 'What the supplier takes off the cost in the catalog.',
    },
    freight: {
      label: 'Freight per tire in dollars',
      kind: 'money',
      value: terms.freight,
      isOptional: true,
      hint: 'Added to the cost of each tire that the supplier ships to a customer. Leave empty if its prices include freight.',
    },
    minimumOrder: { label: 'Minimum order in dollars', kind: 'money', value: terms.minimumOrder, isOptional: true },
    paymentDays: {
      label: 'Payment due in days',
      kind: 'number',
      value: String(terms.paymentDays),
      max: 3,
      hint: '0 for due on receipt.',
    },
    networkId: {
      label: 'Identity of the supplier',
      value: terms.networkId,
      max: 40,
      isOptional: true,
      hint: 'In cXML or EDI. Leave empty if staff place orders themselves.',
    },
  }
}

function cxmlFields({ cxmlUrl, cxmlIdentity }: Terms): Fields {
  return {
    cxmlUrl: {
      label: 'cXML address',
      value: cxmlUrl,
      max: 300,
      isOptional: true,
      hint: 'Leave empty to use the store’s purchasing network.',
    },
    cxmlIdentity: {
      label: 'Your cXML identity',
      value: cxmlIdentity,
      max: 40,
      isOptional: true,
      hint: 'Your identity at the supplier’s address.',
    },
    cxmlSecret: {
      label: 'Shared secret',
      kind: 'password',
      max: 200,
      isOptional: true,
      hint: cxmlUrl === null ? 'At least 12 characters.' : 'Leave empty to keep the current secret.',
    },
  }
}

function ediFields({ ediUrl, ediIdentity, ediUsername, ediHostKey }: Terms): Fields {
  const secretHint = ediUrl === null ? {} : { hint: 'Leave empty to keep the current one.' }
  return {
    ediUrl: {
      label: 'EDI address',
      value: ediUrl,
      max: 300,
      isOptional: true,
      hint: 'Orders go to the folder in and answers come from the folder out, such as sftp://edi.example.com/sidewall.',
    },
    ediIdentity: {
      label: 'Your EDI identity',
      value: ediIdentity,
      max: 15,
      isOptional: true,
      hint: 'Your interchange ID at the supplier.',
    },
    ediUsername: { label: 'SFTP user name', value: ediUsername, max: 100, isOptional: true },
    ediPassword: { label: 'SFTP password', kind: 'password', max: 200, isOptional: true, ...secretHint },
    ediPrivateKey: {
      label: 'SFTP private key',
      kind: 'area',
      max: 16_000,
      isOptional: true,
      hint: ediUrl === null ? 'In PEM, instead of a password.' : 'Leave empty to keep the current one.',
    },
    ediHostKey: {
      label: 'Server key fingerprint',
      value: ediHostKey,
      max: 60,
      isOptional: true,
      hint: 'Begins with SHA256:',
    },
  }
}

function availabilityFields({ availabilityUrl }: Terms): Fields {
  return {
    availabilityUrl: {
      label: 'Availability service address',
      value: availabilityUrl,
      max: 300,
      isOptional: true,
      hint: 'Carts and orders get stock and cost from it, for tires with a manufacturer part number. Leave empty to use stock files only.',
    },
    availabilityKey: {
      label: 'Availability service key',
      kind: 'password',
      max: 200,
      isOptional: true,
      hint: availabilityUrl === null ? 'From the supplier.' : 'Leave empty to keep the current key.',
    },
  }
}

function StateForm({ supplier, reply }: { supplier: NonNullable<Supplier>; reply: FormReply | undefined }) {
  return supplier.isRetired ? (
    <FormPanel
      id="restore"
      title="Reactivate"
      reply={reply}
      past={['retire']}
      hidden={{ version: supplier.version }}
      text="The supplier’s warehouses get stock again from its next stock file."
      buttons={[button('restore', 'Reactivate the supplier')]}
    />
  ) : (
    <FormPanel
      id="retire"
      title="Retire"
      reply={reply}
      past={['restore']}
      hidden={{ version: supplier.version }}
      text="The stock of its warehouses is cleared, and new orders stop. Past purchase orders stay."
      buttons={[button('retire', 'Retire the supplier', 'stop')]}
    />
  )
}
