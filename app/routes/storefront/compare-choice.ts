import { redirect } from 'react-router'
import { readComparison } from '#app/views/comparison.server.tsx'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { compareNotes, type CompareNote } from '#app/ui/compare-bar.tsx'
import type { ComparisonAnswer } from '#app/ui/interaction-compare.ts'
import { findOffers } from '#domain/catalog/catalog/catalog.server.ts'
import { addTireKey, isTireKey, mostCompared, parseTireKeys, type TireKeys } from '#domain/catalog/catalog/catalog.ts'
import type { Application } from '#application'
import type { Route } from './+types/compare-choice.ts'

type Changed = { keys: TireKeys; said: string; note?: CompareNote }

export function loader() {
  return redirect(paths.compare())
}

/**
 * Adds a tire to the comparison (`add`), removes one (`remove`), or clears it (`clear`). Redirects back, or answers in
 * JSON if the request accepts it.
 */
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const fields = await readForm(request)
  const before = parseTireKeys(context.get(visitorContext).compared ?? '').keys
  const { keys, said, note } = await change(app, before, fields)
  const headers = remember(context, { compared: keys })
  if (request.headers.get('accept')?.startsWith('application/json')) {
    const comparison = await readComparison(app, keys, note)
    return Response.json({ ...comparison, said } satisfies ComparisonAnswer, { headers })
  }
  const key = fields.get('add') ?? fields.get('remove')
  const part = note ?? (key && isTireKey(key) ? `tire-${key}` : '')
  return seeOther(`${safePath(fields.get('back'), paths.compare())}${part && `#${part}`}`, headers)
}

async function change(app: Application, before: TireKeys, fields: URLSearchParams): Promise<Changed> {
  if (fields.has('clear')) return { keys: [], said: 'The comparison is empty.' }
  const out = fields.get('remove')
  if (out !== null) return { keys: before.filter((key) => key !== out), said: 'Removed from the comparison.' }
  const key = fields.get('add') ?? ''
  const [offer] = isTireKey(key) ? await findOffers(app.catalog, [key]) : []
  if (!offer) return noted(before, 'compare-gone')
  const added = addTireKey(before, offer.key)
  if (!added.ok) return noted(before, `compare-${added.reason}`)
  const left = mostCompared - added.value.length
  return {
    keys: added.value,
    said: `${offer.line.brand.name} ${offer.line.name} added to the comparison, ${left === 0 ? 'which is full' : `${left} more can be`}.`,
  }
}

function noted(keys: TireKeys, note: CompareNote): Changed {
  return { keys, said: compareNotes[note], note }
}
