/** A company's members, their roles, and invitations. */
import { z } from 'zod'
import { signedInOf } from '#api/caller.ts'
import { company, companyView, ownCompany, role } from '#api/companies.ts'
import { answer, operation } from '#api/operation.ts'
import { problem, type Problem } from '#api/problem.ts'
import { bodyOf, id, instant } from '#api/schemas.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import {
  companyCan,
  companyRefusals,
  invitationDays,
  invitationForm,
  invitationRefusalMessages,
} from '#domain/customers/companies/companies.ts'
import {
  acceptInvitation,
  changeRole,
  inviteMember,
  listMembers,
  removeMember,
  takeBackInvitation,
  type Invitation,
  type Member,
} from '#domain/customers/companies/companies.server.ts'
import { countOf } from '#platform/count-text.ts'

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

const ofMember = z.strictObject({ accountId: id })

/** Operations on members and invitations, in document order. */
export const companyMemberOperations = [
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
        .meta({ description: 'Open invitations, newest first; null unless the account is an owner' }),
    }),
    refuses: ['NoCompany'],
    async handle({ app, caller }) {
      const own = await ownCompany(app, caller)
      if (!own.ok) return own
      const { members, invitations } = await listMembers(app, own.company.id)
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
    description: `For owners. The link in the email works once, within ${countOf(invitationDays, 'day')}, for this address only; a new invitation replaces the previous one. Returns all open invitations, newest first.`,
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf(invitationForm.shape).meta({ examples: [{ email: 'colleague@example.com', role: 'buyer' }] }),
    result: z.array(invitation),
    refuses: ['NoCompany', 'AlreadyThere', 'TooManyAttempts'],
    async handle({ app, caller, body: { email, role: as } }) {
      const own = await ownCompany(app, caller)
      if (!own.ok) return own
      const invited = await inviteMember(app, own.person.accountId, { email, role: as })
      return invited.ok
        ? answer((await listMembers(app, own.company.id)).invitations.map(invitationView))
        : memberProblem(invited.reason)
    },
  }),
  operation({
    id: 'withdrawInvitation',
    method: 'delete',
    path: '/company/invitations/{invitationId}',
    area: 'Companies',
    summary: 'Withdraw an invitation',
    description: 'For owners.',
    audience: 'account',
    status: 204,
    params: z.strictObject({ invitationId: id }),
    refuses: ['NoCompany', 'NotYours'],
    async handle({ app, caller, params }) {
      const own = await ownCompany(app, caller)
      if (!own.ok) return own
      const taken = await takeBackInvitation(app, own.person.accountId, params.invitationId)
      return taken.ok ? answer(null) : memberProblem(taken.reason)
    },
  }),
  operation({
    id: 'acceptInvitation',
    method: 'post',
    path: '/company/invitations/accepted',
    area: 'Companies',
    summary: 'Accept a company invitation',
    description:
      'Requires a verified email at the address it was sent to. Repeating the request returns the same response.',
    audience: 'account',
    once: { isRequired: false, by: 'again' },
    body: bodyOf({
      key: z
        .string()
        .max(200)
        .meta({
          description: '`key` from the link in the email',
          examples: ['01937b5e-0000-7000-8000-000000000000.x'],
        }),
    }),
    result: company,
    refuses: ['AlreadyThere', 'Gone'],
    async handle({ app, caller, body: { key } }) {
      const person = await signedInOf(caller)
      const accepted = await acceptInvitation(app, person, key)
      if (accepted.ok) return answer(await companyView(app, person))
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
    description: 'For owners, including for themselves, as long as one owner remains. Returns all members.',
    audience: 'account',
    params: ofMember,
    body: bodyOf({ role: invitationForm.shape.role }).meta({ examples: [{ role: 'viewer' }] }),
    result: z.array(member),
    refuses: ['NoCompany', 'NotYours', 'LastOwner'],
    async handle({ app, caller, params, body }) {
      const own = await ownCompany(app, caller)
      if (!own.ok) return own
      const changed = await changeRole(app, own.person.accountId, { accountId: params.accountId, role: body.role })
      if (!changed.ok) return memberProblem(changed.reason)
      return answer((await listMembers(app, own.company.id)).members.map((each) => memberView(each, own.person)))
    },
  }),
  operation({
    id: 'removeMember',
    method: 'delete',
    path: '/company/members/{accountId}',
    area: 'Companies',
    summary: 'Remove a member',
    description: 'For owners. The account then pays the public price.',
    audience: 'account',
    status: 204,
    params: ofMember,
    refuses: ['NoCompany', 'NotYours', 'LastOwner'],
    async handle({ app, caller, params }) {
      const own = await ownCompany(app, caller)
      if (!own.ok) return own
      const removed = await removeMember(app, own.person.accountId, params.accountId)
      return removed.ok ? answer(null) : memberProblem(removed.reason)
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
  'own-limit': 'Forbidden',
} as const

function memberProblem<Reason extends keyof typeof memberCodes>(reason: Reason): Problem<(typeof memberCodes)[Reason]> {
  return problem(
    memberCodes[reason],
    companyRefusals.members[reason],
    reason === 'too-many' ? { headers: { 'retry-after': '86400' } } : {},
  )
}

function memberView({ accountId, name, email, role: of, joinedAt }: Member, by: SignedIn): z.input<typeof member> {
  return { accountId, name, email, role: of, joinedAt: joinedAt.toString(), isMe: accountId === by.accountId }
}

function invitationView({ expiresAt, ...found }: Invitation): z.input<typeof invitation> {
  return { ...found, expiresAt: expiresAt.toString() }
}
