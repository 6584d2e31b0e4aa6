import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { openShop, readSetUp } from '#domain/installer-portal/portal/portal.server.ts'
import { selectAccount } from '#domain/installer-portal/payouts/payouts.server.ts'
import {
  missingSteps,
  portalCan,
  setUpStepNames,
  setUpSteps,
  type SetUp,
  type SetUpStep,
} from '#domain/installer-portal/portal/portal.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/set-up.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Set-up', portalPaths.portal())

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const path = portalPaths.setUp(shopCode)
  const { app, place } = await requireShop(context, 'set-up.read', { shopCode, path })
  const setUp = await readSetUp(app, place)
  if (setUp.isOpen) throw seeOther(portalPaths.day(shopCode))
  const missing = missingSteps(setUp)
  const account = await selectAccount(app.db, { shopId: place.shopId })
  return {
    shopCode,
    shopName: place.shopName,
    isSaved: url.searchParams.get('done') === 'saved',
    isOwner: portalCan(place.role, 'set-up.edit'),
    missing: missing.length,
    hasBank: account?.state === 'ready',
    steps: setUpSteps.map((step) => ({ step, isDone: !missing.includes(step), words: wordsOf(step, setUp) })),
  }
}

/** Opens the shop. */
export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const path = portalPaths.setUp(shopCode)
  const { app, place, actor } = await requireShop(context, 'shop.open', { shopCode, path })
  const fields = await readForm(request)
  const opened = await openShop(app, actor, place.timeZone)
  if (opened.ok || opened.reason === 'open-already') {
    if (opened.ok) app.log.info({ shopId: place.shopId }, 'a shop was opened by its owner')
    return seeOther(portalPaths.day(shopCode, { done: 'opened' }))
  }
  if (opened.reason === 'not-allowed')
    return refuseForm(formRefusal(fields, 'You no longer have permission to do this.'), 403)
  const missing = opened.detail.map((step) => setUpStepNames[step]).join(', ')
  return refuseForm(formRefusal(fields, `Not open yet. Still missing: ${missing}.`), 409)
}

/** What a step holds so far. */
function wordsOf(step: SetUpStep, { hours, bays, dropOffs, rates, closures, saved }: SetUp): string {
  switch (step) {
    case 'hours':
      return hours.length === 0
        ? 'When you’re open'
        : `Open ${countOf(hours.length, 'day')} a week${saved.includes(step) ? '' : ', from your application: check them'}`
    case 'bays':
      return bays === 0 ? 'How many cars at a time' : `${countOf(bays, 'bay')}, ${dropOffs} to drop off`
    case 'prices':
      return rates.length === 0 ? 'Per tire, by rim and kind of work' : countOf(rates.length, 'price')
    case 'lengths':
      return rates.length === 0 ? 'After prices' : 'Minutes per tire'
    case 'blackout-days':
      return closures.length === 0 ? 'Days you’re closed, if any' : `${closures.length} ahead`
  }
}

export default function SetUpPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { shopCode, shopName, isSaved, isOwner, missing, hasBank, steps } = loaderData
  return (
    <div className="wrap portal narrow">
      <h1>Set up {shopName}</h1>
      {isSaved && !reply ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> Saved.
        </p>
      ) : null}
      <ErrorSummary reply={reply} />
      <p className="muted">
        {steps.length - missing} of {steps.length} done.{' '}
        {missing === 0
          ? 'Everything is here.'
          : 'Each step is saved separately, so you can stop and come back any time.'}
      </p>
      <ol className="portal-list">
        {steps.map(({ step, isDone, words }) => (
          <li key={step} className={isDone ? 'is-done' : undefined}>
            <Line path={isOwner ? portalPaths.setUpStep(shopCode, step) : null}>
              <b>{setUpStepNames[step]}</b>
              <span>{words}</span>
              <span className="portal-tick">
                {isDone ? (
                  <>
                    <Icon name="check" size="s" /> Done
                  </>
                ) : (
                  'To do'
                )}
              </span>
            </Line>
          </li>
        ))}
        <li className={hasBank ? 'is-done' : undefined}>
          <Line path={isOwner ? portalPaths.pay(shopCode) : null}>
            <b>Bank details</b>
            <span>Not needed to open. Payouts start when they’re complete.</span>
            <span className="portal-tick">
              {hasBank ? (
                <>
                  <Icon name="check" size="s" /> Done
                </>
              ) : (
                'Optional'
              )}
            </span>
          </Line>
        </li>
      </ol>
      {isOwner ? (
        <form method="post" className="portal-open">
          <button className={missing === 0 ? 'btn primary large wide' : 'btn large wide'}>Open the shop</button>
          <p className="small muted">
            {missing === 0
              ? 'Shoppers nearby see your shop immediately and can book your available times.'
              : 'You can use the button once every step is complete.'}
          </p>
        </form>
      ) : (
        <p className="muted">Only the shop’s owner can change these.</p>
      )}
    </div>
  )
}

function Line({ path, children }: { path: string | null; children: React.ReactNode }) {
  return path === null ? <div>{children}</div> : <a href={path}>{children}</a>
}
