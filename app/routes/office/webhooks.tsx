import { ListPage } from '#app/office/list-page.tsx'
import { webhooks } from '#app/office/lists/webhooks.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { replayAsStaff } from '#domain/webhooks/webhooks.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/webhooks.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Webhooks', officePaths.officeWebhooks())

export async function loader(args: Route.LoaderArgs) {
  return { data: await readList(args, webhooks), isDone: args.url.searchParams.get('done') === 'replayed' }
}

/** Sends a dead letter again. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor: by } = await requireStaff(context, 'webhooks.replay', officePaths.officeWebhooks())
  const fields = await readForm(request)
  const asked = fields.get('delivery') ?? ''
  const deliveryId = /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : 0
  const replayed = await replayAsStaff(shop, { deliveryId, by })
  if (replayed.ok) return seeOther(officePaths.officeWebhooks({ done: 'replayed' }))
  return refuseForm(formRefusal(fields, refusals[replayed.reason]), replayed.reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role does not allow that. Nothing was changed.',
  'not-known': 'There is no such dead letter.',
  'not-dead': 'It was sent again already.',
  paused: 'The webhook is paused. Its owner can resume it.',
} as const

export default function OfficeWebhooks({ loaderData: { data, isDone }, actionData: reply }: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      before={
        <>
          {reply ? <Notice tone="stop" title={reply.formError ?? 'Nothing was changed.'} isNews /> : null}
          {isDone && !reply ? <Notice tone="go" title="Delivery started again." isNews /> : null}
        </>
      }
      render={{
        act: ({ id, label, cells }) =>
          cells['act'] ? (
            <form method="post">
              <input type="hidden" name="delivery" value={id} />
              <button className="btn" aria-label={`Send ${label} again`}>
                Send again
              </button>
            </form>
          ) : null,
      }}
    />
  )
}
