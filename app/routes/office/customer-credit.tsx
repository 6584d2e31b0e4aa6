import { decide, doneNews, found, fresh, step } from '#app/office/decision.server.ts'
import { FreshSignInNotice } from '#app/office/decision.tsx'
import { button, FormPanel, OfficeForm } from '#app/office/form.tsx'
import type { FormReply } from '#app/forms/form.ts'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { creditAccount, grantView, orderOptions, type GrantView } from '#app/views/office-credit.server.ts'
import { findPerson, nameOf, type Person } from '#app/views/office-customer.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { officePaths } from '#content/office-paths.ts'
import { creditOf } from '#domain/payments/ledger/ledger.server.ts'
import { selectCustomerOrders } from '#domain/ordering/orders/orders.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import {
  approveCredit,
  declineCredit,
  giveCredit,
  listCreditGrants,
  takeBackCredit,
} from '#domain/payments/store-credit/store-credit.server.ts'
import { giveCreditForm, grantForm, maxCreditReason, takeBackForm } from '#domain/payments/store-credit/store-credit.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { refused } from '#platform/outcome.ts'
import type { Shop } from '#shop'
import type { Route } from './+types/customer-credit.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Store credit', officePaths.officeCustomers())

/** How many of the newest orders credit can be about. */
const ordersOffered = 20

const readOrders = (shop: Shop, { ordering }: Person) => selectCustomerOrders(shop.db, ordering, ordersOffered)

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'credit.give', officePaths.officeCustomerCredit(params.id))
  const { shop, session, actor } = staff
  const person = found(await findPerson(shop, params.id))
  const account = creditAccount(person)
  const mayApprove = staffCan(session.roles, 'refunds.approve')
  const grants = await listCreditGrants(
    shop.db,
    person.accounts.map(({ id }) => id),
  )
  return {
    title: nameOf(person),
    path: officePaths.officeCustomer(person.id),
    account: account && {
      email: account.email,
      balance: formatCents(await creditOf(shop.db, account.id)),
      orders: orderOptions(await readOrders(shop, person)),
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
  return decide(
    args,
    { noun: 'store credit', permission: 'credit.give', path: (done) => officePaths.officeCustomerCredit(id, done) },
    ({ shop, by }) => ({
      give: step(
        giveCreditForm,
        async ({ amount, reason, order, once }) => {
          const person = found(await findPerson(shop, id))
          const account = creditAccount(person)
          if (!account) return refused('no-account')
          const orders = order === null ? [] : await readOrders(shop, person)
          if (order !== null && !orders.some((own) => own.id === order)) return refused('order-unknown')
          return giveCredit(shop, by, { accountId: account.id, orderId: order, cents: amount, reason, once })
        },
        ({ state }) => state,
      ),
      approve: fresh(
        step(
          grantForm,
          ({ grant }) => approveCredit(shop, by, grant),
          () => 'approved',
        ),
      ),
      decline: step(grantForm, ({ grant }) => declineCredit(shop, by, grant), 'declined'),
      'take-back': step(
        takeBackForm,
        ({ grant, reason }) => takeBackCredit(shop, by, { grantId: grant, reason }),
        () => 'taken-back',
      ),
    }),
    {
      'no-account': 'Store credit requires an account, and this customer doesn’t have one.',
      'order-unknown': { field: 'order', text: 'Choose an order of this customer.' },
      'invalid-grant': 'This form was already used. Reload the page and try again.',
      'grant-not-found': 'Store credit not found.',
      'own-request': 'You requested this yourself. Another team member must approve it.',
      'nothing-left': 'This credit was already used, so it can’t be taken back.',
    },
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
            <p className="office-between">
              <span>{why}</span>
              <b>{amount}</b>
            </p>
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

function UnusedPanel({ unused, reply }: PartProps & { unused: readonly GrantView[] }) {
  return (
    <Panel id="unused" title="Given and not used">
      {unused.map(({ id, amount, why, note, unused: left }) => (
        <PanelBody key={id}>
          <p className="office-between">
            <span>{why}</span>
            <b>{amount}</b>
          </p>
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
