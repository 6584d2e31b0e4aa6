/** Access, submitted values, and redirects after saving, shared by the onboarding steps. */
import type { RouterContextProvider } from 'react-router'
import { formRefusal, refuseForm } from '#app/forms/form.ts'
import { requireShop, type AtShop } from '#app/server/portal.server.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { readSetUp } from '#domain/installer-portal/portal/portal.server.ts'
import type { SetUp, SetUpStep } from '#domain/installer-portal/portal/portal.ts'
import { seeOther } from '#http/safe-redirect.ts'

/** Requires the shop’s owner while the shop is in onboarding. Redirects to the day view if the shop is open. */
export async function requireStep(
  context: Readonly<RouterContextProvider>,
  shopCode: string,
  step: SetUpStep,
): Promise<AtShop & { setUp: SetUp }> {
  const at = await requireShop(context, 'set-up.edit', { shopCode, path: portalPaths.setUpStep(shopCode, step) })
  const setUp = await readSetUp(at.app, at.place)
  if (setUp.isOpen) throw seeOther(portalPaths.day(shopCode))
  return { ...at, setUp }
}

type Refusal = 'not-allowed' | 'open-already' | 'no-prices' | 'past' | 'too-many'

/**
 * Redirects to the list of steps, or back to the step with `stay`. Returns the form with errors if the save was
 * refused.
 */
export function settleStep(
  fields: URLSearchParams,
  saved: { ok: true } | { ok: false; reason: Refusal },
  { shopCode, stay }: { shopCode: string; stay?: SetUpStep },
) {
  if (saved.ok) return seeOther(stay ? portalPaths.setUpStep(shopCode, stay) : portalPaths.setUp(shopCode, 'saved'))
  const { message, field, status } = refusals[saved.reason]
  return refuseForm(formRefusal(fields, message, field ? { [field]: message } : {}), status)
}

const refusals: Record<Refusal, { message: string; field?: string; status: number }> = {
  'not-allowed': { message: 'You no longer have permission to do this.', status: 403 },
  'open-already': { message: 'The shop is already open.', status: 409 },
  'no-prices': { message: 'Enter prices first. Each priced service needs a duration.', status: 409 },
  past: { message: 'This day is over. Choose today or a later day.', field: 'on', status: 422 },
  'too-many': { message: 'That is the most blackout days we keep at a time. Remove one first.', status: 409 },
}
