/** What a company owes, its certificates and its members. */
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import type { OfficeCompany } from '#app/views/office-company.server.ts'
import { officePaths } from '#content/office-paths.ts'

export function Invoices({
  company: { invoices, hasMoreInvoices },
  maySettle,
  reply,
}: {
  company: OfficeCompany
  maySettle: boolean
  reply: FormReply | undefined
}) {
  const open = invoices.filter(({ isOpen }) => isOpen)
  return (
    <Panel id="invoices" title="Invoices" note={hasMoreInvoices ? 'The latest 50' : null}>
      {invoices.length === 0 ? (
        <PanelBody>
          <p>No invoices yet.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Invoices"
          columns={[
            { key: 'number', label: 'Order', isRowHeader: true },
            { key: 'issued', label: 'Issued' },
            { key: 'poNumber', label: 'PO number' },
            { key: 'state', label: 'State' },
            { key: 'amount', label: 'Amount', isAmount: true },
            { key: 'left', label: 'Left to pay', isAmount: true },
          ]}
          rows={invoices.map(({ orderId, number, issued, poNumber, state, amount, left, isOverdue, isOpen }) => ({
            id: String(orderId),
            isMuted: !isOpen,
            cells: {
              number,
              issued,
              poNumber,
              state: isOverdue ? <Tag tone="stop">{state}</Tag> : state,
              amount,
              left,
            },
          }))}
        />
      )}
      {maySettle && open.length > 0 ? <PaymentForm open={open} reply={reply} /> : null}
    </Panel>
  )
}

function PaymentForm({ open, reply }: { open: OfficeCompany['invoices']; reply: FormReply | undefined }) {
  return (
    <PanelBody>
      <h3>Record a payment</h3>
      <form method="post" className="stack" noValidate>
        <ErrorSummary reply={reply} labels={{ order: 'Invoice', amount: 'Amount', reference: 'Transfer or check' }} />
        <div className="office-pair">
          <SelectField name="order" label="Invoice" reply={reply}>
            {open.map(({ orderId, number, left }) => (
              <option key={orderId} value={orderId}>
                {number}, {left} left
              </option>
            ))}
          </SelectField>
          <Field
            name="amount"
            label="Amount in dollars"
            reply={reply}
            value={open[0]?.leftDollars}
            inputMode="decimal"
            maxLength={20}
            hint="Part of what is left, or all of it."
          />
          <Field
            name="reference"
            label="Transfer or check number"
            reply={reply}
            maxLength={60}
            autoComplete="off"
            hint="Each number counts once per invoice."
          />
        </div>
        <p>
          <button className="btn primary" name="intent" value="payment">
            Record payment
          </button>
        </p>
      </form>
    </PanelBody>
  )
}

const certificateWords = { waiting: 'To check', accepted: 'Accepted', refused: 'Declined' } as const

export function Certificates({
  company: { certificates },
  mayDecide,
  reply,
}: {
  company: OfficeCompany
  mayDecide: boolean
  reply: FormReply | undefined
}) {
  return (
    <Panel id="certificates" title="Tax certificates">
      {reply ? (
        <PanelBody>
          <ErrorSummary reply={reply} />
        </PanelBody>
      ) : null}
      {certificates.length === 0 ? (
        <PanelBody>
          <p>None sent.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Tax certificates"
          columns={[
            { key: 'number', label: 'Certificate', isRowHeader: true },
            { key: 'state', label: 'State' },
            { key: 'expires', label: 'Expires' },
            { key: 'status', label: 'Status' },
            { key: 'acts', label: 'Decide' },
          ]}
          rows={certificates.map(({ id, number, state, expires, status }) => ({
            id,
            cells: {
              number: <a href={officePaths.officeCertificateFile(id)}>{number}</a>,
              state,
              expires,
              status: certificateWords[status],
              acts: mayDecide && status === 'waiting' ? <CertificateForm id={id} number={number} /> : null,
            },
          }))}
        />
      )}
    </Panel>
  )
}

function CertificateForm({ id, number }: { id: string; number: string }) {
  return (
    <form method="post" className="row">
      <input type="hidden" name="intent" value="certificate" />
      <input type="hidden" name="certificate" value={id} />
      <button className="btn quiet" name="answer" value="accept" aria-label={`Accept certificate ${number}`}>
        Accept
      </button>
      <button className="btn quiet" name="answer" value="decline" aria-label={`Decline certificate ${number}`}>
        Decline
      </button>
    </form>
  )
}

export function Members({ company: { members } }: { company: OfficeCompany }) {
  return (
    <Panel id="members" title="Members">
      <DataTable
        caption="Members"
        columns={[
          { key: 'who', label: 'Name', isRowHeader: true },
          { key: 'email', label: 'Email' },
          { key: 'role', label: 'Role' },
          { key: 'joined', label: 'Joined' },
        ]}
        rows={members.map(({ id, ...cells }) => ({ id, cells }))}
      />
    </Panel>
  )
}

/** The lists of vehicles that its members had quoted, the newest twenty; nothing for a company without any. */
export function FleetQuotes({ company: { fleetQuotes } }: { company: OfficeCompany }) {
  if (fleetQuotes.length === 0) return null
  return (
    <Panel id="fleet-quotes" title="Fleet quotes">
      <DataTable
        caption="Fleet quotes"
        columns={[
          { key: 'begun', label: 'Begun', isRowHeader: true },
          { key: 'vehicles', label: 'Vehicles', isAmount: true },
          { key: 'prices', label: 'Prices' },
        ]}
        rows={fleetQuotes.map(({ id, begun, vehicles, prices, isOver }) => ({
          id,
          isMuted: isOver,
          cells: { begun, vehicles, prices },
        }))}
      />
    </Panel>
  )
}
