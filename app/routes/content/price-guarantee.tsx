import { data, type RouterContextProvider } from 'react-router'
import { supportMessages } from '#content/messages/support.ts'
import { checkForm, formRefusal, readFormWithFile, refuseForm, refuseTry, type FormReply } from '#app/forms/form.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { isOwnOrder } from '#app/views/orders.server.ts'
import { paths } from '#content/paths.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { fileGuaranteeRequest, guaranteeForm } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { PriceGuaranteeForm } from './price-guarantee-form.tsx'
import { anHour, isFromProgram, uploadOf } from '#app/forms/public-form.ts'
import { WrittenArticle } from '#app/ui/written-article.tsx'
import { readWrittenPage } from '#app/views/written-page.server.ts'
import { faulty, refuseFile, sizeFault, tooManyLookUps, tooManyMessage, unknownOrder } from './requests.server.ts'
import type { Route } from './+types/price-guarantee.ts'

/** The price match policy and its request form. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, { title: loaderData.title, description: loaderData.description, path: loaderData.path })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export function loader({ url, context }: Route.LoaderArgs) {
  return readWrittenPage(url, context)
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { fields, file } = await readFormWithFile(request, 'attachment')
  if (isFromProgram(fields)) return seeOther(paths.priceGuaranteeThanks())
  const checked = checkForm(guaranteeForm, fields)
  if (!checked.ok) return refuseForm(faulty(fields, { ...checked.reply.errors, ...sizeFault(file) }))
  const { orderNumber } = checked.value
  try {
    const filed = await fileGuaranteeRequest(app, checked.value, {
      isOwn: orderNumber !== null && (await isOwnOrder(context, orderNumber)),
      file: await uploadOf(file),
      networkKey: context.get(visitorContext).networkKey,
      signal: request.signal,
    })
    return filed.ok ? seeOther(paths.priceGuaranteeThanks(filed.value.id)) : answerRefusal(context, fields, filed)
  } catch (error) {
    app.log.error({ err: error }, 'a price guarantee request could not be kept')
    return refuseForm(formRefusal(fields, supportMessages.failed), 503)
  }
}

type Refusal = Exclude<Awaited<ReturnType<typeof fileGuaranteeRequest>>, { ok: true }>

/** The form again, with the reason we cannot take the request. */
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
    case 'not-matched':
      return refuseForm(faulty(fields, Object.fromEntries(refusal.detail.map(({ field, reason }) => [field, reason]))))
    default:
      return refuseFile(context, fields, refusal.reason)
  }
}

export default function PriceGuarantee({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <WrittenArticle page={loaderData}>
      <PriceGuaranteeForm reply={reply} />
    </WrittenArticle>
  )
}
