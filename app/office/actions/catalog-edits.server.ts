/** What the actions on tire types, brands, models and tires share. */
import type { Outcome, Refused } from '#platform/outcome.ts'
import type { Application } from '#application'

/** Shows an edit in this process before it returns. The other processes follow within a second. */
export async function showEdit<Value, Refusal extends Refused<string, unknown>>(
  app: Application,
  edit: Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal>> {
  const edited = await edit
  if (edited.ok) await app.catalogWatch.read()
  return edited
}

/** Why an edit of the catalog was refused. */
export const editRefusals = {
  'import-running': 'An import is being published. Save again in a minute.',
  'not-found': null,
  invalid: (fields: Readonly<Record<string, string>>) => ({ fields }),
} as const

/** The same for brands and models. `field` is the name of the brand or model. */
export function nameRefusals(field: string, noun: string) {
  return {
    ...editRefusals,
    'name-taken': { field, text: `A ${noun} with this name or address already exists.`, status: 409 },
    'other-address': {
      field,
      text: `Feeds and links find this ${noun} by the address made of its name. Change only capitals, spaces and punctuation.`,
    },
  } as const
}
