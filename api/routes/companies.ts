/** Whom an account buys for: the company, applying for it, coming in by mail domain and leaving. */
import { signedInOf } from '#api/caller.ts'
import { company, companyView, ownCompany, poRule } from '#api/companies.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { bodyOf } from '#api/schemas.ts'
import { applicationForm, companyRefusals, poRuleForm } from '#domain/companies/companies.ts'
import {
  applyForCompany,
  changePoRule,
  findCompanyOfMail,
  findMembership,
  joinByMail,
  leaveCompany,
} from '#domain/companies/companies.server.ts'

/** The calls about the company itself, in the order of the document. */
export const companyOperations = [
  operation({
    id: 'readCompany',
    method: 'get',
    path: '/company',
    area: 'Companies',
    summary: 'Get the company',
    description:
      'How its application stands, and, once it is approved, what the account is in it and on which terms it buys.',
    audience: 'account',
    result: company,
    async handle({ shop, caller }) {
      return answer(await companyView(shop, await signedInOf(caller)))
    },
  }),
  operation({
    id: 'applyForCompany',
    method: 'post',
    path: '/company/application',
    area: 'Companies',
    summary: 'Apply for a company account',
    description:
      'The account is its owner, and hears by mail what was decided. A company that was refused may apply again.',
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf(applicationForm.shape).meta({
      examples: [
        { kind: 'fleet', name: 'Acme Plumbing', phone: '(312) 555-0142', vehicles: 12, about: 'Vans, mostly.' },
      ],
    }),
    result: company,
    refuses: ['AlreadyThere'],
    async handle({ shop, caller, body }) {
      const { ssoUid: _, ...application } = body
      const person = await signedInOf(caller)
      const applied = await applyForCompany(shop, person.accountId, application)
      return applied.ok
        ? answer(await companyView(shop, person))
        : problem('AlreadyThere', companyRefusals.apply[applied.reason])
    },
  }),
  operation({
    id: 'setPoRule',
    method: 'put',
    path: '/company/po-rule',
    area: 'Companies',
    summary: 'Set the company’s PO number rule',
    description: 'Owners do. A mask has # for a digit, ? for a letter, * for either, and all else for itself.',
    audience: 'account',
    body: bodyOf({ rule: poRuleForm.shape.rule, mask: poRuleForm.shape.mask.nullable() }).meta({
      examples: [{ rule: 'required', mask: 'PO-#####' }],
    }),
    result: poRule,
    refuses: ['NoCompany'],
    async handle({ shop, caller, body: { rule, mask } }) {
      const own = await ownCompany(shop, caller)
      if (!own.ok) return own
      const changed = await changePoRule(shop, own.person.accountId, { rule, mask })
      return changed.ok ? answer({ rule, mask }) : problem('Forbidden', companyRefusals.poRule[changed.reason])
    },
  }),
  operation({
    id: 'joinCompany',
    method: 'post',
    path: '/company/membership',
    area: 'Companies',
    summary: 'Join a company by email domain',
    description: 'For who has a verified email at a domain of a company: `GET /company` says so as `offer`.',
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    result: company,
    refuses: ['AlreadyThere', 'Gone'],
    async handle({ shop, caller }) {
      const person = await signedInOf(caller)
      const joined = await joinByMail(shop, person)
      if (joined.ok) return answer(await companyView(shop, person))
      if (joined.reason === 'gone') return problem('Gone', companyRefusals.join.gone)
      // Sent twice: they are where they wanted to be.
      const [own, offer] = await Promise.all([findMembership(shop, person.accountId), findCompanyOfMail(shop, person)])
      return own && own.company.id === offer?.id
        ? answer(await companyView(shop, person))
        : problem('AlreadyThere', companyRefusals.join[joined.reason])
    },
  }),
  operation({
    id: 'leaveCompany',
    method: 'delete',
    path: '/company/membership',
    area: 'Companies',
    summary: 'Leave the company',
    description:
      'Orders that were placed for it stay with it. An application that nobody stands behind any more is forgotten.',
    audience: 'account',
    status: 204,
    refuses: ['NoCompany', 'LastOwner'],
    async handle({ shop, caller }) {
      const left = await leaveCompany(shop, (await signedInOf(caller)).accountId)
      if (left.ok) return answer(null)
      return left.reason === 'last-owner'
        ? problem('LastOwner', companyRefusals.leave[left.reason])
        : problem('NoCompany')
    },
  }),
]
