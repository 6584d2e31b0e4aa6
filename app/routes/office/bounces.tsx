import { ListPage } from '#app/office/list-page.tsx'
import { bounces } from '#app/office/lists/support.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { clearBounce } from '#domain/messages/messages.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { readWhole } from '#app/views/office-message.server.ts'
import type { Route } from './+types/bounces.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Bounced email', officePaths.officeBounces())

export async function loader(args: Route.LoaderArgs) {
  return { data: await readList(args, bounces), isCleared: args.url.searchParams.get('done') === 'cleared' }
}

/** Notes that an address was checked; emails go to it again. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'requests.answer', officePaths.officeBounces())
  const fields = await readForm(request)
  const cleared = await clearBounce(shop, actor, readWhole(fields.get('id')) ?? 0)
  if (cleared.ok) return seeOther(officePaths.officeBounces('cleared'))
  return refuseForm(formRefusal(fields, refusals[cleared.reason]), cleared.reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role was revoked in the meantime. Nothing was changed.',
  gone: 'This address was checked in the meantime.',
} as const

export default function Bounces({ loaderData: { data, isCleared }, actionData }: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      before={
        <>
          {isCleared && !actionData ? <Notice tone="go" title="Emails go to that address again." isNews /> : null}
          {actionData?.formError ? <Notice tone="stop" title={actionData.formError} isNews /> : null}
        </>
      }
      render={{ act: ({ id, label }) => <ClearForm id={id} email={label} /> }}
    />
  )
}

function ClearForm({ id, email }: { id: string; email: string }) {
  return (
    <form method="post">
      <button className="btn quiet small" name="id" value={id} aria-label={`Send to ${email} again`}>
        Send again
      </button>
    </form>
  )
}
