import { customerCreditActions, readCreditOrders, storeCreditActions } from '#app/office/actions/store-credit.server.ts'
import { actionStep, decideActions, doneNews, found, fresh, press } from '#app/office/decision.server.ts'
import { FreshSignInNotice } from '#app/office/decision.tsx'
import { button, FormPanel, OfficeForm } from '#app/office/form.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { creditAccount, grantView, orderOptions, type GrantView } from '#app/views/office/credit.server.ts'
import { findPerson, nameOf } from '#app/views/office/customer.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { officePaths } from '#content/office-paths.ts'
import { creditOf } from '#domain/payments/ledger/ledger.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { approveCredit, listCreditGrants } from '#domain/payments/store-credit/store-credit.server.ts'
import { maxCreditReason } from '#domain/payments/store-credit/store-credit.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import type { Route } from './+types/customer-credit.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Store credit', officePaths.officeCustomers())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'credit.give', officePaths.officeCustomerCredit(params.id))
  const { app, session, actor } = staff
  const person = found(await findPerson(app, params.id))
  const account = creditAccount(person)
  const mayApprove = staffCan(session.roles, 'refunds.approve')
  const grants = await listCreditGrants(
    app.db,
    person.accounts.map(({ id }) => id),
  )
  return {
    title: nameOf(person),
    path: officePaths.officeCustomer(person.id),
    account: account && {
      email: account.email,
      balance: formatCents(await creditOf(app.db, account.id)),
      orders: orderOptions(await readCreditOrders(app, person)),
      once: newId(),
    },
    grants: grants.map((grant) => grantView(grant, { by: actor.name, mayApprove })),
    isFresh: isFresh(staff),
    here: officePaths.officeCustomerCredit(params.id),
    news: doneNews(url, news),
  }
}

const news = {
  given: 'Store credit given. We emailed the customer.',
  requested: concessionMessages.requested,
  approved: 'Store credit approved. We emailed the customer.',
  declined: 'Store credit declined.',
  'taken-back': 'Unused store credit taken back.',
}

/** `give` gives or requests credit, `approve` and `decline` are about a request, `take-back` about a grant. */
export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeCustomerCredit(id, done),
      done: { give: (_, { state }) => state },
      more: {
        steps: ({ app, by, fields }) => {
          const grant = fields.get('grant') ?? ''
          const { decline, 'take-back': takeBack } = storeCreditActions.actions
          return {
            approve: fresh(press(() => approveCredit(app, by, grant), 'approved')),
            decline: actionStep(decline, { app, by, id: grant }, 'declined'),
            'take-back': actionStep(takeBack, { app, by, id: grant }, 'taken-back'),
          }
        },
        refusals: {
          ...storeCreditActions.refusals,
          'own-request': 'You requested this yourself. Another team member must approve it.',
        },
      },
    },
    customerCreditActions,
  )
}

export default function CustomerCredit({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, path, account, grants, isFresh: isRecent, here, news: done } = loaderData
  const waiting = grants.filter(({ isWaiting }) => isWaiting)
  const unused = grants.filter((grant) => grant.unused !== null)
  return (
    <OfficePage
      title="Store credit"
      crumbs={[
        { label: 'Customers', path: officePaths.officeCustomers() },
        { label: title, path },
      ]}
      news={done}
      reply={reply}
    >
      {waiting.length === 0 ? null : <WaitingPanel waiting={waiting} reply={reply} isRecent={isRecent} here={here} />}
      {account ? (
        <FormPanel
          id="give"
          title="Give credit"
          lead={`Balance ${account.balance}`}
          isOpen
          reply={reply}
          hidden={{ once: account.once }}
          fields={{
            amount: {
              label: 'Amount in dollars',
              kind: 'money',
              hint: 'Above your limit, a second person approves it.',
            },
            order: { label: 'About', kind: 'choice', options: account.orders },
            reason: { label: 'Reason', kind: 'area', max: maxCreditReason, rows: 2, hint: 'Only your team reads it.' },
          }}
          buttons={[button('give', 'Give credit', 'primary')]}
          note={`It goes to the account${account.email === null ? '' : ` ${account.email}`}. We email the amount to the customer.`}
        />
      ) : (
        <Notice tone="signal" title="This customer has no account">
          <p>Store credit belongs to an account. Ask the customer to sign up with their email first.</p>
        </Notice>
      )}
      {unused.length === 0 ? null : <UnusedPanel unused={unused} reply={reply} />}
    </OfficePage>
  )
}

type PartProps = { reply: FormReply | undefined }

function WaitingPanel({
  waiting,
  reply,
  isRecent,
  here,
}: PartProps & { waiting: readonly GrantView[]; isRecent: boolean; here: string }) {
  return (
    <>
      {waiting.some(({ mayApprove }) => mayApprove) ? (
        <FreshSignInNotice isFresh={isRecent} title="Approving needs a recent sign-in" back={here} />
      ) : null}
      <Panel id="waiting" title={concessionMessages.waiting}>
        {waiting.map(({ id, amount, why, note, mayApprove, mayDecline }) => (
          <PanelBody key={id}>
            <Grant why={why} amount={amount} />
            <OfficeForm
              about={{ grant: id }}
              reply={reply}
              text={note}
              buttons={[
                ...(mayApprove ? [button('approve', 'Approve', 'primary', { name: `Approve ${amount}` })] : []),
                ...(mayDecline ? [button('decline', 'Decline', 'quiet', { name: `Decline ${amount}` })] : []),
              ]}
            />
          </PanelBody>
        ))}
      </Panel>
    </>
  )
}

function Grant({ why, amount }: Pick<GrantView, 'why' | 'amount'>) {
  return (
    <p className="office-between">
      <span>{why}</span>
      <b>{amount}</b>
    </p>
  )
}

function UnusedPanel({ unused, reply }: PartProps & { unused: readonly GrantView[] }) {
  return (
    <Panel id="unused" title="Given and not used">
      {unused.map(({ id, amount, why, note, unused: left }) => (
        <PanelBody key={id}>
          <Grant why={why} amount={amount} />
          <OfficeForm
            about={{ grant: id }}
            reply={reply}
            text={note}
            fields={{ reason: { label: 'Reason to take it back', kind: 'area', max: maxCreditReason, rows: 1 } }}
            buttons={[button('take-back', `Take back ${left ?? ''}`, 'stop')]}
          />
        </PanelBody>
      ))}
    </Panel>
  )
}
