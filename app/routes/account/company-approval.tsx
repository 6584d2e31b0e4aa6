import { remember } from '#app/server/account-memory.server.ts'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { approveMessages, decisionMessages } from '#content/messages/approvals.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { mostReasonLetters, refuseForm as reasonForm } from '#domain/channels/approvals/approvals.ts'
import {
  approveRequest,
  findApproval,
  refuseRequest,
  withdrawRequest,
  type SeenRequest,
} from '#domain/channels/approvals/approvals.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { approvalView } from './approval-view.server.ts'
import { CompanyPage } from './company-page.tsx'
import { requireCompany } from './require-company.server.ts'
import type { Route } from './+types/company-approval.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Order to approve',
    description: 'An order above a limit of your company.',
    path: serverPaths.companyApprovals(),
    isIndexed: false,
  })

async function requireApproval(context: Route.LoaderArgs['context'], id: string) {
  const member = await requireCompany(context, serverPaths.companyApproval(id))
  const found = await findApproval(member.app, member.signedIn.accountId, id)
  if (!found) throw new Response(null, { status: 404 })
  return { ...member, found }
}

export async function loader({ context, params }: Route.LoaderArgs) {
  const { app, company, found } = await requireApproval(context, params.requestId)
  return { name: company.name, view: await approvalView(app, found) }
}

/**
 * `approve` places the order, `refuse` rejects it with a reason, `withdraw` withdraws the request, and `reopen` returns
 * to the cart.
 */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { app, signedIn, found } = await requireApproval(context, params.requestId)
  const fields = await readForm(request)
  const [id, by] = [found.request.id, signedIn.accountId]
  switch (fields.get('intent')) {
    case 'approve': {
      const agreedPrice = (fields.get('agreed') ?? '').slice(0, 200)
      const placed = await approveRequest(app, by, { id, agreedPrice })
      if (placed.ok) return seeOther(serverPaths.companyApproval(id))
      if (placed.reason === 'not-found') throw new Response(null, { status: 404 })
      const { words, status } = approveMessages(placed, app.config.store)
      return refuseForm(formRefusal(fields, words), status)
    }
    case 'refuse': {
      const checked = checkForm(reasonForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const ended = await refuseRequest(app, by, { id, reason: checked.value.reason })
      return answered(fields, ended, serverPaths.companyApprovals('refused'))
    }
    case 'withdraw':
      return answered(fields, await withdrawRequest(app, by, id), serverPaths.companyApproval(id))
    case 'reopen':
      return reopen(context, found)
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

function answered(fields: URLSearchParams, ended: Awaited<ReturnType<typeof withdrawRequest>>, path: string) {
  if (ended.ok) return seeOther(path)
  if (ended.reason === 'not-found') throw new Response(null, { status: 404 })
  return refuseForm(formRefusal(fields, decisionMessages(ended)), 409)
}

/** Makes the cart of an ended request this browser's again. */
function reopen(context: Route.ActionArgs['context'], { request, isOwn }: SeenRequest) {
  if (!isOwn || request.state === 'waiting' || request.state === 'approved') throw new Response(null, { status: 404 })
  return seeOther(paths.cart(), remember(context, { cartId: request.cartId }))
}

export default function Approval({ loaderData: { name, view }, actionData: reply }: Route.ComponentProps) {
  const isRefusal = reply?.values['intent'] === 'refuse'
  const { who, total, asked, until, cart, outcome, order, orderId } = view
  return (
    <CompanyPage name={name} at="approvals">
      {reply && !isRefusal ? <ErrorSummary reply={reply} /> : null}
      <section className="panel padded stack" aria-labelledby="request">
        <h2 id="request">
          {who}: <span className="tabular">{total}</span>
        </h2>
        <p className="muted">
          Submitted {asked}. {cart ? `The request expires ${until}, Eastern Time.` : null}
        </p>
        {outcome ? <p className="pre-line">{outcome}</p> : null}
        {order && orderId !== null ? (
          <p>
            <a className="btn" href={paths.trackResult(orderId)}>
              Open order {order}
            </a>
          </p>
        ) : null}
        {view.isWaiting && !cart ? (
          <p>The requester is no longer in your company, so this order can’t be placed.</p>
        ) : null}
        {cart ? <Contents cart={cart} /> : null}
      </section>
      <Acts view={view} reply={isRefusal ? reply : undefined} />
    </CompanyPage>
  )
}

type View = Route.ComponentProps['loaderData']['view']

function Contents({ cart: { lines, rows, facts, moved, problems } }: { cart: NonNullable<View['cart']> }) {
  return (
    <>
      <ul className="stack">
        {lines.map(({ key, name, size, count }) => (
          <li key={key}>
            <b>{name}</b>
            <br />
            <span className="muted tabular">
              {size}. {count}
            </span>
          </li>
        ))}
      </ul>
      <dl className="account-details">
        {facts.map(([term, words]) =>
          words ? (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{words}</dd>
            </div>
          ) : null,
        )}
      </dl>
      <OrderSummary rows={rows} caption="What the order costs now" />
      {moved ? <p className="notice">{moved}</p> : null}
      {problems.map((words) => (
        <p key={words} className="notice">
          {words}
        </p>
      ))}
    </>
  )
}

function Acts({ view, reply }: { view: View; reply: FormReply | undefined }) {
  const { isWaiting, isOwn, isApprover, mayApprove, mayReopen, cart } = view
  return (
    <>
      {isWaiting && mayApprove && cart?.fingerprint ? (
        <form method="post" className="panel padded stack">
          <h2>Approve</h2>
          <p className="small muted">
            This places the order on your company’s terms at the total above. You accept the terms of sale for your
            company.
          </p>
          <input type="hidden" name="agreed" value={cart.fingerprint} />
          <p>
            <button className="btn primary" name="intent" value="approve">
              Approve and place the order
            </button>
          </p>
        </form>
      ) : null}
      {isWaiting && isApprover && !mayApprove ? (
        <p className="notice">This is more than you may order yourself. Another approver can approve it.</p>
      ) : null}
      {isWaiting && isApprover ? (
        <form method="post" className="panel padded stack" noValidate>
          <h2>Do not approve</h2>
          <ErrorSummary reply={reply} labels={{ reason: 'Why' }} />
          <TextAreaField
            name="reason"
            label="Why"
            reply={reply}
            rows={3}
            maxLength={mostReasonLetters}
            hint="We email this to the requester, who can then change the cart."
          />
          <p>
            <button className="btn" name="intent" value="refuse">
              Send it back
            </button>
          </p>
        </form>
      ) : null}
      {isWaiting && isOwn ? (
        <form method="post" className="panel padded stack">
          <h2>Take it back</h2>
          <p className="small muted">Your cart can then be changed and submitted again.</p>
          <p>
            <button className="btn quiet" name="intent" value="withdraw">
              Take it back
            </button>
          </p>
        </form>
      ) : null}
      {mayReopen ? (
        <form method="post">
          <button className="btn primary" name="intent" value="reopen">
            Go back to this cart
          </button>
        </form>
      ) : null}
    </>
  )
}
