import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import type { FormField } from '#app/office/form-fields.tsx'
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { button, FormInputs, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Facts, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { digestQueues } from '#app/views/office/digest.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { readDigest, saveDigest } from '#domain/operations/queue-digests/queue-digests.server.ts'
import { digestForm } from '#domain/operations/queue-digests/queue-digests.ts'
import { saveShortcuts } from '#domain/kernel/staff/staff.server.ts'
import { staffRoleName } from '#domain/kernel/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { minuteText } from '#platform/time-text.ts'
import type { Route } from './+types/account.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Your account', officePaths.officeAccount())

const fieldOf = (slug: string) => `queue-${slug}`

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'office.open', officePaths.officeAccount())
  const digest = await readDigest(app, session)
  return {
    name: session.name,
    email: session.email,
    roles: session.roles.map(staffRoleName).join(', '),
    security: app.identity?.profilePage('security', `${app.config.web.origin}${officePaths.officeAccount()}`) ?? null,
    hasShortcuts: session.hasShortcuts,
    hour: digest?.hour ?? null,
    queues: digestQueues(session.roles).map(({ slug, title }) => ({
      name: fieldOf(slug),
      title,
      isIn: digest?.except.includes(slug) !== true,
    })),
    isSaved: url.searchParams.get('done') === 'saved',
  }
}

/** `keys` turns single-key shortcuts on or off. The other button saves the daily email's hour and its task lists. */
export async function action({ request, context }: Route.ActionArgs) {
  const { app, session, actor } = await requireStaff(context, 'office.open', officePaths.officeAccount())
  const { issuer, subject } = session
  const fields = await readForm(request)
  if (fields.get('intent') === 'keys') {
    const kept = await saveShortcuts(app, actor, { issuer, subject, isOn: fields.has('shortcuts') })
    return kept.ok ? seeOther(officePaths.officeAccount('saved')) : refuseForm(formRefusal(fields, notAllowed), 403)
  }
  const checked = checkForm(digestForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const except = digestQueues(session.roles).flatMap(({ slug }) => (fields.has(fieldOf(slug)) ? [] : [slug]))
  const saved = await saveDigest(app, actor, { issuer, subject, hour: checked.value.hour, except })
  if (!saved.ok) return refuseForm(formRefusal(fields, notAllowed), 403)
  return seeOther(officePaths.officeAccount('saved'))
}

const notAllowed = 'You no longer have permission to do this.'

const hours: FieldOptions = [
  ['off', 'Off'],
  ...Array.from({ length: 24 }, (_, hour): [string, string] => [`${hour}`, `${minuteText(hour * 60)} ET`]),
]

export default function OfficeAccount({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, email, roles, security, hasShortcuts: isWithKeys, hour, queues, isSaved } = loaderData
  const ticks = queues.map(({ name: field, title, isIn }): [string, FormField] => [
    field,
    { kind: 'tick', label: title, isTicked: isIn },
  ])
  return (
    <OfficePage title="Your account">
      {isSaved && !reply ? <Notice tone="go" title="Saved." isNews /> : null}
      <Panel id="you" title="Sign-in">
        <PanelBody>
          <div className="stack">
            <Facts
              facts={[
                { label: 'Name', value: name ?? 'Not given' },
                { label: 'Email', value: email },
                { label: 'Roles', value: roles },
              ]}
            />
            <p className="office-note">
              Your sign-in provider manages your password, passkeys, and second factor.{' '}
              {security ? <a href={security}>Change how you sign in</a> : null}
            </p>
          </div>
        </PanelBody>
      </Panel>
      <FormPanel
        id="digest"
        title="Daily email"
        lead={`sent to ${email}`}
        text="Lists with open tasks, each with its count and oldest task. We don’t send an email on days without open tasks."
        reply={reply}
        fields={{
          hour: { kind: 'choice', label: 'Time', options: hours, value: hour === null ? 'off' : `${hour}` },
          queues: (
            <fieldset className="office-ticks">
              <legend>Lists</legend>
              <FormInputs fields={Object.fromEntries(ticks)} reply={reply} />
            </fieldset>
          ),
        }}
        buttons={[button('', 'Save', 'primary')]}
      />
      <FormPanel
        id="keyboard"
        title="Keyboard"
        text="Turn these off if another tool on your computer types or reads single keys. Ctrl K works either way."
        reply={reply}
        fields={{
          shortcuts: { kind: 'tick', label: 'Use single keys as shortcuts, such as J and K', isTicked: isWithKeys },
        }}
        buttons={[button('keys', 'Save', 'quiet', { name: 'Save keyboard' })]}
      />
    </OfficePage>
  )
}
