import { checkForm, formRefusal, readFormWithFile, refuseForm, refuseTry, type FormReply } from '#app/forms/form.ts'
import { visitorContext } from '#app/server/context.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { serverPaths } from '#content/server-paths.ts'
import { listFleetQuotes, readListBytes, startFleetQuote } from '#domain/channels/fleet-quotes/fleet-quotes.server.ts'
import { fleetQuoteForm, mostFleetFileBytes, mostFleetVehicles } from '#domain/channels/fleet-quotes/fleet-quotes.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import { newId } from '#platform/ids.ts'
import { storeDay } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import { CompanyPage } from './company-page.tsx'
import { requireFleetBuyer } from './require-fleet-buyer.server.ts'
import type { Route } from './+types/fleet-quotes.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Fleet quotes',
    description: 'Get tires for many vehicles from a list of VINs.',
    path: serverPaths.companyFleetQuotes(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { app, company } = await requireFleetBuyer(context, serverPaths.companyFleetQuotes())
  const quotes = await listFleetQuotes(app, company.id)
  return {
    name: company.name,
    key: newId(),
    zip: context.get(visitorContext).zip ?? '',
    quotes: quotes.map(({ id, vehicles, createdAt, goodThrough }) => ({
      href: serverPaths.companyFleetQuote(id),
      words: `${countOf(vehicles, 'vehicle')}, ${dateText(storeDay(createdAt).toString())}`,
      state: goodThrough === null ? 'Not finished' : `Prices held through ${dateText(goodThrough.toString())}`,
    })),
  }
}

/** Reads the list of a file, or of the lines that were pasted. */
export async function action({ request, context }: Route.ActionArgs) {
  const { deps, by, phone } = await requireFleetBuyer(context, serverPaths.companyFleetQuotes())
  const { fields, file } = await readFormWithFile(request, 'file', undefined, mostFleetFileBytes)
  if (file) {
    if (file.size > mostFleetFileBytes) return refuseForm(listReply(fields, 'file', [tooLarge]))
    const text = readListBytes(new Uint8Array(await file.arrayBuffer()))
    if (!text.ok) return refuseForm(listReply(fields, 'file', text.detail))
    // The file's text is shown with its errors because browsers can't refill a file input.
    fields.set('lines', text.value)
  }
  const checked = checkForm(fleetQuoteForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const started = await startFleetQuote(deps, by, checked.value)
  if (started.ok) return seeOther(serverPaths.companyFleetQuote(started.value.id))
  if (started.reason === 'faults') return refuseForm(listReply(fields, 'lines', started.detail))
  if (started.reason === 'too-many') {
    const words = 'Your company had as many lists read as we allow in a day. Try again tomorrow.'
    return refuseTry(context, formRefusal(fields, words), started.detail)
  }
  return refuseForm(formRefusal(fields, `Your account no longer orders for the company. Call ${phone}.`), 403)
}

const tooLarge = `The file is larger than ${mostFleetFileBytes / 1024} kB. Split it.`
const faultsShown = 10

function listReply(fields: URLSearchParams, field: string, faults: readonly string[]): FormReply {
  const more = faults.length - faultsShown
  const shown = [...faults.slice(0, faultsShown), ...(more > 0 ? [`And ${more} more.`] : [])]
  return { values: Object.fromEntries(fields), errors: { [field]: shown.join('\n') } }
}

const labels = { file: 'CSV file', lines: 'Lines', zip: 'ZIP', key: 'Form' }

export default function FleetQuotes({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, key, zip, quotes } = loaderData
  return (
    <CompanyPage name={name} at="vehicles">
      <p className="no-print">
        <a href={serverPaths.companyVehicles()}>All vehicles</a>
      </p>
      <form method="post" encType="multipart/form-data" className="panel padded stack" noValidate>
        <h2>New fleet quote</h2>
        <p>
          Give us the VINs of up to {countOf(mostFleetVehicles, 'vehicle')}, with unit, plate and state if you have
          them. We read year, make and model from each VIN and ask about the rest.
        </p>
        <ErrorSummary reply={reply} labels={labels} />
        <input type="hidden" name="key" value={reply?.values['key'] ?? key} />
        <Field
          name="file"
          label="CSV file"
          reply={reply && { values: {}, errors: reply.errors }}
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          hint="Its columns in any order, named VIN, Unit, Plate and State."
          required={false}
        />
        <TextAreaField
          name="lines"
          label="Or paste the lines"
          reply={reply}
          rows={6}
          maxLength={mostFleetFileBytes}
          hint="Enter one vehicle per line with VIN, unit, plate, and state. Only the VIN is required."
          isRequired={false}
        />
        <Field
          name="zip"
          label="ZIP where the vehicles are"
          reply={reply}
          value={zip}
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={5}
          required
        />
        <p>
          <button className="btn primary">Read the list</button>
        </p>
      </form>
      {quotes.length > 0 ? (
        <section className="stack" aria-labelledby="before">
          <h2 id="before">Quotes before</h2>
          <ul className="account-list">
            {quotes.map(({ href, words, state }) => (
              <li key={href} className="panel padded">
                <a href={href}>{words}</a>
                <p className="small muted">{state}</p>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </CompanyPage>
  )
}
