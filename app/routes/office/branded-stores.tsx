import { ListPage } from '#app/office/list-page.tsx'
import { brandedStores } from '#app/office/lists/branded-stores.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { installerIdOf } from '#domain/branded-stores/branded-stores.ts'
import { switchStore, type SwitchRefusal } from '#domain/branded-stores/branded-stores.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/branded-stores.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Branded stores', officePaths.officeBrandedStores())

const news: Readonly<Record<string, string>> = {
  on: 'Switched on. Its links open it from now on.',
  off: 'Switched off. Its links open our own store from now on.',
}

export async function loader(args: Route.LoaderArgs) {
  return { data: await readList(args, brandedStores), news: news[args.url.searchParams.get('done') ?? ''] ?? null }
}

/** Switches a store on, or off with a reason. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'branded-stores.decide', officePaths.officeBrandedStores())
  const fields = await readForm(request)
  const intent = fields.get('intent')
  const shopCode = installerIdOf(fields.get('shop') ?? '')
  const seen = /^\d{1,9}$/.exec(fields.get('seen') ?? '')?.[0]
  if ((intent !== 'on' && intent !== 'off') || shopCode === undefined || seen === undefined)
    return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const offReason = intent === 'off' ? (fields.get('reason') ?? '') : null
  const switched = await switchStore(shop, { shopCode, seen: Number(seen), offReason, by: actor })
  if (switched.ok) return seeOther(officePaths.officeBrandedStores({ state: intent, done: intent }))
  return refuseForm(formRefusal(fields, refusals[switched.reason]), statusOf(switched.reason))
}

function statusOf(reason: SwitchRefusal['reason']): 403 | 409 | 422 {
  return reason === 'not-allowed' ? 403 : reason === 'no-reason' ? 422 : 409
}

const refusals: Readonly<Record<SwitchRefusal['reason'], string>> = {
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  'no-store': 'This shop has no store.',
  'changed-meanwhile': 'The shop changed its store in the meantime. Look at it again.',
  'shop-not-offered': 'This shop is not offered to shoppers, so its store stays off.',
  'no-reason': 'Enter why it is switched off: the shop reads it.',
}

export default function BrandedStoresPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { data, news: done } = loaderData
  return (
    <ListPage
      data={data}
      before={
        <>
          {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
          {reply ? <Notice tone="stop" title={reply.formError ?? 'Nothing was changed.'} isNews /> : null}
        </>
      }
      render={{
        logo: ({ cells: { logo } }) => (typeof logo === 'string' ? <img src={logo} alt="" height={32} /> : null),
        act: ({ id, cells: { act } }) =>
          typeof act === 'object' && act ? <Switch shop={id} seen={Number(act.text)} isOn={act.note === 'on'} /> : null,
      }}
    />
  )
}

function Switch({ shop, seen, isOn }: { shop: string; seen: number; isOn: boolean }) {
  return (
    <form method="post" className="row nowrap">
      <input type="hidden" name="shop" value={shop} />
      <input type="hidden" name="seen" value={seen} />
      {isOn ? null : (
        <button className="btn" name="intent" value="on">
          Switch on
        </button>
      )}
      <input className="input" name="reason" aria-label={`Why the store of ${shop} is switched off`} maxLength={500} />
      <button className="btn stop" name="intent" value="off">
        {isOn ? 'Switch off' : 'Refuse'}
      </button>
    </form>
  )
}
