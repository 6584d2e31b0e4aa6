import { redirect } from 'react-router'
import { z } from 'zod'
import { decide, doneNews, found, step } from '#app/office/decision.server.ts'
import { ConversationPanel } from '#app/office/detail-conversation.tsx'
import { ActionsMenu } from '#app/office/detail-menu.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Facts, Notice, Tag } from '#app/ui/office/office-parts.tsx'
import { findPerson, readCustomerView, type CustomerView } from '#app/views/office-customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { noteCustomer } from '#domain/customers/customers.server.ts'
import { maxCustomerNote, undoMergeDays } from '#domain/customers/customers.ts'
import { countOf } from '#platform/count-text.ts'
import {
  AddressesPanel,
  CompaniesPanel,
  ConsentPanel,
  ContactPanel,
  CreditPanel,
  NotesPanel,
  OrdersPanel,
  PrivacyPanel,
  VehiclesPanel,
} from './customer-panels.tsx'
import type { Route } from './+types/customer.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.customer.name ?? 'Customer', officePaths.officeCustomers())

/** A customer by their own id, or by the id of an account of theirs. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'customers.read', officePaths.officeCustomer(params.id))
  const person = found(await findPerson(shop, params.id))
  if (person.id !== params.id.toLowerCase()) throw redirect(officePaths.officeCustomer(person.id), 302)
  return { customer: await readCustomerView(shop, person, session.roles), news: doneNews(url, news) }
}

const news = {
  added: 'Customer added.',
  contact: 'Contact saved.',
  note: 'Note added.',
  merged: `Customers merged. You can undo this for ${countOf(undoMergeDays, 'day')}.`,
  apart: 'Marked as different people.',
  blocked: 'Customer blocked. They can’t place new orders.',
  unblocked: 'Customer unblocked.',
  requested: 'Erasure requested. Another manager or owner must confirm it.',
  declined: 'Erasure declined. Nothing was erased.',
  erased: 'Customer erased.',
}

const tooLong = `Please keep this under ${countOf(maxCustomerNote, 'character')}.`
const noteForm = z.object({
  once: z.string(),
  body: z.string().trim().min(1, 'Write a note.').max(maxCustomerNote, tooLong),
})

/** Adds a note. */
export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'customer',
      permission: 'customers.note',
      path: (done) => officePaths.officeCustomer(args.params.id, done),
    },
    ({ shop, by }) => ({
      note: step(noteForm, ({ body, once }) => noteCustomer(shop, by, { id: args.params.id, body, once })),
    }),
    { 'customer-not-found': null, 'no-words': { text: 'Write a note.', field: 'body' } },
  )

export default function CustomerPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { customer, news: done } = loaderData
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
            <VehiclesPanel vehicles={customer.vehicles} />
            {messages === null ? null : (
              <ConversationPanel
                conversation={messages}
                note="All orders: emails, texts and notes"
                action={officePaths.officeCustomer(id)}
                draft={id}
                sent={false}
                refused={undefined}
              />
            )}
          </>
        }
        last={
          <>
            <ContactPanel contact={customer.contact} edit={customer.edit} />
            <NotesPanel notes={customer.notes} reply={reply} />
            <AddressesPanel addresses={customer.addresses} />
            <CreditPanel credit={customer.credit} />
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
