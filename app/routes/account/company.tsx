import { technicalMessages } from '#content/messages/technical.ts'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { EmailText } from '#app/ui/email-text.tsx'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import {
  accountTypeOf,
  companyCan,
  companyRefusals,
  kindNames,
  maskWords,
  poRuleForm,
  roleNames,
  roleWords,
  type PoRule,
} from '#domain/customers/companies/companies.ts'
import {
  changePoRule,
  findCompanyOfMail,
  findMembership,
  joinByMail,
  leaveCompany,
  listCompanyBrands,
  type Membership,
} from '#domain/customers/companies/companies.server.ts'
import { supportDeskOf } from '#domain/pricing/price-tiers/price-tiers.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import { AccountPage } from './account-page.tsx'
import { CompanyPage } from './company-page.tsx'
import type { Route } from './+types/company.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your company',
    description: 'Who you buy for, and how.',
    path: paths.company(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, paths.company())
  const membership = await findMembership(app, signedIn.accountId)
  if (membership?.company.state === 'approved')
    return { status: 'member' as const, company: await companyView(app, membership) }
  const offer = membership ? undefined : await findCompanyOfMail(app, signedIn)
  return {
    status: membership?.company.state ?? ('none' as const),
    name: membership?.company.name ?? null,
    offer: offer?.name ?? null,
  }
}

async function companyView(app: Application, { company, role }: Membership) {
  const brands = await listCompanyBrands(app, company.id)
  const desk = supportDeskOf(accountTypeOf[company.kind])
  return {
    name: company.name,
    kind: kindNames[company.kind],
    role: roleNames[role],
    roleWords: roleWords[role],
    mayManage: companyCan(role, 'manage'),
    po: company.po,
    hasFleetPackets: company.hasFleetPackets,
    terms: company.terms
      ? `Net ${countOf(company.terms.netDays, 'day')}, up to ${formatCents(company.terms.creditLimitCents)}`
      : 'Paid when you order',
    brands: brands === null ? 'All brands' : brands.join(', ') || 'No payment terms yet. Call us to set them up.',
    desk: {
      name: desk?.name ?? null,
      phone: desk?.phone ?? app.config.store.phone,
      email: desk?.email ?? app.config.store.email,
    },
  }
}

/** `join` joins by email domain, `leave` leaves the company, `po` sets its rule for PO numbers. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, paths.company())
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'join': {
      const joined = await joinByMail(app, signedIn)
      // Handles a double submission, in which case the account is already a member.
      const isIn = joined.ok || (await findMembership(app, signedIn.accountId))?.company.state === 'approved'
      return isIn
        ? seeOther(paths.company())
        : refuseForm(formRefusal(fields, companyRefusals.join[joined.reason]), 409)
    }
    case 'leave': {
      const left = await leaveCompany(app, signedIn.accountId)
      if (!left.ok && left.reason === 'last-owner')
        return refuseForm(formRefusal(fields, companyRefusals.leave[left.reason]), 409)
      return seeOther(paths.company())
    }
    case 'po': {
      const checked = checkForm(poRuleForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const changed = await changePoRule(app, signedIn.accountId, checked.value)
      return changed.ok
        ? seeOther(paths.company())
        : refuseForm(formRefusal(fields, companyRefusals.poRule[changed.reason]), 403)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

export default function Company({ loaderData, actionData: reply }: Route.ComponentProps) {
  if (loaderData.status === 'member') return <Terms company={loaderData.company} reply={reply} />
  const { status, name, offer } = loaderData
  return (
    <AccountPage title="Your company" at="company">
      <ErrorSummary reply={reply} />
      {offer ? (
        <form method="post" className="panel padded stack">
          <h2>Your email is at {offer}</h2>
          <p>Anyone with a verified email at this domain can join and buy on the company’s terms.</p>
          <p>
            <button className="btn primary" name="intent" value="join">
              Join {offer}
            </button>
          </p>
        </form>
      ) : null}
      {status === 'applied' ? (
        <section className="panel padded stack">
          <h2>{name}</h2>
          <p role="status">We have your application, and a person is reviewing it. We will email you the decision.</p>
        </section>
      ) : status === 'refused' || status === 'closed' ? (
        <section className="panel padded stack">
          <h2>{name}</h2>
          <p role="status">
            {status === 'refused'
              ? 'We could not approve your application. You can apply again and say more.'
              : 'This company is closed here. Call us to reopen it.'}
          </p>
          {status === 'refused' ? <ApplyLink /> : null}
        </section>
      ) : (
        <section className="panel padded stack">
          <h2>You buy for yourself</h2>
          <p className="muted">A business gets its own prices, colleagues with roles, PO numbers and tax exemption.</p>
          <ApplyLink />
        </section>
      )}
    </AccountPage>
  )
}

function ApplyLink() {
  return (
    <p className="row wrap-row">
      <a className="btn primary" href={paths.businessApply()}>
        Apply
      </a>
      <a className="btn quiet" href={paths.business()}>
        What a business gets
      </a>
    </p>
  )
}

type View = Awaited<ReturnType<typeof companyView>>

function Terms({ company, reply }: { company: View; reply: FormReply | undefined }) {
  const { desk } = company
  const rows: [string, string][] = [
    ['Account', company.kind],
    ['Your role', `${company.role}. ${company.roleWords}`],
    ['Payment', company.terms],
    ['Brands', company.brands],
    ['PO numbers', poWords(company.po)],
    ...(company.hasFleetPackets ? [fleetPacketRow] : []),
  ]
  return (
    <CompanyPage name={company.name} at="terms">
      {reply && !('rule' in reply.values) ? <ErrorSummary reply={reply} /> : null}
      <section className="panel padded stack" aria-label="Terms">
        <dl className="account-details">
          {rows.map(([term, words]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{words}</dd>
            </div>
          ))}
          <div>
            <dt>Questions</dt>
            <dd>
              <ul>
                {desk.name ? <li>{desk.name}</li> : null}
                <li>
                  <a href={`tel:${desk.phone.replace(/\D/g, '')}`}>{desk.phone}</a>
                </li>
                <li>
                  <a href={`mailto:${desk.email}`}>
                    <EmailText email={desk.email} />
                  </a>
                </li>
              </ul>
            </dd>
          </div>
        </dl>
      </section>
      {company.mayManage ? (
        <PoForm po={company.po} reply={reply && 'rule' in reply.values ? reply : undefined} />
      ) : null}
      <form method="post" className="panel padded stack">
        <h2>Leave {company.name}</h2>
        <p className="small muted">After that you pay the regular price. Orders you placed for it stay with it.</p>
        <p>
          <button className="btn" name="intent" value="leave">
            Leave
          </button>
        </p>
      </form>
    </CompanyPage>
  )
}

const fleetPacketRow: [string, string] = [
  'Fleet packets',
  'Needed. An order needs a PO number, and its job unit, driver, VIN, plate, mileage and every TIN.',
]

function PoForm({ po, reply }: { po: PoRule; reply: FormReply | undefined }) {
  return (
    <form method="post" className="panel padded stack" noValidate>
      <h2>PO numbers</h2>
      <ErrorSummary reply={reply} labels={{ rule: 'On each order', mask: 'Format' }} />
      <div className="field-pair">
        <SelectField name="rule" label="On each order" value={po.rule} reply={reply}>
          <option value="required">Required</option>
          <option value="optional">Optional</option>
          <option value="off">Optional</option>
        </SelectField>
        <Field
          name="mask"
          label="Format"
          value={po.mask}
          reply={reply}
          maxLength={40}
          autoComplete="off"
          required={false}
          hint="# is a digit, ? a letter, * either. PO-##### takes PO-12345."
        />
      </div>
      <p>
        <button className="btn primary" name="intent" value="po">
          Save
        </button>
      </p>
    </form>
  )
}

function poWords({ rule, mask }: PoRule): string {
  if (rule === 'off') return 'Optional'
  return `${rule === 'required' ? 'Required' : 'Optional'}${mask === null ? '' : `, like ${maskWords(mask)}`}`
}
