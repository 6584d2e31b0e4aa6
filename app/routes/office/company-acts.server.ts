/** The forms of a company's office page, one per intent. */
import { checkForm, formRefusal, refuseForm } from '#app/forms/form.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  brandsForm,
  companyListForm,
  certificateForm,
  decisionForm,
  domainForm,
  fleetPacketForm,
  memberLimitForm,
  paymentForm,
  resolveCustomerForm,
  roleLimitsForm,
  termsForm,
} from '#domain/companies/companies.ts'
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
} from '#domain/companies/companies.server.ts'
import { recordInvoicePaid } from '#domain/invoices/invoices.server.ts'
import type { Actor } from '#domain/staff/staff.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { formatCents } from '#platform/money.ts'
import type { Shop } from '#shop'

type Posted = { id: string; fields: URLSearchParams; by: Actor }
type Act = (shop: Shop, posted: Posted) => Promise<ReturnType<typeof refuseForm> | Response>

/** Does what the posted form asks for, and leads back to the page; or returns the form with what is wrong. */
export function actOnCompany(shop: Shop, posted: Posted): ReturnType<Act> {
  const act = acts[posted.fields.get('intent') ?? '']
  return act
    ? act(shop, posted)
    : Promise.resolve(refuseForm(formRefusal(posted.fields, technicalMessages.tryAgain), 400))
}

const acts: Readonly<Record<string, Act>> = {
  async decide(shop, { id, fields, by }) {
    const checked = checkForm(decisionForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const { decision } = checked.value
    const decided = await decideCompany(shop, { id, decision, by })
    return decided.ok ? seeOther(officePaths.officeCompany(id, decision)) : refusal(fields, decided.reason)
  },

  async terms(shop, { id, fields, by }) {
    const checked = checkForm(termsForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const set = await setTerms(shop, { id, terms: checked.value, by })
    return set.ok ? seeOther(officePaths.officeCompany(id, 'terms')) : refusal(fields, set.reason)
  },

  async limits(shop, { id, fields, by }) {
    const checked = checkForm(roleLimitsForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const set = await setRoleLimits(shop, { staff: by, companyId: id }, checked.value)
    return set.ok ? seeOther(officePaths.officeCompany(id, 'limits')) : refusal(fields, set.reason)
  },

  async member(shop, { id, fields, by }) {
    const checked = checkForm(memberLimitForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const set = await setMemberLimit(shop, { staff: by, companyId: id }, checked.value)
    return set.ok ? seeOther(officePaths.officeCompany(id, 'limits')) : refusal(fields, set.reason)
  },

  async resolve(shop, { id, fields, by }) {
    const checked = checkForm(resolveCustomerForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const set = await setResolveCustomer(shop, { id, customerId: checked.value.customer, by })
    if (set.ok) return seeOther(officePaths.officeCompany(id, 'resolve'))
    return set.reason === 'linked-elsewhere'
      ? refuseForm(formRefusal(fields, 'Fix 1 field:', { customer: 'Another company has that customer ID.' }), 409)
      : refusal(fields, set.reason)
  },

  async 'price-list'(shop, { id, fields, by }) {
    const checked = checkForm(companyListForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const set = await setCompanyPriceList(shop, { id, slug: checked.value.list, by })
    if (set.ok) return seeOther(officePaths.officeCompany(id, 'price-list'))
    return set.reason === 'no-such-list'
      ? refuseForm(formRefusal(fields, 'Fix 1 field:', { list: 'There is no such price list.' }))
      : refusal(fields, set.reason)
  },

  async 'fleet-packets'(shop, { id, fields, by }) {
    const checked = checkForm(fleetPacketForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const set = await setFleetPackets(shop, { id, hasFleetPackets: checked.value.packets, by })
    return set.ok ? seeOther(officePaths.officeCompany(id, 'fleet-packets')) : refusal(fields, set.reason)
  },

  async domain(shop, { id, fields, by }) {
    const checked = checkForm(domainForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const added = await addDomain(shop, { id, ...checked.value, by })
    if (added.ok) return seeOther(officePaths.officeCompany(id, 'domain'))
    return added.reason === 'not-allowed'
      ? refusal(fields, added.reason)
      : refuseForm(formRefusal(fields, 'Fix 1 field:', { domain: domainRefusals[added.reason] }))
  },

  async brands(shop, { id, fields, by }) {
    const checked = checkForm(brandsForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const set = await setBrands(shop, { of: 'company', id }, { slugs: checked.value.brands, by })
    if (set.ok) return seeOther(officePaths.officeCompany(id, 'brands'))
    return set.reason === 'not-allowed'
      ? refusal(fields, set.reason)
      : refuseForm(
          formRefusal(fields, 'Fix 1 field:', { brands: `We sell no brand called ${set.detail.slugs.join(', ')}.` }),
        )
  },

  async payment(shop, { id, fields, by }) {
    const checked = checkForm(paymentForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const { order, amount, reference } = checked.value
    const recorded = await recordInvoicePaid(shop, { orderId: order, companyId: id, cents: amount, reference, by })
    if (recorded.ok) return seeOther(`${officePaths.officeCompany(id, 'payment')}#invoices`)
    switch (recorded.reason) {
      case 'too-much':
        return refuseForm(
          formRefusal(fields, 'Fix 1 field:', {
            amount: `Only ${formatCents(recorded.detail.leftCents)} of this invoice is left to pay.`,
          }),
        )
      case 'recorded-already':
        return refuseForm(
          formRefusal(fields, 'Fix 1 field:', { reference: 'This invoice already has a payment with this number.' }),
          409,
        )
      default:
        return refusal(fields, recorded.reason)
    }
  },

  async certificate(shop, { id, fields, by }) {
    const checked = checkForm(certificateForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const { certificate, answer } = checked.value
    const decided = await decideExemption(shop, { id: certificate, isAccepted: answer === 'accept', by })
    return decided.ok
      ? seeOther(`${officePaths.officeCompany(id, 'certificate')}#certificates`)
      : refusal(fields, decided.reason)
  },
}

const domainRefusals = {
  'free-mail': 'Anyone can get a mailbox there.',
  'no-domain': 'Enter a domain, such as acme.com.',
  taken: 'That domain belongs to another company.',
} as const

const refusals = {
  'not-allowed': 'Your role does not allow that. Nothing was changed.',
  'other-state': 'A colleague decided on this company in the meantime. Nothing was changed.',
  'company-not-found': 'There is no such company.',
  'member-not-found': 'There is no such member any more.',
  'own-limit': 'Nobody raises their own limit.',
  'has-no-list': 'Only an approved company has a price list of its own.',
  'not-approved': 'Only an approved company has terms.',
  'not-open': 'That invoice is paid or canceled. Nothing was recorded.',
  'not-waiting': 'That certificate was decided in the meantime. Nothing was changed.',
} as const

function refusal(fields: URLSearchParams, reason: keyof typeof refusals) {
  return refuseForm(formRefusal(fields, refusals[reason]), reason === 'not-allowed' ? 403 : 409)
}
