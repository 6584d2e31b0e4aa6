/** Operations to apply for, join by email domain, and leave the company an account buys for. */
import { signedInOf } from '#api/caller.ts'
import { company, companyView, ownCompany, poRule } from '#api/companies.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { bodyOf } from '#api/schemas.ts'
import { applicationForm, companyRefusals, poRuleForm } from '#domain/customers/companies/companies.ts'
import {
  applyForCompany,
  changePoRule,
  findCompanyOfMail,
  findMembership,
  joinByMail,
  leaveCompany,
} from '#domain/customers/companies/companies.server.ts'

/** Operations on the company itself, in document order. */
export const companyOperations = [
  operation({
    id: 'readCompany',
    method: 'get',
    path: '/company',
    area: 'Companies',
    summary: 'Get the company',
    description:
      'Returns the status of the application and, once approved, the account’s role in the company and the company’s payment terms.',
    audience: 'account',
    result: company,
    async handle({ app, caller }) {
      return answer(await companyView(app, await signedInOf(caller)))
    },
  }),
  operation({
    id: 'applyForCompany',
    method: 'post',
    path: '/company/application',
    area: 'Companies',
    summary: 'Apply for a company account',
    description:
      'The account becomes the company’s owner and is emailed the decision. A company that was turned down may apply again.',
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
    async handle({ app, caller, body }) {
      const { ssoUid: _, ...application } = body
      const person = await signedInOf(caller)
      const applied = await applyForCompany(app, person.accountId, application)
      return applied.ok
        ? answer(await companyView(app, person))
        : problem('AlreadyThere', companyRefusals.apply[applied.reason])
    },
  }),
  operation({
    id: 'setPoRule',
    method: 'put',
    path: '/company/po-rule',
    area: 'Companies',
    summary: 'Set the company’s PO number rule',
    description:
      'For owners. In a mask, # stands for a digit, ? for a letter and * for either; any other character stands for itself.',
    audience: 'account',
    body: bodyOf({ rule: poRuleForm.shape.rule, mask: poRuleForm.shape.mask.nullable() }).meta({
      examples: [{ rule: 'required', mask: 'PO-#####' }],
    }),
    result: poRule,
    refuses: ['NoCompany'],
    async handle({ app, caller, body: { rule, mask } }) {
      const own = await ownCompany(app, caller)
      if (!own.ok) return own
      const changed = await changePoRule(app, own.person.accountId, { rule, mask })
      return changed.ok ? answer({ rule, mask }) : problem('Forbidden', companyRefusals.poRule[changed.reason])
    },
  }),
  operation({
    id: 'joinCompany',
    method: 'post',
    path: '/company/membership',
    area: 'Companies',
    summary: 'Join a company by email domain',
    description: 'Requires a verified email at a company’s domain. `GET /company` then returns the company as `offer`.',
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    result: company,
    refuses: ['AlreadyThere', 'Gone'],
    async handle({ app, caller }) {
      const person = await signedInOf(caller)
      const joined = await joinByMail(app, person)
      if (joined.ok) return answer(await companyView(app, person))
      if (joined.reason === 'gone') return problem('Gone', companyRefusals.join.gone)
      // Repeated request. The account is already a member.
      const [own, offer] = await Promise.all([findMembership(app, person.accountId), findCompanyOfMail(app, person)])
      return own && own.company.id === offer?.id
        ? answer(await companyView(app, person))
        : problem('AlreadyThere', companyRefusals.join[joined.reason])
    },
  }),
  operation({
    id: 'leaveCompany',
    method: 'delete',
    path: '/company/membership',
    area: 'Companies',
    summary: 'Leave the company',
    description: 'Orders placed for the company stay with it. An application without any members left is deleted.',
    audience: 'account',
    status: 204,
    refuses: ['NoCompany', 'LastOwner'],
    async handle({ app, caller }) {
      const left = await leaveCompany(app, (await signedInOf(caller)).accountId)
      if (left.ok) return answer(null)
      return left.reason === 'last-owner'
        ? problem('LastOwner', companyRefusals.leave[left.reason])
        : problem('NoCompany')
    },
  }),
]
