/** The staff forms on a company's page. */
import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { MemberLimitForm } from '#app/ui/member-limit-form.tsx'
import { PanelBody } from '#app/ui/office/office-parts.tsx'
import type { OfficeCompany } from '#app/views/office/company.server.ts'

type Props = {
  company: OfficeCompany
  can: { decide: boolean; setTerms: boolean; setPrices: boolean }
  hasResolve: boolean
  reply: FormReply | undefined
}

/** The forms that the reader may use in the company's state. */
export function CompanyForms({ company, can, hasResolve, reply }: Props) {
  const isApproved = company.state === 'approved'
  return (
    <>
      {can.decide && company.decisions.length > 0 ? <DecisionForm {...company} reply={reply} /> : null}
      {can.setTerms && isApproved ? <TermForms company={company} hasResolve={hasResolve} reply={reply} /> : null}
      {can.setPrices && isApproved ? (
        <FormPanel
          id="prices"
          title="Price list"
          lead={company.list === '' ? 'No custom price list' : new Map(company.lists).get(company.list)}
          reply={reply}
          fields={{
            list: { label: 'Price list of its members', kind: 'choice', value: company.list, options: company.lists },
          }}
          buttons={[button('price-list', 'Save price list')]}
        />
      ) : null}
      {can.decide && isApproved ? <AccountForms company={company} reply={reply} /> : null}
    </>
  )
}

const decisionLabels = { approve: 'Approve', refuse: 'Refuse', close: 'Close this company' } as const

function DecisionForm({ decisions, reply }: Pick<OfficeCompany, 'decisions'> & Pick<Props, 'reply'>) {
  return (
    <FormPanel
      id="decide"
      title="Decision"
      isOpen={decisions.includes('refuse')}
      reply={reply}
      text={
        decisions.includes('close')
          ? 'Its members lose its prices and terms. Open invoices stay due.'
          : 'We email its owners. Once approved, its members get the prices of their account type.'
      }
      buttons={decisions.map((decision) =>
        button('decide', decisionLabels[decision], decision === 'approve' ? 'primary' : 'stop', {
          sends: { decision },
        }),
      )}
    />
  )
}

function TermForms({ company, hasResolve, reply }: Pick<Props, 'company' | 'hasResolve' | 'reply'>) {
  const { terms, resolveCustomerId, limits, spenders } = company
  const isOf = (member: string) => reply?.values['intent'] === 'member' && reply.values['member'] === member
  return (
    <>
      <FormPanel
        id="terms"
        title="Net terms"
        reply={reply}
        fields={{
          days: {
            label: 'Days to pay',
            kind: 'number',
            max: 3,
            value: terms?.days,
            isOptional: true,
            hint: 'Leave empty if the company pays when it orders.',
          },
          limit: { label: 'Credit limit in dollars', kind: 'money', value: terms?.limit, isOptional: true },
        }}
        buttons={[button('terms', 'Save terms')]}
      />
      {hasResolve ? (
        <FormPanel
          id="resolve"
          title="Resolve"
          lead={resolveCustomerId === null ? 'Not linked' : 'Linked'}
          reply={reply}
          fields={{
            customer: {
              label: 'Resolve customer ID',
              value: resolveCustomerId,
              max: 64,
              isOptional: true,
              hint: 'Buyers can pay on Resolve’s net terms.',
            },
          }}
          buttons={[button('resolve', 'Save customer ID')]}
        />
      ) : null}
      <FormPanel
        id="limits"
        title="Spending limits"
        reply={reply}
        fields={{
          owner: { label: 'Owners, in dollars', kind: 'money', value: limits.owner, isOptional: true },
          buyer: {
            label: 'Buyers, in dollars',
            kind: 'money',
            value: limits.buyer,
            isOptional: true,
            hint: 'Leave empty for no limit. Orders above it need approval from someone with a higher limit.',
          },
        }}
        buttons={[button('limits', 'Save limits')]}
        after={
          spenders.length > 0 ? (
            <PanelBody>
              {spenders.map((member) => (
                <MemberLimitForm key={member.id} member={member} reply={isOf(member.id) ? reply : undefined} />
              ))}
            </PanelBody>
          ) : null
        }
      />
    </>
  )
}

function AccountForms({ company: { hasFleetPackets, brands }, reply }: Pick<Props, 'company' | 'reply'>) {
  return (
    <>
      <FormPanel
        id="fleet-packets"
        title="Fleet work order details"
        lead={hasFleetPackets ? 'Required' : 'Not required'}
        reply={reply}
        text="Orders need a PO number. Shops record unit, driver, VIN, plate and state, mileage and every tire’s TIN. Existing orders don’t change."
        fields={{
          packets: {
            label: 'Require fleet work order details',
            kind: 'tick',
            isTicked: hasFleetPackets,
          },
        }}
        buttons={[button('fleet-packets', 'Save')]}
      />
      <FormPanel
        id="domains"
        title="Email domain"
        reply={reply}
        fields={{
          domain: { label: 'Domain', max: 253, hint: 'Anyone with a verified email address there can join.' },
          role: {
            label: 'Role of new members',
            kind: 'choice',
            value: 'buyer',
            options: Object.entries({ buyer: 'Buyer', viewer: 'Viewer' }),
          },
        }}
        buttons={[button('domain', 'Add domain')]}
      />
      <FormPanel
        id="brand-range"
        title="Brands"
        lead={brands ? brands.join(', ') : 'All brands'}
        reply={reply}
        fields={{
          brands: {
            label: 'Allowed brands',
            value: brands?.map((brand) => brand.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')).join(', '),
            max: 2_000,
            isOptional: true,
            hint: 'As in their URLs, separated by commas. Leave empty for all brands.',
          },
        }}
        buttons={[button('brands', 'Save brands')]}
      />
    </>
  )
}
