/** The panels on the page of a customer. */
import type { ReactNode } from 'react'
import { button, OfficeForm } from '#app/office/form.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { Icon } from '#app/ui/icon.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { KeyValues, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import type { CustomerView } from '#app/views/office/customer.server.ts'
import { maxCustomerNote } from '#domain/customers/customers/customers.ts'
import { countOf } from '#platform/count-text.ts'
import type { ConsentView } from '#app/views/office/customer-consents.server.ts'

export function OrdersPanel({
  customer: { orders, hasMoreOrders, allOrders },
}: {
  customer: Pick<CustomerView, 'orders' | 'hasMoreOrders' | 'allOrders'>
}) {
  return (
    <Panel
      id="orders"
      title="Orders"
      note={hasMoreOrders ? `The newest ${orders.length}` : 'Newest first'}
      end={allOrders === null ? null : <a href={allOrders}>Search for this email</a>}
    >
      {orders.length === 0 ? (
        <PanelBody>
          <p>No orders yet.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Orders, newest first"
          columns={[
            { key: 'number', label: 'Order', isRowHeader: true },
            { key: 'tires', label: 'Tires and appointment' },
            { key: 'state', label: 'State' },
            { key: 'total', label: 'Total', isAmount: true },
          ]}
          rows={orders.map(({ id, number, path, placed, tires, appointment, tag, total }) => ({
            id,
            cells: {
              number: (
                <>
                  <a href={path}>{number}</a>
                  <small>{placed}</small>
                </>
              ),
              tires: (
                <>
                  {tires}
                  <small>{appointment}</small>
                </>
              ),
              state: <Tag tone={tag.tone}>{tag.words}</Tag>,
              total,
            },
          }))}
        />
      )}
    </Panel>
  )
}

export function PastOrdersPanel({ orders }: { orders: CustomerView['pastOrders'] }) {
  if (orders.length === 0) return null
  return (
    <Panel id="past-orders" title="Imported orders" note="From your previous store, newest first">
      <DataTable
        caption="Imported orders, newest first"
        columns={[
          { key: 'number', label: 'Order', isRowHeader: true },
          { key: 'lines', label: 'Items' },
          { key: 'status', label: 'Status' },
          { key: 'total', label: 'Total', isAmount: true },
        ]}
        rows={orders.map(({ id, number, placed, lines, status, total }) => ({
          id,
          cells: {
            number: (
              <>
                {number}
                <small>{placed}</small>
              </>
            ),
            lines: lines.map(({ key, text }) => <div key={key}>{text}</div>),
            status,
            total,
          },
        }))}
      />
    </Panel>
  )
}

export function VehiclesPanel({
  vehicles: { garage, installed },
  add,
}: Pick<CustomerView, 'vehicles'> & { add: string | null }) {
  return (
    <Panel
      id="vehicles"
      title="Vehicles"
      end={
        add === null ? null : (
          <a className="btn quiet small" href={add}>
            <Icon name="plus" size="s" /> Add vehicle
          </a>
        )
      }
    >
      {garage.length === 0 && installed.length === 0 ? (
        <PanelBody>
          <p>No saved vehicles, and no tires installed yet.</p>
        </PanelBody>
      ) : null}
      {garage.map(({ id, name, certainty, notes }) => (
        <PanelBody key={id}>
          <p className="office-between">
            <b>{name}</b>
            <Tag tone={certainty.tone}>{certainty.words}</Tag>
          </p>
          {notes === '' ? null : <p className="office-note">{notes}</p>}
        </PanelBody>
      ))}
      {installed.map(({ orderId, number, path, tires, fitted, positions, recalls }) => (
        <PanelBody key={orderId}>
          <p className="office-between">
            <b>{tires}</b>
            <a href={path}>{number}</a>
          </p>
          <p className="office-note">{fitted}</p>
          <ul className="office-dots tabular">
            {positions.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {recalls.length === 0 ? (
            <p className="office-note">No open recall on these tires</p>
          ) : (
            <p>
              <Tag tone="stop">Recall {recalls.join(', ')}</Tag>
            </p>
          )}
        </PanelBody>
      ))}
    </Panel>
  )
}

export function NotesPanel({ notes, reply }: { notes: CustomerView['notes']; reply: FormReply | undefined }) {
  if (notes === null || (notes.entries.length === 0 && !notes.mayAdd)) return null
  return (
    <Panel id="notes" title="Notes" note="Only your team sees them">
      {notes.entries.map(({ id, body, by }) => (
        <PanelBody key={id}>
          <p className="office-words">{body}</p>
          <p className="office-note">{by}</p>
        </PanelBody>
      ))}
      {notes.mayAdd ? (
        <PanelBody>
          <OfficeForm
            hidden={{ once: notes.once }}
            fields={{ body: { kind: 'area', label: 'Note', max: maxCustomerNote, rows: 2 } }}
            reply={reply}
            buttons={[button('note', 'Add note')]}
          />
        </PanelBody>
      ) : null}
    </Panel>
  )
}

export function ContactPanel({ contact, edit }: Pick<CustomerView, 'contact'> & { edit: string | null }) {
  return (
    <Panel id="contact" title="Contact" end={edit === null ? null : <a href={edit}>Edit</a>}>
      <PanelBody>
        <KeyValues
          rows={contact.map(({ label, value, href, note }): [string, ReactNode] => [
            label,
            <>
              {href === null ? value : <a href={href}>{value}</a>}
              {note === null ? null : <span className="office-note"> {note}</span>}
            </>,
          ])}
        />
      </PanelBody>
    </Panel>
  )
}

export function AddressesPanel({ addresses }: Pick<CustomerView, 'addresses'>) {
  if (addresses.length === 0) return null
  return (
    <Panel id="addresses" title="Saved addresses">
      <PanelBody>
        {addresses.map(({ key, name, lines }) => (
          <address key={key}>
            <b>{name}</b>
            {lines.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </address>
        ))}
      </PanelBody>
    </Panel>
  )
}

export function CreditPanel({ credit: { balance, entries, waiting }, give }: Pick<CustomerView, 'credit' | 'give'>) {
  return (
    <Panel id="credit" title="Store credit" end={<b>{balance}</b>}>
      <PanelBody>
        {entries.length === 0 ? (
          <p>No store credit yet.</p>
        ) : (
          <ul className="office-entries">
            {entries.map(({ reason, day, amount, isGiven }, index) => (
              <li key={index} className="office-between">
                <span>
                  {reason}
                  <small>{day}</small>
                </span>
                <b className={isGiven ? 'tone-go' : undefined}>{amount}</b>
              </li>
            ))}
          </ul>
        )}
        {waiting > 0 ? <p className="office-note">{`${countOf(waiting, 'request')} waiting for approval`}</p> : null}
        {give === null ? null : (
          <p className="row wrap-row">
            <a className="btn quiet" href={give}>
              Give credit
            </a>
          </p>
        )}
      </PanelBody>
    </Panel>
  )
}

export function AccountTypesPanel({ accountTypes, setType }: Pick<CustomerView, 'accountTypes' | 'setType'>) {
  if (accountTypes.length === 0) return null
  return (
    <Panel
      id="account-types"
      title="Account type"
      end={setType === null ? undefined : <a href={setType}>Set type and documents</a>}
    >
      <PanelBody>
        {accountTypes.map(({ key, name, note, link }) => (
          <p key={key}>
            <b>{name}</b>
            <br />
            <span className="office-note">{note}</span>
            {link === null ? null : (
              <>
                {' '}
                <a href={link.path}>{link.label}</a>
              </>
            )}
          </p>
        ))}
      </PanelBody>
    </Panel>
  )
}

export function CompaniesPanel({ companies }: Pick<CustomerView, 'companies'>) {
  if (companies.length === 0) return null
  return (
    <Panel id="companies" title="Companies">
      <PanelBody>
        {companies.map(({ name, path, note }) => (
          <p key={name}>
            {path === null ? <b>{name}</b> : <a href={path}>{name}</a>}
            <br />
            <span className="office-note">{note}</span>
          </p>
        ))}
      </PanelBody>
    </Panel>
  )
}

export function ConsentPanel({ consents }: { consents: readonly ConsentView[] }) {
  return (
    <Panel id="consent" title="Consent">
      <PanelBody>
        <ul className="office-entries">
          {consents.map(({ key, label, note, isOn }) => (
            <li key={key} className="office-between">
              <span>
                <b>{label}</b>
                <small>{note}</small>
              </span>
              <Tag tone={isOn ? 'go' : 'plain'}>{isOn ? 'Yes' : 'No'}</Tag>
            </li>
          ))}
        </ul>
      </PanelBody>
    </Panel>
  )
}

export function PrivacyPanel({ privacy }: Pick<CustomerView, 'privacy'>) {
  if (privacy === null) return null
  return (
    <Panel id="privacy" title="Privacy">
      <PanelBody>
        <p className="row wrap-row">
          <a className="btn quiet" href={privacy.file}>
            Export data
          </a>
          <a className="btn quiet stop" href={privacy.erase}>
            Erase…
          </a>
        </p>
        <p className="office-note">
          {privacy.waits} Orders are kept without a name for tax records; tire registrations stay for recalls. A second
          person confirms.
        </p>
      </PanelBody>
    </Panel>
  )
}
