import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { MemberLimitForm, memberLimitView, type MemberLimitView } from '#app/ui/member-limit-form.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { serverPaths } from '#content/server-paths.ts'
import { listApprovals } from '#domain/channels/approvals/approvals.server.ts'
import {
  approvalDays,
  companyCan,
  companyRefusals,
  limitOf,
  memberLimitForm,
  roleLimitsForm,
  type RoleLimits,
} from '#domain/customers/companies/companies.ts'
import { listMembers, setMemberLimit, setRoleLimits } from '#domain/customers/companies/companies.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { formatCents, typedDollars } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import { approvalRow } from './approval-view.server.ts'
import { CompanyPage } from './company-page.tsx'
import { requireCompany } from './require-company.server.ts'
import type { Route } from './+types/company-approvals.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Approvals',
    description: 'Pending approvals and member spending limits.',
    path: serverPaths.companyApprovals(),
    isIndexed: false,
  })

const news: Readonly<Record<string, string>> = {
  refused: 'Request declined. We emailed your reason to the requester.',
  limits: 'Limits saved. They hold from now on.',
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, company, signedIn, ...own } = await requireCompany(context, serverPaths.companyApprovals())
  const mayManage = companyCan(own.role, 'manage')
  const [requests, { members }] = await Promise.all([
    listApprovals(app, signedIn.accountId),
    mayManage ? listMembers(app, company.id) : { members: [] },
  ])
  const ownLimit = limitOf(company.limits, own)
  return {
    name: company.name,
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    own: own.role === 'viewer' ? null : ownLimit === null ? 'any amount' : `up to ${formatCents(ownLimit)} an order`,
    requests: requests.map(approvalRow),
    limits: mayManage ? rolesView(company.limits) : null,
    hasTerms: company.terms !== null,
    members: members.filter(({ role }) => role !== 'viewer').map((member) => memberLimitView(member, company.limits)),
  }
}

function rolesView({ owner, buyer }: RoleLimits) {
  return { owner: owner === null ? '' : typedDollars(owner), buyer: buyer === null ? '' : typedDollars(buyer) }
}

/** `limits` sets the spending limits by role, `member` the limit of one member. */
export async function action({ request, context }: Route.ActionArgs) {
  const { app, signedIn } = await requireCompany(context, serverPaths.companyApprovals())
  const fields = await readForm(request)
  const by = { accountId: signedIn.accountId }
  switch (fields.get('intent')) {
    case 'limits': {
      const checked = checkForm(roleLimitsForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      return answered(fields, await setRoleLimits(app, by, checked.value))
    }
    case 'member': {
      const checked = checkForm(memberLimitForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      return answered(fields, await setMemberLimit(app, by, checked.value))
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const statuses = { 'not-allowed': 403, 'own-limit': 403, 'company-not-found': 404, 'member-not-found': 404 } as const

function answered(fields: URLSearchParams, set: Awaited<ReturnType<typeof setRoleLimits>>) {
  if (set.ok) return seeOther(serverPaths.companyApprovals('limits'))
  return refuseForm(formRefusal(fields, companyRefusals.limits[set.reason]), statuses[set.reason])
}

export default function Approvals({
  loaderData: { name, news: done, own, requests, limits, hasTerms, members },
  actionData: reply,
}: Route.ComponentProps) {
  const replyTo = (intent: string, member?: string) =>
    reply?.values['intent'] === intent && (member === undefined || reply.values['member'] === member)
      ? reply
      : undefined
  return (
    <CompanyPage name={name} at="approvals">
      {done && !reply ? (
        <p className="notice" role="status">
          {done}
        </p>
      ) : null}
      {own ? <p>You can order {own} without approval.</p> : null}
      <Requests requests={requests} />
      {limits ? <LimitsForm limits={limits} hasTerms={hasTerms} reply={replyTo('limits')} /> : null}
      {members.length > 0 ? <Members members={members} replyTo={(id) => replyTo('member', id)} /> : null}
    </CompanyPage>
  )
}

type View = Route.ComponentProps['loaderData']

function Requests({ requests }: Pick<View, 'requests'>) {
  return (
    <section className="stack" aria-labelledby="requests">
      <h2 id="requests">Requests</h2>
      {requests.length === 0 ? <p className="muted">No requests yet.</p> : null}
      <ul className="account-list">
        {requests.map(({ id, who, total, state, isWaiting, asked, until, order }) => (
          <li key={id} className="panel padded company-member">
            <p>
              <a className="strong" href={serverPaths.companyApproval(id)}>
                {who}: <span className="tabular">{total}</span>
              </a>
              <span className="small muted">
                Submitted {asked}
                {isWaiting ? `, waits until ${until}` : ''}
                {order ? `, order ${order}` : ''}
              </span>
            </p>
            <span className={isWaiting ? 'tag tone-amber' : 'tag'}>{state}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function LimitsForm({
  limits,
  hasTerms,
  reply,
}: {
  limits: { owner: string; buyer: string }
  hasTerms: boolean
  reply: FormReply | undefined
}) {
  const field = (name: 'owner' | 'buyer', label: string) => (
    <Field
      name={name}
      label={label}
      value={limits[name]}
      reply={reply}
      inputMode="decimal"
      maxLength={20}
      autoComplete="off"
      required={false}
      hint="In dollars. Empty: no limit."
    />
  )
  return (
    <form method="post" className="panel padded stack" noValidate>
      <h2>Spending limits by role</h2>
      <ErrorSummary reply={reply} labels={{ owner: 'Owners', buyer: 'Buyers' }} />
      <p className="small muted">
        Orders above the limit are paid on net terms and wait up to {countOf(approvalDays, 'day')} for an owner or an
        approver with a high enough limit.
      </p>
      {hasTerms ? null : (
        <p className="notice small">
          Your company has no net terms with us, so orders above a limit aren’t possible. Ask us for net terms first.
        </p>
      )}
      <div className="field-pair">
        {field('owner', 'Owners')}
        {field('buyer', 'Buyers')}
      </div>
      <p>
        <button className="btn primary" name="intent" value="limits">
          Save limits
        </button>
      </p>
    </form>
  )
}

function Members({
  members,
  replyTo,
}: {
  members: readonly MemberLimitView[]
  replyTo(id: string): FormReply | undefined
}) {
  return (
    <section className="stack" aria-labelledby="by-person">
      <h2 id="by-person">By person</h2>
      <ul className="account-list">
        {members.map((member) => (
          <li key={member.id} className="panel padded">
            <MemberLimitForm member={member} reply={replyTo(member.id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
