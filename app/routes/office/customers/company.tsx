import { certificateActions, companyActions } from '#app/office/actions/companies.server.ts'
import { actionStep, decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Facts, Tag } from '#app/ui/office/office-parts.tsx'
import { readOfficeCompany } from '#app/views/office/company.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
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
  const { app, session } = await requireStaff(context, 'companies.read', officePaths.officeCompany(params.id))
  return {
    company: found(await readOfficeCompany(app, params.id)),
    hasResolve: app.netTerms !== null,
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
  return decideActions(
    args,
    {
      id,
      path,
      done: {
        decide: (_id, _value, fields) => fields.get('decision') ?? '',
        terms: undefined,
        limits: undefined,
        member: 'limits',
        resolve: undefined,
        'price-list': undefined,
        'fleet-packets': undefined,
        domain: undefined,
        brands: undefined,
        payment: `${path('payment')}#invoices`,
      },
      more: {
        steps: ({ app, by, fields }) => ({
          certificate: actionStep(
            certificateActions.actions.decide,
            { app, by, id: fields.get('certificate') ?? '' },
            `${path('certificate')}#certificates`,
          ),
        }),
        refusals: certificateActions.refusals,
      },
    },
    companyActions,
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
