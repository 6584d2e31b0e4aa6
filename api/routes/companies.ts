/** Whom an account buys for: applying, coming in and leaving, what owners run, and what is ordered and owed. */
import { z } from 'zod'
import { signedInOf } from '#api/caller.ts'
import { company, companyView, ownCompany, poRule, role } from '#api/companies.ts'
import { answer, operation } from '#api/operation.ts'
import { orderInList, orderInListView } from '#api/order-list.ts'
import { cursor, cursorAt, numberOf } from '#api/paging.ts'
import { problem, type Problem } from '#api/problem.ts'
import { bodyOf, cents, day, id, instant } from '#api/schemas.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import {
  applicationForm,
  companyCan,
  companyRefusals,
  invitationDays,
  invitationForm,
  invitationRefusalMessages,
  poRuleForm,
} from '#domain/companies/companies.ts'
import {
  acceptInvitation,
  applyForCompany,
  changePoRule,
  changeRole,
  findCompanyOfMail,
  findMembership,
  inviteMember,
  joinByMail,
  leaveCompany,
  listExemptions,
  listMembers,
  removeMember,
  takeBackInvitation,
  type Invitation,
  type Member,
} from '#domain/companies/companies.server.ts'
import { listInvoices, type ListedInvoice } from '#domain/invoices/invoices.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { listCompanyOrders } from '#domain/orders/orders.server.ts'

const member = z
  .strictObject({
    accountId: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role,
    joinedAt: instant,
    isMe: z.boolean(),
  })
  .meta({ id: 'CompanyMember' })

const invitation = z
  .strictObject({ id: z.string(), email: z.string(), role, expiresAt: instant })
  .meta({ id: 'CompanyInvitation' })

const invoice = z
  .strictObject({
    orderId: z.int(),
    orderNumber: z.string(),
    amountCents: cents,
    netDays: z.int(),
    issuedOn: day,
    dueOn: day,
    state: z.enum(['open', 'paid', 'canceled']),
    isOverdue: z.boolean(),
    poNumber: z.string().nullable(),
    settledAt: instant.nullable(),
  })
  .meta({ id: 'CompanyInvoice' })

const ofMember = z.strictObject({ accountId: id })
const paged = z.strictObject({ cursor: cursor.optional() })

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
  operation({
    id: 'listCompanyMembers',
    method: 'get',
    path: '/company/members',
    area: 'Companies',
    summary: 'List company members and invitations',
    audience: 'account',
    result: z.strictObject({
      members: z.array(member),
      invitations: z
        .array(invitation)
        .nullable()
        .meta({ description: 'Those that are open, the newest first; null for who is no owner' }),
    }),
    refuses: ['NoCompany'],
    async handle({ shop, caller }) {
      const own = await ownCompany(shop, caller)
      if (!own.ok) return own
      const { members, invitations } = await listMembers(shop, own.company.id)
      return answer({
        members: members.map((each) => memberView(each, own.person)),
        invitations: companyCan(own.role, 'manage') ? invitations.map(invitationView) : null,
      })
    },
  }),
  operation({
    id: 'inviteCompanyMember',
    method: 'post',
    path: '/company/invitations',
    area: 'Companies',
    summary: 'Invite a member',
    description: `Owners do. The link in the mail works once, within ${invitationDays} days, for this address; a new invitation takes the place of the one before. The answer has all that are open, the newest first.`,
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf(invitationForm.shape).meta({ examples: [{ email: 'colleague@example.com', role: 'buyer' }] }),
    result: z.array(invitation),
    refuses: ['NoCompany', 'AlreadyThere', 'TooManyAttempts'],
    async handle({ shop, caller, body: { email, role: as } }) {
      const own = await ownCompany(shop, caller)
      if (!own.ok) return own
      const invited = await inviteMember(shop, own.person.accountId, { email, role: as })
      return invited.ok
        ? answer((await listMembers(shop, own.company.id)).invitations.map(invitationView))
        : memberProblem(invited.reason)
    },
  }),
  operation({
    id: 'withdrawInvitation',
    method: 'delete',
    path: '/company/invitations/{invitationId}',
    area: 'Companies',
    summary: 'Withdraw an invitation',
    description: 'Owners do.',
    audience: 'account',
    status: 204,
    params: z.strictObject({ invitationId: id }),
    refuses: ['NoCompany', 'NotYours'],
    async handle({ shop, caller, params }) {
      const own = await ownCompany(shop, caller)
      if (!own.ok) return own
      const taken = await takeBackInvitation(shop, own.person.accountId, params.invitationId)
      return taken.ok ? answer(null) : memberProblem(taken.reason)
    },
  }),
  operation({
    id: 'acceptInvitation',
    method: 'post',
    path: '/company/invitations/accepted',
    area: 'Companies',
    summary: 'Accept a company invitation',
    description: 'For who has verified the address it was sent to. Sent again by who is in by it, it answers the same.',
    audience: 'account',
    once: { isRequired: false, by: 'again' },
    body: bodyOf({
      key: z
        .string()
        .max(200)
        .meta({ description: '`key` of the link in the mail', examples: ['01937b5e-0000-7000-8000-000000000000.x'] }),
    }),
    result: company,
    refuses: ['AlreadyThere', 'Gone'],
    async handle({ shop, caller, body: { key } }) {
      const person = await signedInOf(caller)
      const accepted = await acceptInvitation(shop, person, key)
      if (accepted.ok) return answer(await companyView(shop, person))
      const codes = { gone: 'Gone', 'in-a-company': 'AlreadyThere', 'other-address': 'Forbidden' } as const
      return problem(codes[accepted.reason], invitationRefusalMessages(accepted))
    },
  }),
  operation({
    id: 'setMemberRole',
    method: 'put',
    path: '/company/members/{accountId}/role',
    area: 'Companies',
    summary: 'Change a member’s role',
    description: 'Owners do, also to themselves, as long as one is left. The answer has all members.',
    audience: 'account',
    params: ofMember,
    body: bodyOf({ role: invitationForm.shape.role }).meta({ examples: [{ role: 'viewer' }] }),
    result: z.array(member),
    refuses: ['NoCompany', 'NotYours', 'LastOwner'],
    async handle({ shop, caller, params, body }) {
      const own = await ownCompany(shop, caller)
      if (!own.ok) return own
      const changed = await changeRole(shop, own.person.accountId, { accountId: params.accountId, role: body.role })
      if (!changed.ok) return memberProblem(changed.reason)
      return answer((await listMembers(shop, own.company.id)).members.map((each) => memberView(each, own.person)))
    },
  }),
  operation({
    id: 'removeMember',
    method: 'delete',
    path: '/company/members/{accountId}',
    area: 'Companies',
    summary: 'Remove a member',
    description: 'Owners do. Whoever is out buys at the price everybody sees.',
    audience: 'account',
    status: 204,
    params: ofMember,
    refuses: ['NoCompany', 'NotYours', 'LastOwner'],
    async handle({ shop, caller, params }) {
      const own = await ownCompany(shop, caller)
      if (!own.ok) return own
      const removed = await removeMember(shop, own.person.accountId, params.accountId)
      return removed.ok ? answer(null) : memberProblem(removed.reason)
    },
  }),
  operation({
    id: 'listCompanyOrders',
    method: 'get',
    path: '/company/orders',
    area: 'Companies',
    summary: 'List company orders',
    description: 'Owners and viewers see every order, buyers their own.',
    audience: 'account',
    query: paged,
    result: z.strictObject({
      orders: z.array(
        z.strictObject({ ...orderInList.shape, poNumber: z.string().nullable(), placedBy: z.string().nullable() }),
      ),
      next: z.string().nullable(),
    }),
    refuses: ['NoCompany'],
    async handle({ shop, caller, query }) {
      const own = await ownCompany(shop, caller)
      if (!own.ok) return own
      const asked = {
        companyId: own.company.id,
        accountId: companyCan(own.role, 'see-all-orders') ? null : own.person.accountId,
      }
      const before = numberOf(query.cursor, asked)
      if (!before.ok) return before
      const { orders, hasMore } = await listCompanyOrders(shop, asked, before.value)
      const last = orders.at(-1)
      return answer({
        orders: orders.map((each) => ({ ...orderInListView(each), poNumber: each.poNumber, placedBy: each.placedBy })),
        next: last && hasMore ? cursorAt(String(last.id), asked) : null,
      })
    },
  }),
  operation({
    id: 'listCompanyInvoices',
    method: 'get',
    path: '/company/invoices',
    area: 'Companies',
    summary: 'List company invoices',
    description:
      'For owners and viewers. Those that are open come first, by the day they are due, then the others, the newest first.',
    audience: 'account',
    query: paged,
    result: z.strictObject({ invoices: z.array(invoice), next: z.string().nullable() }),
    refuses: ['NoCompany'],
    async handle({ shop, caller, query }) {
      const own = await ownCompany(shop, caller)
      if (!own.ok) return own
      if (!companyCan(own.role, 'see-all-orders'))
        return problem('Forbidden', 'Owners and viewers of the company see its invoices.')
      const asked = { invoicesOf: own.company.id }
      const at = numberOf(query.cursor, asked)
      if (!at.ok) return at
      // Invoices are few and move when they are paid: they are read by the page.
      const page = at.value ?? 1
      const { invoices, hasMore } = await listInvoices(shop, own.company.id, page)
      return answer({ invoices: invoices.map(invoiceView), next: hasMore ? cursorAt(String(page + 1), asked) : null })
    },
  }),
  operation({
    id: 'listExemptions',
    method: 'get',
    path: '/company/exemptions',
    area: 'Companies',
    summary: 'List tax exemption certificates',
    description:
      'Orders that go to the state of one that is accepted and has not expired are free of sales tax. A certificate is a file, and is sent on the page of the company.',
    audience: 'account',
    result: z.array(
      z.strictObject({
        id: z.string(),
        state: z.string(),
        number: z.string(),
        expiresOn: day,
        status: z.enum(['waiting', 'accepted', 'refused']),
      }),
    ),
    refuses: ['NoCompany'],
    async handle({ shop, caller }) {
      const own = await ownCompany(shop, caller)
      if (!own.ok) return own
      const exemptions = await listExemptions(shop, own.company.id)
      return answer(exemptions.map((each) => ({ ...each, expiresOn: each.expiresOn.toString() })))
    },
  }),
]

const memberCodes = {
  'not-allowed': 'Forbidden',
  'member-already': 'AlreadyThere',
  'too-many': 'TooManyAttempts',
  gone: 'NotYours',
  'member-not-found': 'NotYours',
  'last-owner': 'LastOwner',
} as const

function memberProblem<Reason extends keyof typeof memberCodes>(reason: Reason): Problem<(typeof memberCodes)[Reason]> {
  return problem(
    memberCodes[reason],
    companyRefusals.members[reason],
    reason === 'too-many' ? { headers: { 'retry-after': '86400' } } : {},
  )
}

function memberView({ joinedAt, ...found }: Member, { accountId }: SignedIn): z.input<typeof member> {
  return { ...found, joinedAt: joinedAt.toString(), isMe: found.accountId === accountId }
}

function invitationView({ expiresAt, ...found }: Invitation): z.input<typeof invitation> {
  return { ...found, expiresAt: expiresAt.toString() }
}

function invoiceView({ orderId, settledAt, ...found }: ListedInvoice): z.input<typeof invoice> {
  return { orderId, orderNumber: orderNumber(orderId), ...found, settledAt: settledAt?.toString() ?? null }
}
