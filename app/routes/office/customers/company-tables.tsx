/** What a company owes, its certificates and its members. */
import type { FormReply } from '#app/forms/form.ts'
import { button, OfficeForm, RowForm } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import type { OfficeCompany } from '#app/views/office/company.server.ts'
import { officePaths } from '#content/office-paths.ts'

type Props = { company: OfficeCompany; reply: FormReply | undefined }

export function Invoices({ company, maySettle, reply }: Props & { maySettle: boolean }) {
  const open = company.invoices.filter(({ isOpen }) => isOpen)
  return (
    <TablePanel
      id="invoices"
      title="Invoices"
      note={company.hasMoreInvoices ? 'The latest 50' : null}
      empty="No invoices yet."
      columns={{
        number: 'Order',
        issued: 'Issued',
        poNumber: 'PO number',
        state: 'State',
        amount: 'Amount',
        left: 'Balance due',
      }}
      amounts={['amount', 'left']}
      rows={company.invoices.map(({ orderId, state, isOverdue, isOpen, number, issued, poNumber, amount, left }) => ({
        id: String(orderId),
        isMuted: !isOpen,
        cells: { number, issued, poNumber, amount, left, state: isOverdue ? <Tag tone="stop">{state}</Tag> : state },
      }))}
    >
      {maySettle && open.length > 0 ? (
        <PanelBody>
          <h3>Record a payment</h3>
          <OfficeForm
            isPair
            reply={reply}
            fields={{
              order: {
                label: 'Invoice',
                kind: 'choice',
                options: open.map(({ orderId, number, left }) => [String(orderId), `${number}, ${left} due`]),
              },
              amount: { label: 'Amount in dollars', kind: 'money', value: open[0]?.leftDollars },
              reference: { label: 'Transfer or check number', max: 60, hint: 'Each number counts once per invoice.' },
            }}
            buttons={[button('payment', 'Record payment', 'primary')]}
          />
        </PanelBody>
      ) : null}
    </TablePanel>
  )
}

const certificateStates = { waiting: 'To review', accepted: 'Accepted', refused: 'Declined' } as const

export function Certificates({ company, mayDecide, reply }: Props & { mayDecide: boolean }) {
  return (
    <TablePanel
      id="certificates"
      title="Tax certificates"
      empty="No certificates yet."
      columns={{ number: 'Certificate', state: 'State', expires: 'Expires', status: 'Status', acts: 'Review' }}
      rows={company.certificates.map(({ id, number, state, expires, status }) => ({
        id,
        cells: {
          number: <a href={officePaths.officeCertificateFile(id)}>{number}</a>,
          state,
          expires,
          status: certificateStates[status],
          acts:
            mayDecide && status === 'waiting' ? (
              <RowForm
                reply={reply}
                about={{ certificate: id }}
                buttons={[
                  button('certificate', 'Accept', 'quiet', {
                    name: `Accept certificate ${number}`,
                    sends: { answer: 'accept' },
                  }),
                  button('certificate', 'Decline', 'quiet', {
                    name: `Decline certificate ${number}`,
                    sends: { answer: 'decline' },
                  }),
                ]}
              />
            ) : null,
        },
      }))}
    />
  )
}

export function Members({ company: { members } }: { company: OfficeCompany }) {
  return (
    <TablePanel
      id="members"
      title="Members"
      columns={{ who: 'Name', email: 'Email', role: 'Role', joined: 'Joined' }}
      rows={members.map(({ id, ...cells }) => ({ id, cells }))}
    />
  )
}

/** Renders the newest twenty fleet quotes. Empty if the company has no fleet quotes. */
export function FleetQuotes({ company: { fleetQuotes } }: { company: OfficeCompany }) {
  return fleetQuotes.length === 0 ? null : (
    <TablePanel
      id="fleet-quotes"
      title="Fleet quotes"
      columns={{ begun: 'Started', vehicles: 'Vehicles', prices: 'Prices' }}
      amounts={['vehicles']}
      rows={fleetQuotes.map(({ id, isOver, ...cells }) => ({ id, isMuted: isOver, cells }))}
    />
  )
}
