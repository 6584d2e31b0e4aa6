import { decide, doneNews, found, step } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Facts, Tag } from '#app/ui/office/office-parts.tsx'
import { readOfficeCompany } from '#app/views/office-company.server.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  brandsForm,
  certificateForm,
  companyListForm,
  decisionForm,
  domainForm,
  fleetPacketForm,
  memberLimitForm,
  paymentForm,
  resolveCustomerForm,
  roleLimitsForm,
  termsForm,
} from '#domain/customers/companies/companies.ts'
import {
  addDomain,
  decideCompany,
  decideExemption,
  setBrands,
  setCompanyPriceList,
  setFleetPackets,
  setMemberLimit,
  setResolveCustomer,
  setRoleLimits,
  setTerms,
} from '#domain/customers/companies/companies.server.ts'
import { recordInvoicePaid } from '#domain/payments/invoices/invoices.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { CompanyForms } from './company-forms.tsx'
import { Certificates, FleetQuotes, Invoices, Members } from './company-tables.tsx'
import type { Route } from './+types/company.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.company.name ?? 'Company', officePaths.officeCompanies())

const states = {
  applied: { words: 'Applied', tone: 'signal' },
  approved: { words: 'Approved', tone: 'go' },
  refused: { words: 'Refused', tone: 'plain' },
  closed: { words: 'Closed', tone: 'plain' },
} as const

const news = {
  approve: 'Approved. We emailed its owners, and its members have their prices.',
  refuse: 'Refused. We emailed its owners.',
  close: 'Closed. Its members no longer have its prices.',
  terms: 'Terms saved.',
  limits: 'Limits saved.',
  resolve: 'Customer ID saved.',
  'price-list': 'Price list saved. Its members see the new prices immediately.',
  'fleet-packets': 'Saved. Applies to new orders.',
  domain: 'Domain added.',
  brands: 'Brands saved.',
  payment: 'Payment recorded.',
  certificate: 'Certificate reviewed.',
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'companies.read', officePaths.officeCompany(params.id))
  return {
    company: found(await readOfficeCompany(shop, params.id)),
    hasResolve: shop.netTerms !== null,
    can: {
      decide: staffCan(session.roles, 'companies.decide'),
      setTerms: staffCan(session.roles, 'companies.terms'),
      setPrices: staffCan(session.roles, 'price-lists.edit'),
      settle: staffCan(session.roles, 'invoices.settle'),
      readCertificates: staffCan(session.roles, 'certificates.read'),
      certify: staffCan(session.roles, 'certificates.decide'),
    },
    news: doneNews(url, news),
  }
}

/** Each use case checks its own permission. */
export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  const path = (done?: string) => officePaths.officeCompany(id, done)
  return decide(
    args,
    { noun: 'company', permission: 'companies.read', path },
    ({ shop, by }) => ({
      decide: step(
        decisionForm,
        ({ decision }) => decideCompany(shop, { id, decision, by }),
        (_, { decision }) => decision,
      ),
      terms: step(termsForm, (terms) => setTerms(shop, { id, terms, by })),
      limits: step(roleLimitsForm, (limits) => setRoleLimits(shop, { staff: by, companyId: id }, limits)),
      member: step(memberLimitForm, (limit) => setMemberLimit(shop, { staff: by, companyId: id }, limit), 'limits'),
      resolve: step(resolveCustomerForm, ({ customer }) => setResolveCustomer(shop, { id, customerId: customer, by })),
      'price-list': step(companyListForm, ({ list }) => setCompanyPriceList(shop, { id, slug: list, by })),
      'fleet-packets': step(fleetPacketForm, ({ packets }) =>
        setFleetPackets(shop, { id, hasFleetPackets: packets, by }),
      ),
      domain: step(domainForm, (domain) => addDomain(shop, { id, ...domain, by })),
      brands: step(brandsForm, ({ brands }) => setBrands(shop, { of: 'company', id }, { slugs: brands, by })),
      payment: step(
        paymentForm,
        ({ order, amount, reference }) =>
          recordInvoicePaid(shop, { orderId: order, companyId: id, cents: amount, reference, by }),
        `${path('payment')}#invoices`,
      ),
      certificate: step(
        certificateForm,
        ({ certificate, answer }) => decideExemption(shop, { id: certificate, isAccepted: answer === 'accept', by }),
        `${path('certificate')}#certificates`,
      ),
    }),
    {
      'company-not-found': 'Company not found.',
      'member-not-found': 'Member not found.',
      'own-limit': 'You can’t raise your own limit.',
      'has-no-list': 'Only approved companies can have a custom price list.',
      'not-approved': 'Only approved companies can have net terms.',
      'not-open': 'This invoice is paid or canceled. The payment wasn’t recorded.',
      'not-waiting': 'Another team member already reviewed this certificate.',
      'linked-elsewhere': { field: 'customer', text: 'Another company has that customer ID.', status: 409 },
      'no-such-list': { field: 'list', text: 'Price list not found.' },
      'free-mail': { field: 'domain', text: 'Anyone can get a mailbox there.' },
      'no-domain': { field: 'domain', text: 'Enter a domain, such as acme.com.' },
      taken: { field: 'domain', text: 'That domain belongs to another company.' },
      'brand-not-found': ({ slugs }) => ({
        field: 'brands',
        text: `We don’t sell a brand called ${slugs.join(', ')}.`,
      }),
      'too-much': ({ leftCents }) => ({
        field: 'amount',
        text: `Only ${formatCents(leftCents)} of this invoice is outstanding.`,
      }),
      'recorded-already': {
        field: 'reference',
        text: 'This invoice already has a payment with this number.',
        status: 409,
      },
    },
  )
}

export default function CompanyPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { company, can, hasResolve } = loaderData
  const { name, state, facts, about, owed } = company
  return (
    <DetailPage
      title={name}
      crumbs={[{ label: 'Companies', path: officePaths.officeCompanies({ state }) }]}
      tags={<Tag tone={states[state].tone}>{states[state].words}</Tag>}
      news={loaderData.news}
      reply={reply}
      end={
        <>
          <a className="btn quiet" href={officePaths.officePurchasing(company.id)}>
            Purchasing system
          </a>
          <a className="btn quiet" href={officePaths.officeStatement(company.id)}>
            Statement
          </a>
        </>
      }
      body={
        <>
          <FactsPanel id="about" title="About" rows={facts}>
            {about ? <p className="pre-line">{about}</p> : null}
          </FactsPanel>
          <Invoices company={company} maySettle={can.settle} reply={reply} />
          {can.readCertificates ? <Certificates company={company} mayDecide={can.certify} reply={reply} /> : null}
          <FleetQuotes company={company} />
          <Members company={company} />
        </>
      }
      side={<CompanyForms company={company} can={can} hasResolve={hasResolve} reply={reply} />}
    >
      {owed ? (
        <Facts
          facts={[
            { label: 'Outstanding', value: owed.open },
            { label: 'Overdue', value: owed.overdue ?? 'Nothing' },
            { label: 'Credit limit', value: owed.limit },
          ]}
        />
      ) : null}
    </DetailPage>
  )
}
