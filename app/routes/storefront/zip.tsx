import { Form, useSearchParams } from 'react-router'
import { badZipMessage } from '#content/messages/places.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { checkForm, readForm, refuseForm } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { zipForm } from '#domain/kernel/places/places.ts'
import type { Route } from './+types/zip.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your ZIP code',
    description: 'Where your tires are installed.',
    path: paths.zip(paths.home()),
    isIndexed: false,
  })

export function loader({ context }: Route.LoaderArgs) {
  return { zip: context.get(visitorContext).zip ?? null }
}

/** Saves the ZIP, and returns to where the shopper was. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const fields = await readForm(request)

  const checked = checkForm(zipForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const place = await findPlace(app.db, checked.value.zip)
  if (!place) return refuseForm({ values: Object.fromEntries(fields), errors: { zip: badZipMessage } })
  return seeOther(safePath(fields.get('back'), paths.home()), remember(context, { zip: place.zip }))
}

export default function Zip({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const reply = actionData
  return (
    <div className="wrap narrow-page">
      <h1>Where will you use the tires?</h1>
      <p className="muted">
        Your ZIP decides which shops are near, when tires can be there, and what tax and state fee you pay.
      </p>
      <Form method="post" className="stack">
        <ErrorSummary reply={reply} />
        <input type="hidden" name="back" value={safePath(search.get('back'), '/')} />
        <Field
          name="zip"
          label="ZIP code"
          value={loaderData.zip}
          reply={reply}
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={10}
          required
        />
        <button className="btn primary large" type="submit">
          Use this ZIP
        </button>
      </Form>
    </div>
  )
}
