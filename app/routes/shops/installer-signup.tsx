import { data, type RouterContextProvider } from 'react-router'
import { checkForm, readFormWithFile, refuseForm, refuseTry, type FormReply } from '#app/forms/form.ts'
import { answerHeadersContext, applicationContext, visitorContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { Stepper } from '#app/ui/stepper.tsx'
import { shopApplicationMessages } from '#content/messages/shop-applications.ts'
import { supportMessages } from '#content/messages/support.ts'
import { portalPaths } from '#content/portal-paths.ts'
import {
  payPerTireText,
  shopApplicationForm,
  shopApplicationNumber,
} from '#domain/installer-portal/shop-applications/shop-applications.ts'
import {
  applyAsShop,
  findKeptPicture,
  keepPicture,
  openDraft,
  sealDraft,
  shopApplicationLink,
} from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { INSTALLER_PAID_WITHIN_HOURS } from '#platform/business-constants.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import { anHour, isFromProgram, uploadOf } from '#app/forms/public-form.ts'
import { countOf } from '#platform/count-text.ts'
import { SignupAside, SignupForm } from './installer-signup-form.tsx'
import { applicationSteps } from './application-steps.ts'
import type { Route } from './+types/installer-signup.ts'

/** Where a shop applies to install tires. */
export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Become an installer',
    description: `Apply as a tire shop. We ship the tires to you, then send the customer. ${payPerTireText} a tire, paid within ${countOf(INSTALLER_PAID_WITHIN_HOURS, 'hour')}.`,
    path: portalPaths.installerSignup(),
  })

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

/** The fields, the picture, the honeypot and the button. */
const mostParts = 60

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { shopApplication } = context.get(visitorContext)
  const draft = shopApplication === undefined ? null : openDraft(app.config, shopApplication)
  const asked = url.searchParams.get('news')
  const news = asked === 'saved' || asked === 'copied' ? newsWords[asked] : null
  const pictureId = draft?.pictureId ?? null
  const picture = pictureId === null ? null : ((await findKeptPicture(app, pictureId)) ?? null)
  const caching = draft ? 'private, no-store' : 'public, s-maxage=600'
  return data({ values: draft?.values ?? {}, picture, news }, { headers: { 'Cache-Control': caching } })
}

const newsWords = {
  saved: 'Saved on this device for a month. Leave and come back anytime.',
  copied: 'Monday’s hours are on Tuesday to Friday as well.',
} as const

/**
 * `save` saves the input as a draft, `copy` copies Monday's hours to the other days, and `send` submits the
 * application. Each preserves the input.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { config } = context.get(applicationContext)
  const { fields, file } = await readFormWithFile(request, 'picture', mostParts)
  if (isFromProgram(fields)) return seeOther(portalPaths.installerSignup('saved'))
  const intent = fields.get('intent')
  const news = intent === 'save' ? 'saved' : intent === 'copy' ? 'copied' : null
  if (news === 'copied') copyMonday(fields)
  const picture = await takePicture(request, context, file)
  const saved = cookiesFor(config).shopApplication(
    sealDraft(config, { values: Object.fromEntries(fields), pictureId: picture.id }),
  )
  if (news && picture.fault === null)
    return seeOther(`${portalPaths.installerSignup(news)}#${news === 'copied' ? 'hours' : 'form'}`, [
      ['set-cookie', saved],
    ])
  const reply = {
    values: { ...Object.fromEntries(fields), ...(picture.name !== null && { kept: picture.name }) },
    errors: picture.fault === null ? {} : { picture: picture.fault },
  }
  const answer = news ? refuseForm(reply) : await send(context, fields, picture, reply)
  // What is sent is kept no longer; everything else comes back.
  if (!(answer instanceof Response)) context.get(answerHeadersContext).append('set-cookie', saved)
  return answer
}

/** Sends the application and leads to its page, or shows the form again with the reason it was not taken. */
async function send(
  context: Readonly<RouterContextProvider>,
  fields: URLSearchParams,
  picture: { id: string | null; fault: string | null },
  reply: FormReply,
) {
  const checked = checkForm(shopApplicationForm, fields)
  if (!checked.ok) return refuseForm({ ...reply, errors: { ...checked.reply.errors, ...reply.errors } })
  if (picture.fault !== null) return refuseForm(reply)
  const app = context.get(applicationContext)
  const { networkKey } = context.get(visitorContext)
  const { agree: _, ...asked } = checked.value
  const applied = await applyAsShop(app, asked, { networkKey, pictureId: picture.id })
  if (applied.ok)
    return seeOther(shopApplicationLink(app.config, applied.value.id), [
      ['set-cookie', cookiesFor(app.config).shopApplication(null)],
    ])
  switch (applied.reason) {
    case 'zip-unknown':
      return refuseForm({ ...reply, errors: { zip: shopApplicationMessages.zipUnknown } })
    case 'zip-elsewhere':
      return refuseForm({
        ...reply,
        errors: { zip: `This ZIP code is in ${applied.detail.state}. Check the ZIP code and the state.` },
      })
    case 'open-already': {
      const number = shopApplicationNumber(applied.detail.id)
      return refuseForm({ ...reply, formError: openAlready(number, app.config.store.phone) }, 409)
    }
    case 'too-many-requests': {
      const formError = 'There were too many applications from here. Wait an hour, or call us.'
      return refuseTry(context, { ...reply, formError }, { retryAfterSeconds: anHour })
    }
  }
}

function openAlready(number: string, phone: string): string {
  return `We have an application for this address from this email: ${number}. To change it, open it from our email, or call ${phone}.`
}

function copyMonday(fields: URLSearchParams): void {
  for (const day of [2, 3, 4, 5])
    for (const end of ['opens', 'closes']) fields.set(`${end}-${day}`, fields.get(`${end}-1`) ?? '')
}

/** Returns the form's new image or the saved one. A refused image never replaces the saved one. */
async function takePicture(
  request: Request,
  context: Readonly<RouterContextProvider>,
  file: File | null,
): Promise<{ id: string | null; name: string | null; fault: string | null }> {
  const app = context.get(applicationContext)
  const { shopApplication, networkKey } = context.get(visitorContext)
  const id = (shopApplication === undefined ? null : openDraft(app.config, shopApplication))?.pictureId ?? null
  const name = id === null ? null : ((await findKeptPicture(app, id)) ?? null)
  const before = name === null ? { id: null, name } : { id, name }
  if (!file) return { ...before, fault: null }
  if (file.size > maxAttachmentBytes) return { ...before, fault: supportMessages.tooLarge }
  const upload = await uploadOf(file)
  if (!upload) return { ...before, fault: null }
  const kept = await keepPicture(app, upload, { networkKey, signal: request.signal })
  return kept.ok ? { ...kept.value, fault: null } : { ...before, fault: pictureFaults[kept.reason] }
}

const pictureFaults = {
  'too-large': supportMessages.tooLarge,
  unreadable: supportMessages.unreadable,
  'unsafe-pdf': supportMessages.unsafePdf,
  'too-many-pixels': supportMessages.tooManyPixels,
  busy: supportMessages.busy,
  'other-kind': shopApplicationMessages.pictureKind,
  'too-many-requests': 'You sent many pictures within the hour. Wait a little, or send the form without one.',
} as const

export default function InstallerSignup({ loaderData: { values, picture, news }, actionData }: Route.ComponentProps) {
  const reply = actionData ?? { values, errors: {} }
  return (
    <div className="wrap signup-page">
      <Stepper at={0} label="From applying to the first booking" steps={applicationSteps} />
      <header className="signup-head">
        <h1>Put your bays where tires are sold</h1>
        <p>
          We send the tires, then the customer. You install, the customer shows a code, and {payPerTireText} a tire is
          yours within {countOf(INSTALLER_PAID_WITHIN_HOURS, 'hour')}.
        </p>
      </header>
      <div className="signup-columns">
        <SignupForm
          reply={reply}
          isRefused={actionData !== undefined}
          picture={actionData?.values['kept'] ?? picture}
          news={actionData ? null : news}
        />
        <SignupAside />
      </div>
    </div>
  )
}
