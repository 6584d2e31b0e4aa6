/** Why an edit of the catalog was refused. */
export const importRunning = 'An import is being published. Save again in a minute.'

export const editFaults = {
  'import-running': importRunning,
  'not-found': null,
  invalid: (fields: Readonly<Record<string, string>>) => ({ fields }),
} as const

/** `field` is the name of the brand or model. */
export function nameFaults(field: string, noun: string) {
  return {
    ...editFaults,
    'name-taken': { field, text: `A ${noun} with this name or address already exists.`, status: 409 },
    'other-address': {
      field,
      text: `Feeds and links find this ${noun} by the address made of its name. Change only capitals, spaces and punctuation.`,
    },
  } as const
}
