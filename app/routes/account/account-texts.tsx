import { z } from 'zod'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { ConsentWords } from '#app/ui/consent-words.tsx'
import { Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { fieldMessages } from '#content/messages/fields.ts'
import { textMessages } from '#content/messages/texts.ts'
import { paths } from '#content/paths.ts'
import { chooseAccountPhone, deleteAccountText, selectAccountText } from '#domain/messaging/texts/texts.server.ts'
import { consentWords } from '#domain/messaging/texts/texts.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { Route } from './+types/account-texts.ts'
import { AccountPage } from './account-page.tsx'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Text messages',
    description: 'Texts about your orders and appointments.',
    path: paths.accountTexts(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { accountId } = await requireSignedIn(context, paths.accountTexts())
  if (!app.texts) throw new Response(null, { status: 404 })
  const chosen = await selectAccountText(app.db, accountId)
  return {
    words: consentWords(app.config.store.name),
    chosen: chosen ? { phone: phoneText(chosen.phone.slice(2)), state: chosen.state } : null,
  }
}

const form = z.object({
  phone: z.string(fieldMessages.phone).trim().min(1, fieldMessages.phone).max(40, fieldMessages.phone),
  agreed: z.literal('1', 'Check the box to agree.'),
})

/** Chooses the phone, or with `off` ends texts about orders placed from now on. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { accountId } = await requireSignedIn(context, paths.accountTexts())
  if (!app.texts) throw new Response(null, { status: 404 })
  const fields = await readForm(request)
  if (fields.get('intent') === 'off') {
    await deleteAccountText(app.db, accountId)
    return seeOther(paths.accountTexts())
  }
  const checked = checkForm(form, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { networkKey } = context.get(visitorContext)
  const words = consentWords(app.config.store.name)
  const asked = await chooseAccountPhone(app, { accountId, phone: checked.value.phone, networkKey, words })
  if (asked.ok) return seeOther(paths.accountTexts())
  if (asked.reason === 'too-many') return refuseForm(formRefusal(fields, textMessages['too-many']), 429)
  const problem = asked.reason === 'stopped' ? textMessages.stopped : fieldMessages.phone
  return refuseForm(formRefusal(fields, 'Fix 1 field:', { phone: problem }), asked.reason === 'stopped' ? 409 : 422)
}

const stateWords = {
  asked: 'We sent a text to this phone. Reply YES to it to turn texts on.',
  confirmed: 'Texts about orders with this phone number go to it. Reply STOP from the phone to stop all of them.',
  stopped: textMessages.stopped,
} as const

export default function AccountTexts({ loaderData: { words, chosen }, actionData: reply }: Route.ComponentProps) {
  return (
    <AccountPage title="Text messages" at="account">
      {chosen ? (
        <section className="panel padded stack" aria-labelledby="chosen">
          <h2 id="chosen">{chosen.phone}</h2>
          <p>{stateWords[chosen.state]}</p>
          <form method="post">
            <button className="btn" name="intent" value="off">
              No texts about new orders
            </button>
          </form>
        </section>
      ) : null}
      <PhoneForm words={words} hasPhone={chosen !== null} reply={reply} />
    </AccountPage>
  )
}

function PhoneForm({ words, hasPhone, reply }: { words: string; hasPhone: boolean; reply: FormReply | undefined }) {
  const unchecked = reply?.errors['agreed']
  return (
    <section className="panel padded stack" aria-labelledby="choose">
      <h2 id="choose">{hasPhone ? 'Another phone' : 'Get texts about your orders'}</h2>
      {reply?.formError ? (
        <p className="field-error" role="alert">
          {reply.formError}
        </p>
      ) : null}
      <form method="post" className="stack" noValidate>
        <Field
          name="phone"
          label="Mobile phone"
          value=""
          reply={reply}
          type="tel"
          autoComplete="tel"
          maxLength={40}
          required
          hint="The number that you also give with your orders."
        />
        <label className="check">
          <input
            type="checkbox"
            name="agreed"
            value="1"
            defaultChecked={reply?.values['agreed'] === '1'}
            aria-invalid={unchecked ? true : undefined}
            aria-describedby={unchecked ? 'agreed-error' : undefined}
          />
          <ConsentWords words={words} />
        </label>
        {unchecked ? (
          <p className="field-error" id="agreed-error" role="alert">
            {unchecked}
          </p>
        ) : null}
        <p>
          <button className="btn primary">Text this phone</button>
        </p>
      </form>
    </section>
  )
}
