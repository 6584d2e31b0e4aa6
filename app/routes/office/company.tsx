import { readForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Facts, KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { readOfficeCompany } from '#app/views/office-company.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { actOnCompany } from './company-acts.server.ts'
import { BrandsForm, DecisionForm, DomainForm, FleetPacketsForm, PriceListForm, TermsForms } from './company-forms.tsx'
import { LimitForms } from './company-limits.tsx'
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

const news: Readonly<Record<string, string>> = {
  approve: 'Approved. Its owners were emailed, and its members have their prices.',
  refuse: 'Refused. Its owners were emailed.',
  close: 'Closed. Its members no longer have its prices.',
  terms: 'Terms saved.',
  limits: 'Limits saved. They hold from now on.',
  resolve: 'Customer ID saved.',
  'price-list': 'Price list saved. Its members see the new prices at once.',
  'fleet-packets': 'Saved. It holds for new orders.',
  domain: 'Domain added.',
  brands: 'Brands saved.',
  payment: 'Payment recorded.',
  certificate: 'Certificate decided.',
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'companies.read', officePaths.officeCompany(params.id))
  const company = await readOfficeCompany(shop, params.id)
  if (!company) throw new Response(null, { status: 404 })
  return {
    company,
    hasResolve: shop.netTerms !== null,
    can: {
      decide: staffCan(session.roles, 'companies.decide'),
      setTerms: staffCan(session.roles, 'companies.terms'),
      setPrices: staffCan(session.roles, 'price-lists.edit'),
      settle: staffCan(session.roles, 'invoices.settle'),
      readCertificates: staffCan(session.roles, 'certificates.read'),
      certify: staffCan(session.roles, 'certificates.decide'),
    },
    news: news[url.searchParams.get('done') ?? ''] ?? null,
  }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'companies.read', officePaths.officeCompany(params.id))
  return actOnCompany(shop, { id: params.id, fields: await readForm(request), by: actor })
}

export default function CompanyPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { company, can, hasResolve, news: done } = loaderData
  const { name, state, facts, about, owed, brands, decisions } = company
  const replyTo = (intent: string) => (reply?.values['intent'] === intent ? reply : undefined)
  return (
    <OfficePage
      title={name}
      crumbs={[{ label: 'Companies', path: officePaths.officeCompanies({ state }) }]}
      tags={<Tag tone={states[state].tone}>{states[state].words}</Tag>}
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
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      {owed ? (
        <Facts
          facts={[
            { label: 'Owed', value: owed.open },
            { label: 'Overdue', value: owed.overdue ?? 'Nothing' },
            { label: 'Credit limit', value: owed.limit },
          ]}
        />
      ) : null}
      <Columns
        body={
          <>
            <Panel id="about" title="About">
              <PanelBody>
                <KeyValues rows={facts} />
                {about ? <p className="pre-line">{about}</p> : null}
              </PanelBody>
            </Panel>
            <Invoices company={company} maySettle={can.settle} reply={replyTo('payment')} />
            {can.readCertificates ? (
              <Certificates company={company} mayDecide={can.certify} reply={replyTo('certificate')} />
            ) : null}
            <FleetQuotes company={company} />
            <Members company={company} />
          </>
        }
        last={
          <>
            {can.decide && decisions.length > 0 ? (
              <DecisionForm decisions={decisions} reply={replyTo('decide')} />
            ) : null}
            {can.setTerms && state === 'approved' ? (
              <>
                <TermsForms company={company} hasResolve={hasResolve} replyTo={replyTo} />
                <LimitForms company={company} reply={reply} />
              </>
            ) : null}
            {can.setPrices && state === 'approved' ? (
              <PriceListForm company={company} reply={replyTo('price-list')} />
            ) : null}
            {can.decide && state === 'approved' ? (
              <>
                <FleetPacketsForm hasFleetPackets={company.hasFleetPackets} reply={replyTo('fleet-packets')} />
                <DomainForm reply={replyTo('domain')} />
                <BrandsForm brands={brands} reply={replyTo('brands')} />
              </>
            ) : null}
          </>
        }
      />
    </OfficePage>
  )
}
