import { z } from 'zod'
import { defineActions, formAction, type ActionCall } from '#app/office/define-actions.server.ts'
import {
  addDomain,
  decideCompany,
  decideExemption,
  findCompany,
  findCompanyPriceList,
  setBrands,
  setCompanyPriceList,
  setFleetPackets,
  setMemberLimit,
  setResolveCustomer,
  setRoleLimits,
  setTerms,
} from '#domain/customers/companies/companies.server.ts'
import {
  brandsForm,
  certificateForm,
  companyListForm,
  companyStates,
  decisionForm,
  domainForm,
  fleetPacketForm,
  memberLimitForm,
  paymentForm,
  resolveCustomerForm,
  roleLimitsForm,
  termsForm,
} from '#domain/customers/companies/companies.ts'
import { recordInvoicePaid } from '#domain/payments/invoices/invoices.server.ts'
import { isId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** Runs an action on a company. Refuses `company-not-found`. */
async function onCompany<Value, Refusal extends Refused<string, unknown>>(
  { app, id }: ActionCall,
  act: () => Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal | Refused<'company-not-found'>>> {
  return isId(id) && (await findCompany(app, id)) ? act() : refused('company-not-found')
}

const cents = z.int().nullable().meta({ description: 'In cents; null for no limit' })

/** Each use case checks its own permission. */
export const companyActions = defineActions({
  resource: 'companies',
  noun: 'company',
  permission: 'companies.read',
  actions: {
    decide: formAction(
      {
        summary: 'Approve, refuse, or close a company',
        description: 'Emails its owners.',
        permission: 'companies.decide',
        form: decisionForm,
      },
      (call, { decision }) => onCompany(call, () => decideCompany(call.app, { id: call.id, decision, by: call.by })),
    ),
    terms: formAction(
      {
        summary: 'Set net terms',
        description: 'Without `days` the company pays when it orders.',
        permission: 'companies.terms',
        form: termsForm,
      },
      (call, terms) => onCompany(call, () => setTerms(call.app, { id: call.id, terms, by: call.by })),
    ),
    limits: formAction(
      {
        summary: 'Set the spending limits of owners and buyers',
        description: 'Null removes a limit.',
        permission: 'companies.terms',
        form: roleLimitsForm,
      },
      (call, limits) => onCompany(call, () => setRoleLimits(call.app, { staff: call.by, companyId: call.id }, limits)),
    ),
    member: formAction(
      {
        summary: 'Set the spending limit of a member',
        description: '`rule` is the limit of their `role`, `none`, or their `own` `amount`.',
        permission: 'companies.terms',
        form: memberLimitForm,
      },
      (call, limit) => onCompany(call, () => setMemberLimit(call.app, { staff: call.by, companyId: call.id }, limit)),
    ),
    resolve: formAction(
      {
        summary: 'Link a company to its customer at Resolve',
        permission: 'companies.terms',
        form: resolveCustomerForm,
      },
      (call, { customer }) =>
        onCompany(call, () => setResolveCustomer(call.app, { id: call.id, customerId: customer, by: call.by })),
    ),
    'price-list': formAction(
      {
        summary: 'Set the price list of a company',
        description: 'Without `list` its members have the prices of their account type.',
        permission: 'price-lists.edit',
        form: companyListForm,
      },
      (call, { list }) =>
        onCompany(call, () => setCompanyPriceList(call.app, { id: call.id, slug: list, by: call.by })),
    ),
    'fleet-packets': formAction(
      { summary: 'Require fleet work order details', permission: 'companies.decide', form: fleetPacketForm },
      (call, { packets }) =>
        onCompany(call, () => setFleetPackets(call.app, { id: call.id, hasFleetPackets: packets, by: call.by })),
    ),
    domain: formAction(
      { summary: 'Add an email domain', permission: 'companies.decide', form: domainForm },
      (call, domain) => onCompany(call, () => addDomain(call.app, { id: call.id, ...domain, by: call.by })),
    ),
    brands: formAction(
      {
        summary: 'Set the brands that a company may buy',
        description: 'As in their URLs, separated by commas; all without `brands`.',
        permission: 'companies.decide',
        form: brandsForm,
      },
      (call, { brands }) =>
        onCompany(call, () => setBrands(call.app, { of: 'company', id: call.id }, { slugs: brands, by: call.by })),
    ),
    payment: formAction(
      {
        summary: 'Record a payment of an invoice',
        description: '`order` is the order number of the invoice.',
        permission: 'invoices.settle',
        form: paymentForm,
      },
      (call, { order, amount, reference }) =>
        onCompany(call, () =>
          recordInvoicePaid(call.app, {
            orderId: order,
            companyId: call.id,
            cents: amount,
            reference,
            by: call.by,
          }),
        ),
    ),
  },
  refusals: {
    'company-not-found': { text: 'Company not found.', status: 404 },
    'member-not-found': 'Member not found.',
    'own-limit': 'You can’t raise your own limit.',
    'has-no-list': 'Only approved companies can have a custom price list.',
    'not-approved': 'Only approved companies can have net terms.',
    'not-open': 'This invoice is paid or canceled. The payment wasn’t recorded.',
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
  read: async (app, id) => {
    const company = isId(id) ? await findCompany(app, id) : undefined
    if (!company) return undefined
    const { name, state, terms, limits, resolveCustomerId, hasFleetPackets } = company
    return {
      name,
      state,
      days: terms?.netDays ?? null,
      limit: terms?.creditLimitCents ?? null,
      ...limits,
      customer: resolveCustomerId,
      list: await findCompanyPriceList(app, id),
      packets: hasFleetPackets,
    }
  },
  facts: z.object({
    name: z.string(),
    state: z.enum(companyStates),
    days: z.int().nullable().meta({ description: 'Days to pay; null if it pays when it orders' }),
    limit: cents,
    owner: cents,
    buyer: cents,
    customer: z.string().nullable().meta({ description: 'Its customer ID at Resolve' }),
    list: z.string().nullable().meta({ description: 'Its own price list' }),
    packets: z.boolean(),
  }),
})

/** Tax exemption certificates. */
export const certificateActions = defineActions({
  resource: 'certificates',
  noun: 'certificate',
  permission: 'certificates.decide',
  actions: {
    decide: formAction(
      { summary: 'Accept or decline a tax exemption certificate', form: certificateForm },
      ({ app, by, id }, { answer }) => decideExemption(app, { id, isAccepted: answer === 'accept', by }),
    ),
  },
  refusals: { 'not-waiting': 'Another team member already reviewed this certificate.' },
})
