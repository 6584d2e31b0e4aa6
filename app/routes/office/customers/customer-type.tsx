import { accountDocumentActions, accountTypeActions, lastDay } from '#app/office/actions/account-types.server.ts'
import { actionStep, decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { button, FormPanel, OfficeForm } from '#app/office/form.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { typeName } from '#app/views/office/account-types.server.ts'
import { creditAccount } from '#app/views/office/credit.server.ts'
import { findPerson, nameOf } from '#app/views/office/customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listAccountDocuments, typeVersion } from '#domain/customers/programs/programs.server.ts'
import { maxTypeReason, staffTypes } from '#domain/customers/programs/programs.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { findGrant, listGrants } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import type { Grant } from '#domain/pricing/price-tiers/price-tiers.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Route } from './+types/customer-type.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Account type', officePaths.officeCustomers())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'account-types.set', officePaths.officeCustomerType(params.id))
  const person = found(await findPerson(app, params.id))
  const account = creditAccount(person)
  const now = app.clock.now()
  const [grant, grants, documents] = account
    ? await Promise.all([
        findGrant(app.db, account.id, now),
        listGrants(app.db, account.id),
        listAccountDocuments(app, [account.id]),
      ])
    : [undefined, [], []]
  return {
    customer: nameOf(person),
    path: officePaths.officeCustomer(person.id),
    email: account?.email ?? null,
    hasAccount: account !== undefined,
    form: {
      type: staffTypes.find((type) => type === grant?.type) ?? 'Retail',
      until: lastDay(grant?.until ?? null) ?? '',
      version: typeVersion(grant),
      options: staffTypes.map((type): [string, string] => [type, typeName(type)]),
    },
    types: grants.toReversed().map(typeRow),
    documents: documents.map(({ id, name, by, addedAt }) => ({
      id,
      name,
      path: officePaths.officeCustomerDocument(person.id, id),
      note: `Added ${storeDateText(addedAt)} by ${by}`,
    })),
    news: doneNews(url, news),
  }
}

const news = {
  set: 'Account type saved. Prices changed for this customer.',
  added: 'Document added.',
  removed: 'Document removed.',
}

function typeRow({ type, by, since, until, reason }: Grant): [string, string] {
  const days = `${storeDateText(since)} – ${until ? storeDateText(until.subtract({ nanoseconds: 1 })) : 'no end'}`
  return [typeName(type), [days, by, reason].filter(Boolean).join('. ')]
}

/** `change` sets the type, `add` and `remove` are about documents. */
export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeCustomerType(id, done),
      file: 'file',
      done: { change: 'set' },
      more: {
        steps: (posted) => {
          const { add, remove } = accountDocumentActions.actions
          return {
            add: actionStep(add, { ...posted, id }, 'added'),
            remove: actionStep(remove, { ...posted, id }, 'removed'),
          }
        },
        refusals: accountDocumentActions.refusals,
      },
    },
    accountTypeActions,
  )
}

export default function CustomerType({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { customer, path, email, hasAccount, form, types, documents, news: done } = loaderData
  return (
    <OfficePage
      title="Account type"
      crumbs={[
        { label: 'Customers', path: officePaths.officeCustomers() },
        { label: customer, path },
      ]}
      news={done}
      reply={reply}
    >
      {hasAccount ? (
        <Columns
          body={
            <>
              <FormPanel
                id="type"
                title="Set the type"
                lead={email ?? undefined}
                isOpen
                reply={reply}
                hidden={{ version: form.version }}
                fields={{
                  type: { label: 'Account type', kind: 'choice', options: form.options, value: form.type },
                  until: {
                    label: 'Last day',
                    kind: 'day',
                    isOptional: true,
                    value: form.until,
                    hint: 'Empty for no end.',
                  },
                  reason: {
                    label: 'Reason',
                    kind: 'area',
                    max: maxTypeReason,
                    rows: 2,
                    hint: 'Only your team reads it.',
                  },
                }}
                buttons={[button('change', 'Save', 'primary')]}
                note="Prices change at once. Orders keep the prices that they were placed with."
              />
              <DocumentsPanel documents={documents} reply={reply} />
            </>
          }
          last={<FactsPanel id="types" title="History" rows={types.length === 0 ? [['Retail', 'Always']] : types} />}
        />
      ) : (
        <Notice tone="signal" title="This customer has no account">
          <p>Types belong to an account. Ask the customer to sign up with their email first.</p>
        </Notice>
      )}
    </OfficePage>
  )
}

type Document = { id: string; name: string; path: string; note: string }

function DocumentsPanel({ documents, reply }: { documents: readonly Document[]; reply: FormReply | undefined }) {
  return (
    <>
      {documents.length === 0 ? null : (
        <Panel id="documents" title="Documents">
          {documents.map(({ id, name, path, note }) => (
            <PanelBody key={id}>
              <p>
                <a href={path}>{name}</a>
                <br />
                <span className="office-note">{note}</span>
              </p>
              <OfficeForm
                about={{ document: id }}
                reply={reply}
                buttons={[button('remove', 'Remove', 'quiet', { name: `Remove ${name}` })]}
              />
            </PanelBody>
          ))}
        </Panel>
      )}
      <FormPanel
        id="add"
        title="Add a document"
        reply={reply}
        fields={{
          file: {
            label: 'Document',
            kind: 'file',
            accept: 'image/png,image/jpeg,image/webp,application/pdf',
            hint: `A picture or PDF up to ${maxAttachmentBytes / 1024 / 1024} MB, such as an employee ID or a business license. Only managers and owners see it.`,
          },
        }}
        buttons={[button('add', 'Add', 'quiet')]}
      />
    </>
  )
}
