import { redirect } from 'react-router'
import { customerMessageActions } from '#app/office/actions/customers.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { ConversationPanel } from '#app/office/detail-conversation.tsx'
import { ActionsMenu } from '#app/office/detail-menu.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Facts, Notice, Tag } from '#app/ui/office/office-parts.tsx'
import { findPerson, readCustomerView, type CustomerView } from '#app/views/office/customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { longestAnswer } from '#domain/messaging/support/support.ts'
import { undoMergeDays } from '#domain/customers/customers/customers.ts'
import { countOf } from '#platform/count-text.ts'
import {
  AccountTypesPanel,
  AddressesPanel,
  CompaniesPanel,
  ConsentPanel,
  ContactPanel,
  CreditPanel,
  NotesPanel,
  OrdersPanel,
  PastOrdersPanel,
  PrivacyPanel,
  VehiclesPanel,
} from './customer-panels.tsx'
import type { Route } from './+types/customer.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.customer.name ?? 'Customer', officePaths.officeCustomers())

/** Loads a customer by customer ID or account ID. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'customers.read', officePaths.officeCustomer(params.id))
  const person = found(await findPerson(app, params.id))
  if (person.id !== params.id.toLowerCase()) throw redirect(officePaths.officeCustomer(person.id), 302)
  const done = url.searchParams.get('done') ?? ''
  return {
    customer: await readCustomerView(app, person, { roles: session.roles, messages: url.searchParams.get('messages') }),
    news: doneNews(url, news),
    // The draft of a message that was sent goes.
    sent: done === 'emailed' || done === 'texted',
    draft: `${session.email} ${person.id}`,
  }
}

const news = {
  added: 'Customer added.',
  contact: 'Contact saved.',
  vehicle: 'Vehicle added.',
  note: 'Note added.',
  emailed: 'Email sent to the customer.',
  texted: 'Text message sent to the customer.',
  merged: `Customers merged. You can undo this for ${countOf(undoMergeDays, 'day')}.`,
  apart: 'Marked as different people.',
  blocked: 'Customer blocked. They can’t place new orders.',
  unblocked: 'Customer unblocked.',
  requested: 'Erasure requested. Another manager or owner must confirm it.',
  declined: 'Erasure declined.',
  erased: 'Customer erased.',
}

/** `note` adds a note. `write` sends a message about an order, or an email without one. */
export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeCustomer(id, done),
      longest: longestAnswer,
      done: { note: undefined, write: (_id, _value, fields) => (fields.get('as') === 'text' ? 'texted' : 'emailed') },
    },
    customerMessageActions,
  )
}

export default function CustomerPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { customer, news: done, sent, draft } = loaderData
  const { id, name, facts, duplicates, block, messages } = customer
  return (
    <OfficePage
      title={name}
      crumbs={[{ label: 'Customers', path: officePaths.officeCustomers() }]}
      tags={<HeadTags customer={customer} />}
      end={<HeadActions actions={customer.actions} />}
      news={done}
      reply={reply}
    >
      {block ? (
        <Notice tone="stop" title="This customer can’t place orders">
          <p>
            {block.reason} ({block.note})
          </p>
        </Notice>
      ) : null}
      {duplicates.map((other) => (
        <Notice key={other.id} tone="signal" title={`Probably the same person: ${other.email}`}>
          <p>
            Same phone and name. <a href={other.path}>{other.label}</a>
          </p>
        </Notice>
      ))}
      <Facts facts={facts} />
      <Columns
        body={
          <>
            <OrdersPanel customer={customer} />
            <PastOrdersPanel orders={customer.pastOrders} />
            <VehiclesPanel vehicles={customer.vehicles} add={customer.addVehicle} />
            {messages === null ? null : (
              <ConversationPanel
                conversation={messages}
                note="All orders (emails, texts, and notes)"
                action={officePaths.officeCustomer(id)}
                draft={{ key: draft, isSent: sent }}
                refused={reply?.values['intent'] === 'write' ? reply : undefined}
              />
            )}
          </>
        }
        last={
          <>
            <ContactPanel contact={customer.contact} edit={customer.edit} />
            <NotesPanel notes={customer.notes} reply={reply} />
            <AddressesPanel addresses={customer.addresses} />
            <CreditPanel credit={customer.credit} give={customer.give} />
            <AccountTypesPanel accountTypes={customer.accountTypes} setType={customer.setType} />
            <CompaniesPanel companies={customer.companies} />
            <ConsentPanel consents={customer.consents} />
            <PrivacyPanel privacy={customer.privacy} />
          </>
        }
      />
    </OfficePage>
  )
}

function HeadTags({ customer: { isGuest, block, since, place } }: { customer: CustomerView }) {
  return (
    <>
      <Tag>{isGuest ? 'Guest' : 'Account'}</Tag>
      {block ? <Tag tone="stop">Blocked</Tag> : null}
      <span className="office-note">
        customer since {since}
        {place === null ? null : ` · ${place}`}
      </span>
    </>
  )
}

function HeadActions({ actions }: Pick<CustomerView, 'actions'>) {
  return (
    <div className="office-detail-acts">
      <ActionsMenu actions={actions} />
      {actions.primary ? (
        <a className="btn primary" href={actions.primary.path}>
          {actions.primary.name}
        </a>
      ) : null}
    </div>
  )
}
