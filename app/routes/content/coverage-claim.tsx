import { data, type RouterContextProvider } from 'react-router'
import { supportMessages } from '#content/messages/support.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { checkForm, formRefusal, readFormWithFile, refuseForm, refuseTry, type FormReply } from '#app/forms/form.ts'
import { anHour, isFromProgram, uploadOf } from '#app/forms/public-form.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { isOwnOrder } from '#app/views/orders.server.ts'
import { planIn, storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { planWords } from '#domain/ordering/checkout/checkout.ts'
import { claimForm, fileClaim } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { answerWithinText } from '#domain/messaging/support/support.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { CoverageClaimForm } from './coverage-claim-form.tsx'
import { faulty, refuseFile, sizeFault, tooManyLookUps, tooManyMessage, unknownOrder } from './requests.server.ts'
import type { Route } from './+types/coverage-claim.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageHead(matches, {
    title: 'File a coverage claim',
    description: `Hit a nail, pothole, or curb? Claim what the ${loaderData?.plans[0]?.name.toLowerCase() ?? 'coverage'} of your order pays, with a picture.`,
    path: serverPaths.coverageClaim(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

/** Lists the plans an order can have, with the current store's plan first. */
export function loader({ context }: Route.LoaderArgs) {
  const { brandedStore, businessTerms } = context.get(applicationContext)
  const store = storeKindOf(brandedStore)
  const terms = businessTerms.current
  const plan = planWords(planIn(store), terms)
  return { plans: store === 'own' ? [plan, { ...planWords('road-hazard', terms), isOfShops: true }] : [plan] }
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { fields, file } = await readFormWithFile(request, 'attachment')
  if (isFromProgram(fields)) return seeOther(serverPaths.coverageClaimThanks())
  const checked = checkForm(claimForm, fields)
  if (!checked.ok) return refuseForm(faulty(fields, { ...checked.reply.errors, ...sizeFault(file) }))
  try {
    const filed = await fileClaim(app, checked.value, {
      isOwn: await isOwnOrder(context, checked.value.orderNumber),
      file: await uploadOf(file),
      networkKey: context.get(visitorContext).networkKey,
      signal: request.signal,
    })
    return filed.ok ? seeOther(serverPaths.coverageClaimThanks(filed.value.id)) : answerRefusal(context, fields, filed)
  } catch (error) {
    app.log.error({ err: error }, 'a coverage claim could not be kept')
    return refuseForm(formRefusal(fields, supportMessages.failed), 503)
  }
}

type Refusal = Exclude<Awaited<ReturnType<typeof fileClaim>>, { ok: true }>

/** The form again, with the reason we cannot take the claim. */
function answerRefusal(
  context: Readonly<RouterContextProvider>,
  fields: URLSearchParams,
  refusal: Refusal,
): ReturnType<typeof data<FormReply>> {
  switch (refusal.reason) {
    case 'order-unknown':
      return refuseForm(faulty(fields, { orderNumber: unknownOrder[refusal.detail.by] }))
    case 'too-many-attempts':
      return refuseTry(context, formRefusal(fields, tooManyLookUps), refusal.detail)
    case 'too-many-requests':
      return refuseTry(context, formRefusal(fields, tooManyMessage), { retryAfterSeconds: anHour })
    case 'not-covered':
      // Of several faults of a field the first is said.
      return refuseForm(
        faulty(fields, Object.fromEntries(refusal.detail.toReversed().map(({ field, reason }) => [field, reason]))),
      )
    default:
      return refuseFile(context, fields, refusal.reason)
  }
}

export default function CoverageClaim({ loaderData: { plans }, actionData: reply }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>File a coverage claim</h1>
      <p>
        For tires that you bought with{' '}
        <a href={paths.written('tire-replacement-coverage')}>{plans[0]?.name.toLowerCase()}</a>. Our team answers within{' '}
        {answerWithinText}, to the email address of the order.
      </p>
      {plans.map((plan) => (
        <p key={plan.name} className="muted">
          {plan.name}
          {'isOfShops' in plan ? ', of orders in a shop’s own store' : ''}: {plan.terms.join('. ')}.
        </p>
      ))}
      <CoverageClaimForm reply={reply} />
    </div>
  )
}
