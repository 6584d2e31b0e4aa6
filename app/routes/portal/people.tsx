import { data } from 'react-router'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { ShopTabs } from '#app/ui/portal/shop-tabs.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { shopRoleNames, type ShopRole } from '#domain/scheduling/installers/installers.ts'
import { inviteForm, memberForm } from '#domain/installer-portal/portal/portal.ts'
import {
  changeRole,
  endMember,
  invitePerson,
  listPeople,
  type PeopleRefusal,
} from '#domain/installer-portal/portal/portal.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import type { Route } from './+types/people.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'People', portalPaths.portal())

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const at = await requireShop(context, 'people.edit', { shopCode, path: portalPaths.people(shopCode) })
  const { app, place } = at
  const { people, events } = await listPeople(app, place.shopId)
  return {
    people: people.map((person) => ({ ...person, isMe: person.id === place.memberId })),
    events: events.map(({ at: when, who, about, act, note }) => {
      const day = dateText(when.toZonedDateTimeISO(place.timeZone).toPlainDate().toString())
      const role = shopRoleNames[note as ShopRole]?.toLowerCase() ?? note
      const whom = about ?? 'Somebody'
      const words =
        act === 'invited' ? `${whom} invited as ${role}` : act === 'role' ? `${whom} now ${role}` : `${whom} ended`
      return `${day}: ${words}${who ? `, by ${who}` : ''}`
    }),
    done: doneWords[url.searchParams.get('done') ?? ''] ?? null,
  }
}

const doneWords: Partial<Record<string, string>> = {
  invited: 'Invited. They have an email, and sign in with that address.',
  role: 'Role changed. The change applies immediately.',
  ended: 'Ended. They can no longer open this shop.',
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const at = await requireShop(context, 'people.edit', { shopCode, path: portalPaths.people(shopCode) })
  const { app, actor } = at
  const fields = await readForm(request)
  const settle = (saved: { ok: true } | PeopleRefusal, done: string) => {
    if (saved.ok) return seeOther(portalPaths.people(shopCode, done))
    const { message, field, status } = refusals[saved.reason]
    return refuseForm(formRefusal(fields, message, field ? { [field]: message } : {}), status)
  }
  const intent = fields.get('intent')
  if (intent === 'invite') {
    const checked = checkForm(inviteForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    return settle(await invitePerson(app, actor, checked.value), 'invited')
  }
  if (intent !== 'role' && intent !== 'end') throw data(null, { status: 400 })
  const checked = memberForm.safeParse(Object.fromEntries(fields))
  if (!checked.success) return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const { member: memberId, role } = checked.data
  if (intent === 'end') return settle(await endMember(app, actor, memberId), 'ended')
  if (!role) return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  return settle(await changeRole(app, actor, { memberId, role }), 'role')
}

const refusals: Record<PeopleRefusal['reason'], { message: string; field?: string; status: number }> = {
  'not-allowed': { message: 'You no longer have permission to do this.', status: 403 },
  'already-member': { message: 'This person works at the shop already.', field: 'email', status: 422 },
  'too-many': {
    message: 'You’ve reached the limit. Try again tomorrow, or remove a team member first.',
    status: 409,
  },
  'not-found': { message: 'This person does not work at the shop.', status: 404 },
  'last-owner': { message: 'A shop needs at least one owner. Make another team member an owner first.', status: 409 },
}

export default function People({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { people, events, done } = loaderData
  return (
    <div className="wrap portal narrow">
      <ShopTabs at="people" />
      <h1>People</h1>
      <p className="muted">Owners change the shop and see its pay. Technicians work on its jobs.</p>
      {done && !reply ? (
        <p className="portal-news" role="status">
          {done}
        </p>
      ) : null}
      <ErrorSummary reply={reply} labels={{ email: 'Email', name: 'Name', role: 'Role' }} />
      <ul className="portal-people">
        {people.map(({ id, name, email, role, isBound, isMe }) => (
          <li key={id}>
            <div>
              <b>
                {name}
                {isMe ? ' (you)' : ''}
              </b>
              <span>{email}</span>
              <span>
                {shopRoleNames[role]}
                {isBound ? '' : ' · has not signed in yet'}
              </span>
            </div>
            <form method="post">
              <input type="hidden" name="member" value={id} />
              <input type="hidden" name="role" value={role === 'owner' ? 'technician' : 'owner'} />
              <button className="btn" name="intent" value="role" aria-label={`Make ${other(role)}: ${name}`}>
                Make {other(role)}
              </button>
              <button className="btn" name="intent" value="end" aria-label={`Remove ${name}`}>
                Remove
              </button>
            </form>
          </li>
        ))}
      </ul>
      <section className="portal-section">
        <h2>Invite a team member</h2>
        <form method="post" className="portal-form" noValidate>
          <Field name="name" label="Name" reply={reply} maxLength={60} autoComplete="off" />
          <Field
            name="email"
            label="Email"
            reply={reply}
            type="email"
            maxLength={254}
            autoComplete="off"
            hint="They sign in with this address."
          />
          <SelectField name="role" label="Role" reply={reply} value="technician">
            <option value="technician">Technician</option>
            <option value="owner">Owner</option>
          </SelectField>
          <button className="btn primary large wide" name="intent" value="invite">
            Send the invitation
          </button>
        </form>
      </section>
      {events.length > 0 ? (
        <details className="portal-section">
          <summary>History</summary>
          <ul className="portal-events">
            {events.map((words, index) => (
              <li key={`${index} ${words}`}>{words}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  )
}

function other(role: ShopRole): string {
  return role === 'owner' ? 'technician' : 'owner'
}
